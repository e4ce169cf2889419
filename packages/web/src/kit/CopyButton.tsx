// The button that copies a text, and confirms it.

import { useEffect, useState } from 'react'
import { after } from '../clock.ts'
import { useWords } from '../words/words.tsx'
import { Button, IconButton } from './Button.tsx'
import { icons } from './icons.tsx'

/** How long it shows the confirmation, in milliseconds. */
const saysForMs = 2_000

/** With `isIcon` only its icon shows; `label` names the copied text. */
export function CopyButton(props: {
  readonly label: string
  readonly text: string
  readonly isIcon?: true
  /** To copy it is the next step. */
  readonly isNext?: true
}) {
  const { copied } = useWords().frame
  const [isCopied, setCopied] = useState(false)
  useEffect(() => (isCopied ? after(saysForMs, () => setCopied(false)) : undefined), [isCopied])
  const copy = () => void navigator.clipboard.writeText(props.text).then(() => setCopied(true))
  const icon = isCopied ? <icons.check size={18} /> : <icons.copy size={18} />
  return (
    <>
      {props.isIcon ? (
        <IconButton label={props.label} onClick={copy}>
          {icon}
        </IconButton>
      ) : (
        <Button
          {...(props.isNext ? { look: 'filled', isWide: true } : { look: 'soft' })}
          icon={icon}
          onClick={copy}
        >
          {props.label}
        </Button>
      )}
      <span className="heard" role="status">
        {isCopied ? copied : ''}
      </span>
    </>
  )
}
