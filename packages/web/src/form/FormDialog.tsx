// A form as a dialog: its fields, why it was not sent, and the verb on its button.

import type { ReactNode } from 'react'
import type { ButtonLook } from '../kit/Button.tsx'
import { Dialog } from '../kit/Dialog.tsx'
import { Trouble, type TroubleWords } from '../kit/Trouble.tsx'
import { useWords } from '../words/words.tsx'
import type { Form } from './useForm.ts'

export function FormDialog<Values extends object>(props: {
  readonly form: Form<Values>
  readonly title: ReactNode
  /** The verb, and its text while the form is being sent. */
  readonly does: string
  readonly doing: string
  readonly look?: ButtonLook
  readonly trouble: TroubleWords
  readonly close: () => void
  readonly children?: ReactNode
}) {
  const { close, doing, does, form, look, title, trouble } = props
  const { saveMine } = useWords().form
  if (form.asksWho) return form.asksWho
  return (
    <Dialog
      title={title}
      does={form.changedBy === undefined ? does : saveMine}
      {...(look && { look })}
      busy={form.isBusy ? doing : undefined}
      isTyped={form.isHeld}
      close={close}
      go={form.send}
    >
      {props.children}
      <Trouble form={form} {...trouble} />
    </Dialog>
  )
}
