// A text to be copied: a command, a configuration, or a secret that is shown only once.

import { useWords } from '../words/words.tsx'
import { CopyButton } from './CopyButton.tsx'
import { useIsPhone } from './phone.ts'
import './CopyText.css'

/** A longer text scrolls. */
const mostRows = 12
/** Letters that surely fit on a line beside the button, and on a phone above it. */
const lineLength = { desk: 46, phone: 32 }

/** `label` describes the text, for a screen reader. The text can be selected by hand where the browser does not allow copying. */
export function CopyText({
  isNext = false,
  label,
  leastRows = 1,
  text,
}: {
  readonly label: string
  readonly text: string
  /** For a line that is long on a phone. */
  readonly leastRows?: number
  /** To copy it is the next step: the button stands in the field, and beside a short text on one line with it. */
  readonly isNext?: boolean
}) {
  const { frame } = useWords()
  const isPhone = useIsPhone()
  const rows = isNext ? Math.ceil(text.length / (isPhone ? lineLength.phone : lineLength.desk)) : leastRows
  return (
    <div className={isNext ? 'copy-text copy-text-next' : 'copy-text'}>
      <textarea
        className="mono"
        readOnly
        aria-label={label}
        value={text}
        rows={Math.max(rows, Math.min(text.split('\n').length, mostRows))}
      />
      <CopyButton
        label={frame.copy}
        text={text}
        {...(isNext && { look: 'filled', isWide: isPhone, 'data-autofocus': true })}
      />
    </div>
  )
}
