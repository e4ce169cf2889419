// The question before a key is revoked. It names what ends.

import type { ApiKeyView } from '@callgate/contract/app/apiKey'
import { useState } from 'react'
import type { Failure } from '../client/client.ts'
import { useChange } from '../client/reading.tsx'
import { Banner } from '../kit/Banner.tsx'
import { Dialog } from '../kit/Dialog.tsx'
import { type Reader, sayUsed } from '../members/memberWords.ts'
import { sayRequests } from './keyWords.ts'

export function RevokeKey(props: {
  readonly of: ApiKeyView
  readonly reader: Reader
  readonly close: () => void
}) {
  const { close, of: key, reader } = props
  const { keys } = reader.words
  const says = keys.revoke
  const revoke = useChange('revokeApiKey')
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure>()

  async function go() {
    setBusy(true)
    const result = await revoke({ params: { apiKeyId: key.id } })
    if (result.ok) return close()
    setBusy(false)
    setFailure(result)
  }

  const used =
    key.lastUsedAt === null
      ? says.unused
      : says.stops(sayRequests(key, reader), sayUsed(key.lastUsedAt, reader))
  const could = key.scopes.map(scope => keys.scopes[scope]).join(', ')
  return (
    <Dialog
      title={says.title(key.name)}
      does={says.does}
      look="danger"
      busy={isBusy ? says.doing : undefined}
      close={close}
      go={() => void go()}
    >
      <ul className="key-ends">
        <li>{says.refused(key.shownPrefix)}</li>
        <li>{used}</li>
        <li>{says.could(could)}</li>
        <li>{says.forGood}</li>
      </ul>
      <div role="alert">
        {failure && (
          <Banner tone="shut" title={says.notDone}>
            {failure.code === 'network_error' ? says.noAnswer : failure.message}
          </Banner>
        )}
      </div>
    </Dialog>
  )
}
