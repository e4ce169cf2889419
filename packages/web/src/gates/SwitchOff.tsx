// The question before a gate is switched off: it names what ends.

import type { Gate } from '@callgate/contract/rest/gate'
import { useState } from 'react'
import { useChange } from '../client/reading.tsx'
import { Dialog } from '../kit/Dialog.tsx'
import { useWords } from '../words/words.tsx'

export function SwitchOff({ close, gate }: { readonly close: () => void; readonly gate: Gate }) {
  const says = useWords().gate
  const deactivate = useChange('deactivateGate')
  const [isBusy, setBusy] = useState(false)
  const [hasFailed, setFailed] = useState(false)
  async function go() {
    setBusy(true)
    const result = await deactivate({ params: { gateId: gate.id } })
    setBusy(false)
    if (result.ok) close()
    else setFailed(true)
  }
  return (
    <Dialog
      title={says.switchOffTitle(gate.name)}
      does={says.switchOff}
      look="danger"
      busy={isBusy ? says.switchingOff : undefined}
      close={close}
      go={() => void go()}
    >
      <p>{says.switchOffText}</p>
      <div role="alert">{hasFailed && <p className="gate-failure">{says.notDone}</p>}</div>
    </Dialog>
  )
}
