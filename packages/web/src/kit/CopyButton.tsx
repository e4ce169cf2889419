// The button that copies a text, and confirms it.

import { useEffect, useState } from 'react'
import { after } from '../clock.ts'
import { useWords } from '../words/words.tsx'
import { Button, type ButtonLook, IconButton } from './Button.tsx'
import { icons } from './icons.tsx'

/** How long it shows the confirmation, in milliseconds. */
const saysForMs = 2_000

/** With `isIcon` only its icon shows; `label` names the copied text. */
export function CopyButton({
  isIcon,
  label,
  text,
  ...given
}: {
  readonly label: string
  readonly text: string
  readonly isIcon?: true
  readonly look?: ButtonLook
  readonly isWide?: boolean
  readonly 'data-autofocus'?: true
}) {
  const { copied } = useWords().frame
  const [isCopied, setCopied] = useState(false)
  useEffect(() => (isCopied ? after(saysForMs, () => setCopied(false)) : undefined), [isCopied])
  const copy = () => void navigator.clipboard.writeText(text).then(() => setCopied(true))
  const icon = isCopied ? <icons.check size={18} /> : <icons.copy size={18} />
  return (
    <>
      {isIcon ? (
        <IconButton label={label} onClick={copy}>
          {icon}
        </IconButton>
      ) : (
        <Button look="soft" {...given} icon={icon} onClick={copy}>
          {label}
        </Button>
      )}
      <span className="heard" role="status">
        {isCopied ? copied : ''}
      </span>
    </>
  )
}
