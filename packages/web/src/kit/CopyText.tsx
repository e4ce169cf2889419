// A text to be copied: a command, a configuration, a secret that is shown once.

import { useWords } from '../words/words.tsx'
import { CopyButton } from './CopyButton.tsx'
import './CopyText.css'

/** A longer text scrolls. */
const mostRows = 12

/** `label` says what the text is, for a screen reader. It can be selected by hand where the browser lets nobody copy. */
export function CopyText({
  label,
  leastRows = 1,
  text,
}: {
  readonly label: string
  readonly text: string
  /** Of a line that is long on a phone. */
  readonly leastRows?: number
}) {
  const { frame } = useWords()
  return (
    <div className="copy-text">
      <textarea
        className="mono"
        readOnly
        aria-label={label}
        value={text}
        rows={Math.max(leastRows, Math.min(text.split('\n').length, mostRows))}
      />
      <CopyButton label={frame.copy} text={text} />
    </div>
  )
}
