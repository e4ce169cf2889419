// The dialog that asks before typed text is lost.

import { useWords } from '../words/words.tsx'
import { useLeavingQuestion } from './AskedLeaving.tsx'
import { Dialog } from './Dialog.tsx'

/** Shows nothing while nothing is asked. */
export function LeavingDialog() {
  const { frame } = useWords()
  const question = useLeavingQuestion()
  if (!question) return null
  return (
    <Dialog
      title={frame.unsaved}
      does={frame.discard}
      look="danger"
      close={question.stay}
      go={question.leave}
    >
      <p>{frame.unsavedLost}</p>
    </Dialog>
  )
}
