// The fields of a SIM card: their values, the checks before sending, and amounts in people's notation.

import type { Money, SimView } from '@callgate/contract/app/sim'
import { hundredthsOf } from '@callgate/contract/app/typedAmount'
import type { Fields } from '../form/fields.ts'
import { simTexts } from '../words/simTexts.ts'
import type { Words } from '../words/words.tsx'

export interface SimValues {
  readonly code: string
  readonly warnBelow: string
  readonly expiresOn: string
}

/** `5.50`, in the language of the reader. */
export function sayAmount(hundredths: number, locale: string): string {
  const places = { minimumFractionDigits: 2, maximumFractionDigits: 2 }
  return new Intl.NumberFormat(locale, places).format(hundredths / 100)
}

export const sayMoney = ({ currency, hundredths }: Money, locale: string) =>
  `${sayAmount(hundredths, locale)} ${currency}`

export function valuesOfSim({ code, expiresOn, warnBelow }: SimView): SimValues {
  return {
    code: code ?? '',
    warnBelow: warnBelow === null ? '' : (warnBelow / 100).toFixed(2),
    expiresOn: expiresOn ?? '',
  }
}

/** The request with these values. An empty one clears the field. */
export function simBody({ code, expiresOn, warnBelow }: SimValues) {
  return {
    code: code.trim() === '' ? null : code.trim(),
    warnBelow: hundredthsOf(warnBelow) ?? null,
    expiresOn: expiresOn === '' ? null : expiresOn,
  }
}

/** The API decides which codes are allowed: this only finds text that is obviously no code. */
const isCode = (value: string) => value.trim() === '' || /^\*[\d*]+#$/.test(value.trim())
const isAmount = (value: string) => value.trim() === '' || hundredthsOf(value) !== undefined

export function simFields(words: Words): Fields<SimValues> {
  const { form } = simTexts(words)
  return {
    code: {
      label: form.code,
      hint: form.codeHint,
      check: value => (isCode(value) ? undefined : form.codeWrong),
      refused: form.codeRefused,
      input: { autoComplete: 'off', inputMode: 'tel', placeholder: '*100#', 'data-autofocus': true },
    },
    warnBelow: {
      label: form.warnBelow,
      hint: form.warnBelowHint,
      check: value => (isAmount(value) ? undefined : form.amountWrong),
      input: { autoComplete: 'off', inputMode: 'decimal' },
    },
    expiresOn: {},
  }
}
