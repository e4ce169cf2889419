// Deactivating a member, which names the consequences, and reactivating one, which makes a new link.

import type { MemberView } from '@callgate/contract/app/appMember'
import { useState } from 'react'
import { useChange } from '../client/reading.tsx'
import { AskDialog } from '../confirm/AskDialog.tsx'
import { useSending } from '../confirm/useSending.ts'
import { Button } from '../kit/Button.tsx'
import { useWords } from '../words/words.tsx'
import { lateTexts } from './lateTexts.ts'
import { useFailureWords } from './useFailureWords.ts'

interface Ending {
  readonly member: MemberView
  /** The names of the gates that the member may open. */
  readonly gates: readonly string[]
}

function DeactivateDialog({ close, gates, member }: Ending & { readonly close: () => void }) {
  const says = lateTexts(useWords()).end
  const end = useChange('deactivateMember')
  const sayFailure = useFailureWords()
  return (
    <AskDialog
      title={says.title(member.name)}
      does={says.deactivate}
      doing={says.deactivating}
      means={[]}
      isDanger
      sayFailure={sayFailure}
      go={() => end({ params: { memberId: member.id } })}
      close={close}
    >
      <p>{gates.length === 0 ? says.whyNone : says.why}</p>
      {gates.length > 0 && (
        <ul className="dialog-means">
          {gates.map(name => (
            <li key={name}>{name}</li>
          ))}
        </ul>
      )}
    </AskDialog>
  )
}

export function DeactivateButton(props: Ending) {
  const says = lateTexts(useWords()).end
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button look="danger" onClick={() => setAsking(true)}>
        {says.deactivate}
      </Button>
      {isAsking && <DeactivateDialog {...props} close={() => setAsking(false)} />}
    </>
  )
}

/** Shown in place of the accesses of a deactivated member. */
export function Deactivated({ member }: Pick<Ending, 'member'>) {
  const says = lateTexts(useWords()).end
  const reactivate = useChange('reactivateMember')
  const { failure, isBusy, send } = useSending()
  const sayFailure = useFailureWords()
  const go = () => void send(() => reactivate({ params: { memberId: member.id }, body: {} }))
  return (
    <div className="empty">
      <h2>{says.isOff}</h2>
      <p className="quiet">
        {says.isOffWhy} {says.reactivateWhy}
      </p>
      <Button look="filled" busy={isBusy ? says.reactivating : undefined} onClick={go}>
        {says.reactivate}
      </Button>
      {failure && (
        <p className="editor-wrong" role="alert">
          {sayFailure(failure)}
        </p>
      )}
    </div>
  )
}
