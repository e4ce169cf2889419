// The passkeys of the user: adding and removing them.

import { useState } from 'react'
import { hasPasskeys } from '../client/passkey.ts'
import { useChange } from '../client/reading.tsx'
import { AskDialog } from '../confirm/AskDialog.tsx'
import { Button } from '../kit/Button.tsx'
import { Card } from '../kit/Card.tsx'
import { icons } from '../kit/icons.tsx'
import { sayUsed } from '../members/memberWords.ts'
import { shortDate } from '../words/time.ts'
import { AddPasskey } from './AddPasskey.tsx'
import { sayFailure, useAccountReader } from './accountWords.ts'
import type { Security } from './CodesCard.tsx'

type Passkey = Security['passkeys'][number]

function RemovePasskey({ close, of }: { readonly of: Passkey; readonly close: () => void }) {
  const { words } = useAccountReader()
  const says = words.account.passkeys
  const remove = useChange('removePasskey')
  return (
    <AskDialog
      title={says.removeTitle(of.name)}
      does={says.remove}
      doing={says.removing}
      means={says.removeMeans}
      isDanger
      sayFailure={failure => sayFailure(failure, words)}
      go={() => remove({ params: { passkeyId: of.id } })}
      close={close}
    />
  )
}

export function PasskeysCard({ passkeys }: { readonly passkeys: readonly Passkey[] }) {
  const reader = useAccountReader()
  const says = reader.words.account.passkeys
  const [isAdding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<Passkey>()
  return (
    <Card title={says.title}>
      <p className="quiet">{says.why}</p>
      {passkeys.length === 0 && <p>{says.none}</p>}
      {passkeys.length > 0 && (
        <ul className="account-rows">
          {passkeys.map(passkey => {
            const { createdAt, id, lastUsedAt, name } = passkey
            const used = lastUsedAt === null ? says.unused : says.used(sayUsed(lastUsedAt, reader))
            return (
              <li key={id}>
                <icons.key />
                <span className="account-row-names">
                  <b>{name}</b>
                  <span className="small quiet">
                    {says.added(shortDate(createdAt, reader.times))} · {used}
                  </span>
                </span>
                <Button aria-label={says.removeOf(name)} onClick={() => setRemoving(passkey)}>
                  {says.remove}
                </Button>
              </li>
            )
          })}
        </ul>
      )}
      {hasPasskeys() ? (
        <div className="account-actions">
          <Button icon={<icons.add />} onClick={() => setAdding(true)}>
            {says.add}
          </Button>
        </div>
      ) : (
        <p className="small quiet">{says.notHere}</p>
      )}
      {isAdding && <AddPasskey close={() => setAdding(false)} />}
      {removing && <RemovePasskey of={removing} close={() => setRemoving(undefined)} />}
    </Card>
  )
}
