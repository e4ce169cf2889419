// A text to be copied: a command, a configuration, or a secret that is shown only once.

import { useWords } from '../words/words.tsx'
import { CopyButton } from './CopyButton.tsx'
import './CopyText.css'

/** A longer text scrolls. */
const mostRows = 12

/** `label` describes the text, for a screen reader. The text can be selected by hand where the browser does not allow copying. */
export function CopyText({
  label,
  leastRows = 1,
  text,
}: {
  readonly label: string
  readonly text: string
  /** For a line that is long on a phone. */
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
