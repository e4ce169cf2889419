// The control of a declared field: a line of text, a password, or a choice.

import { ChoiceField, Field, PasswordField } from '../kit/Field.tsx'
import { useFirstWords } from '../words/words.tsx'
import { faultOf } from './fields.ts'
import type { Form } from './useForm.ts'

/** The names of the values that are texts. */
type TextName<Values> = {
  readonly [Name in keyof Values]: Values[Name] extends string ? Name : never
}[keyof Values]

/** `hint`: replaces the declared one. */
export function FormField<Values extends object>(props: {
  readonly form: Form<Values>
  readonly name: TextName<Values>
  readonly hint?: string | undefined
}) {
  const { form, name } = props
  const says = useFirstWords().form
  const { choices, hint: usual, input, isCheckedLate, isPassword, label = '' } = form.fields[name]
  const value = form.values[name] as string
  const theirs = form.theirs[name] as string | undefined
  const theySaid = theirs === '' ? says.theyCleared : says.theySet(sayChoice(theirs ?? '', choices))
  const hint = theirs === undefined ? (props.hint ?? usual) : theySaid
  const change = (typed: string) => form.type({ [name]: typed } as Partial<Values>)
  if (choices)
    return <ChoiceField label={label} hint={hint} value={value} change={change} choices={choices} />
  const check = (typed: string) => faultOf(form.fields, name, { ...form.values, [name]: typed }, says)
  const late = isCheckedLate && form.isSent ? check(value) : undefined
  const Input = isPassword ? PasswordField : Field
  return (
    <Input
      label={label}
      value={value}
      change={change}
      {...(!isCheckedLate && { check })}
      refused={form.refused?.field === name ? form.refused.says : late}
      {...(hint !== undefined && { hint })}
      isSent={form.isSent}
      input={{ ...input, ...{ 'data-form': form.id } }}
    />
  )
}

/** A choice is shown by its name. */
function sayChoice(value: string, choices: Form<{ it: string }>['fields']['it']['choices']): string {
  return choices?.find(choice => choice.value === value)?.label ?? value
}
