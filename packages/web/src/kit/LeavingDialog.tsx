// The dialog that asks before typed text is lost.

import { useWords } from '../words/words.tsx'
import { useLeavingQuestion } from './AskedLeaving.tsx'
import { Dialog } from './Dialog.tsx'

/** Shows nothing while nothing is asked. */
export function LeavingDialog() {
  const { confirm, frame } = useWords()
  const question = useLeavingQuestion()
  if (!question) return null
  return (
    <Dialog
      title={confirm.leaveTitle}
      does={frame.discard}
      look="danger"
      stays={confirm.keepTyping}
      close={question.stay}
      go={question.leave}
    >
      <p>{confirm.leaveWhy}</p>
    </Dialog>
  )
}
