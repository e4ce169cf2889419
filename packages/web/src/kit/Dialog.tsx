// The dialog: 560 wide, one question, the verb on its button; Esc closes it, and the focus returns to its former place.

import { Modal } from '@mantine/core'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { useWords } from '../words/words.tsx'
import { Button, type ButtonLook } from './Button.tsx'
import { useAskFirst, useTyped } from './leaving.ts'
import './Dialog.css'

/** The focused element; for an item of a menu, the menu's button, because the item disappears with the menu. */
function focused(): HTMLElement | null {
  const { activeElement } = document
  const opener = activeElement?.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  if (opener) return document.getElementById(opener)
  return activeElement instanceof HTMLElement ? activeElement : null
}

/** Mantine returns the focus when `opened` becomes false, but a dialog here is unmounted while it is open. */
export function useFocusBack(): void {
  // Before the menu that opened it disappears.
  const [opener] = useState(focused)
  useEffect(() => {
    // A dialog that replaces another one continues with the element to which that one returned the focus.
    const before = opener?.isConnected ? opener : focused()
    return () => before?.focus({ preventScroll: true })
  }, [opener])
}

export function Dialog(props: {
  readonly title: ReactNode
  readonly children: ReactNode
  /** The verb. */
  readonly does: string
  readonly look?: ButtonLook
  /** The button's text while it works; undefined: it does not work now. */
  readonly busy?: string | undefined
  readonly isDisabled?: boolean
  /** Only its button closes it, because its content is not shown again. */
  readonly isHeld?: boolean
  /** What not doing it means, such as `Keep typing`: then that is the usual answer. */
  readonly stays?: string
  /** Everything is done: there is one button, and nothing to cancel. */
  readonly isDone?: boolean
  /** Something is typed in it: closing it by anything but its own Cancel asks first, and so does leaving the page. */
  readonly isTyped?: boolean
  readonly close: () => void
  readonly go: () => void
}) {
  const { frame } = useWords()
  const { isHeld = false, isTyped = false } = props
  useFocusBack()
  const askFirst = useAskFirst()
  // Content that is shown only once is lost in the same way as typed text.
  useTyped(isTyped || isHeld)
  function send(event: FormEvent) {
    event.preventDefault()
    if (props.busy === undefined && !props.isDisabled) props.go()
  }
  return (
    <Modal
      opened
      onClose={isTyped ? () => askFirst(props.close) : props.close}
      title={props.title}
      closeButtonProps={{ 'aria-label': frame.close }}
      withCloseButton={!isHeld}
      closeOnEscape={!isHeld}
      closeOnClickOutside={!isHeld}
    >
      <form className="dialog" onSubmit={send} noValidate>
        {props.children}
        <div className="dialog-foot">
          {!isHeld && !props.isDone && (
            <Button
              onClick={props.close}
              {...(props.stays !== undefined && { look: 'filled', 'data-autofocus': true })}
            >
              {props.stays ?? frame.cancel}
            </Button>
          )}
          <Button type="submit" look={props.look ?? 'filled'} busy={props.busy} disabled={props.isDisabled}>
            {props.does}
          </Button>
        </div>
      </form>
    </Modal>
  )
}
