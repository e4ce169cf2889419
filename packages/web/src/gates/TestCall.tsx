// The question before a test call, which is an ordinary opening.

import { Dialog } from '../kit/Dialog.tsx'
import { useWords } from '../words/words.tsx'

export function TestCall({ close, go }: { readonly close: () => void; readonly go: () => void }) {
  const says = useWords().gate
  function call() {
    close()
    go()
  }
  return (
    <Dialog title={says.testCall} does={says.testGo} close={close} go={call}>
      <p>{says.testWhy}</p>
    </Dialog>
  )
}
