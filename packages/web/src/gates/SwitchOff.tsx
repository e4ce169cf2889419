// The question before a gate is switched off: it names what ends.

import type { Gate } from '@callgate/contract/rest/gate'
import { useChange } from '../client/reading.tsx'
import { AskDialog } from '../confirm/AskDialog.tsx'
import { useWords } from '../words/words.tsx'

export function SwitchOff({ close, gate }: { readonly close: () => void; readonly gate: Gate }) {
  const says = useWords().gate
  const deactivate = useChange('deactivateGate')
  return (
    <AskDialog
      title={says.switchOffTitle(gate.name)}
      does={says.switchOff}
      doing={says.switchingOff}
      means={[]}
      isDanger
      go={() => deactivate({ params: { gateId: gate.id } })}
      close={close}
    >
      <p>{says.switchOffText}</p>
    </AskDialog>
  )
}
