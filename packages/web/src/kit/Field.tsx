// Fields of a form: label above, hint or error below; an error shows when a person leaves the field, and on saving.

import { PasswordInput, TextInput, type TextInputProps } from '@mantine/core'
import { type ComponentType, useState } from 'react'
import { icons } from './icons.tsx'
import './Field.css'

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
  readonly input?: Omit<TextInputProps, 'value' | 'onChange' | 'label' | 'error' | 'description'> & {
    /** The first field of a dialog, which gets the focus. */
    readonly 'data-autofocus'?: true
  }
}

/** The properties that both inputs of Mantine take. */
type AnyInput = ComponentType<TextInputProps>

function FieldOf({ Input, ...props }: FieldProps & { readonly Input: AnyInput }) {
  const { change, check, hint, input, isSent, label, refused, value } = props
  const [wasLeft, setLeft] = useState(false)
  const error = refused ?? (wasLeft || isSent ? check?.(value) : undefined)
  return (
    <Input
      {...input}
      label={label}
      value={value}
      onChange={event => change(event.currentTarget.value)}
      onBlur={() => setLeft(value !== '')}
      description={error === undefined ? hint : undefined}
      error={
        error !== undefined && (
          <span className="field-error">
            <icons.error size={16} />
            {error}
          </span>
        )
      }
    />
  )
}

/** A line of text. */
export function Field(props: FieldProps) {
  return <FieldOf {...props} Input={TextInput} />
}

/** A password, which can be shown. */
export function PasswordField(props: FieldProps) {
  return <FieldOf {...props} Input={PasswordInput as AnyInput} />
}
