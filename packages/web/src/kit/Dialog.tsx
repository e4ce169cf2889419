// The dialog: 560 wide, one question, the verb on its button. Esc closes it, and the focus goes back to where it was.

import { Modal } from '@mantine/core'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { useWords } from '../words/words.tsx'
import { Button, type ButtonLook } from './Button.tsx'
import { useAskFirst, useTyped } from './leaving.ts'
import './Dialog.css'

/** Where the focus is; of an item, the button of its menu, since the item goes with the menu. */
function focused(): HTMLElement | null {
  const { activeElement } = document
  const opener = activeElement?.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  if (opener) return document.getElementById(opener)
  return activeElement instanceof HTMLElement ? activeElement : null
}

/** Mantine gives the focus back when `opened` becomes false, but a dialog here is taken away as it is. */
function useFocusBack(): void {
  // Before the menu that opened it is gone.
  const [opener] = useState(focused)
  useEffect(() => {
    // A dialog that takes the place of another one goes on from where that gave the focus back to.
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
  /** What the button says while it works; undefined: it does not work now. */
  readonly busy?: string | undefined
  readonly isDisabled?: boolean
  /** It closes by its button alone: what it shows does not come again. */
  readonly isHeld?: boolean
  /** All is done: it has the one button, and nothing to cancel. */
  readonly isDone?: boolean
  /** Something is typed in it: closing it asks first, but for its own Cancel, and so does leaving the page. */
  readonly isTyped?: boolean
  readonly close: () => void
  readonly go: () => void
}) {
  const { frame } = useWords()
  const { isHeld = false, isTyped = false } = props
  useFocusBack()
  const askFirst = useAskFirst()
  // What is shown only once is lost as what is typed is.
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
          {!isHeld && !props.isDone && <Button onClick={props.close}>{frame.cancel}</Button>}
          <Button type="submit" look={props.look ?? 'filled'} busy={props.busy} disabled={props.isDisabled}>
            {props.does}
          </Button>
        </div>
      </form>
    </Modal>
  )
}
