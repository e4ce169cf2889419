// The question before all gates are locked.

import { useChange } from '../client/reading.tsx'
import { useSessions } from '../client/session.tsx'
import { AskDialog } from '../confirm/AskDialog.tsx'
import { useWords } from '../words/words.tsx'
import { lockDownTexts } from './lockDownTexts.ts'

export function LockDownDialog({ close }: { readonly close: () => void }) {
  const words = useWords()
  const says = lockDownTexts(words)
  const { ask } = useSessions()
  const lock = useChange('lockDown')
  return (
    <AskDialog
      title={says.lockTitle}
      does={words.gates.lock}
      doing={says.locking}
      means={says.lockMeans}
      isDanger
      go={() => lock({})}
      done={() => {
        void ask()
        close()
      }}
      close={close}
    />
  )
}
