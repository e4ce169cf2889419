// Fields of a form: label above, hint or error below; an error shows when a person leaves the field, and on saving.

import { type InputHTMLAttributes, type ReactNode, useId, useState } from 'react'
import { firstIcons } from './firstIcons.tsx'
import './Field.css'

/** What the input of a field can be given. */
export type InputGiven = Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange' | 'onBlur'> & {
  /** The first field of a dialog, which gets the focus. */
  readonly 'data-autofocus'?: true
  /** The form of the field. */
  readonly 'data-form'?: string
}

interface FieldProps {
  readonly label: string
  readonly value: string
  readonly change: (value: string) => void
  /** The error in a value; undefined when there is none. */
  readonly check?: (value: string) => string | undefined
  /** The server's error about the sent value. */
  readonly refused?: string | undefined
  readonly hint?: string
  /** The form was sent: every error shows. */
  readonly isSent: boolean
  readonly input?: InputGiven
}

/** The label above a control, and the line below it: the hint, or the error in its place. */
export function Framed(props: {
  readonly label: string
  readonly id: string
  readonly hint?: string | undefined
  readonly error?: string | undefined
  readonly children: ReactNode
}) {
  const { children, error, hint, id, label } = props
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      {children}
      {error !== undefined && (
        <p className="field-below field-error" id={`${id}-below`}>
          <firstIcons.error size={16} />
          {error}
        </p>
      )}
      {error === undefined && hint !== undefined && (
        <p className="field-below" id={`${id}-below`}>
          {hint}
        </p>
      )}
    </div>
  )
}

/** What a control says of itself and of the line below it. */
export const saying = (
  id: string,
  { error, hint }: { error?: string | undefined; hint?: string | undefined },
) => ({
  id,
  ...(error !== undefined && { 'aria-invalid': true }),
  ...((error ?? hint) !== undefined && { 'aria-describedby': `${id}-below` }),
})

function useInput({ change, check, hint, input, isSent, label, refused, value }: FieldProps) {
  const id = useId()
  const [wasLeft, setLeft] = useState(false)
  const error = refused ?? (wasLeft || isSent ? check?.(value) : undefined)
  return {
    frame: { label, id, hint, error },
    input: {
      ...input,
      ...saying(id, { error, hint }),
      className: input?.className === undefined ? 'field-input' : `field-input ${input.className}`,
      value,
      onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
        change(event.currentTarget.value),
      onBlur: () => setLeft(value !== ''),
    },
  }
}

/** A line of text. */
export function Field(props: FieldProps) {
  const { frame, input } = useInput(props)
  return (
    <Framed {...frame}>
      <input type="text" {...input} />
    </Framed>
  )
}

/** A password, which can be shown. */
export function PasswordField(props: FieldProps) {
  const [isShown, setShown] = useState(false)
  const { frame, input } = useInput(props)
  const Icon = isShown ? firstIcons.lookAway : firstIcons.look
  return (
    <Framed {...frame}>
      <span className="field-password">
        <input {...input} type={isShown ? 'text' : 'password'} />
        {/* For the mouse: a screen reader and the keyboard have the field itself. */}
        <button type="button" tabIndex={-1} aria-hidden="true" onClick={() => setShown(!isShown)}>
          <Icon />
        </button>
      </span>
    </Framed>
  )
}

/** One of several, as a native list. */
export function ChoiceField(props: {
  readonly label: string
  readonly value: string
  readonly change: (value: string) => void
  readonly choices: readonly { readonly value: string; readonly label: string }[]
  readonly hint?: string | undefined
}) {
  const { change, choices, hint, label, value } = props
  const id = useId()
  return (
    <Framed label={label} id={id} hint={hint}>
      <span className="field-choice">
        <select
          {...saying(id, { hint })}
          className="field-input"
          value={value}
          onChange={event => change(event.currentTarget.value)}
        >
          {choices.map(choice => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
        <firstIcons.selector size={16} />
      </span>
    </Framed>
  )
}
