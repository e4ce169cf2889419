// The fields of a gate's form: what is wrong with each before it is sent, and what is sent of them.

import type { Gate } from '@callgate/contract/rest/gate'
import type { Words } from '../words/words.tsx'

export interface GateValues {
  readonly name: string
  readonly phoneNumber: string
  readonly location: string
  readonly description: string
}

export const newGate: GateValues = { name: '', phoneNumber: '', location: '', description: '' }

export function valuesOfGate({ description, location, name, phoneNumber }: Gate): GateValues {
  return { name, phoneNumber, location, description: description ?? '' }
}

const isLonger = (text: string, most: number) => [...text.trim()].length > most

/** What is wrong with each field; undefined when nothing is that the browser can know. */
export function gateChecks(words: Words['gates']['form']) {
  return {
    name: (value: string) =>
      value.trim() === '' ? words.nameMissing : isLonger(value, 120) ? words.nameLong : undefined,
    phoneNumber(value: string) {
      if (!/^[+0-9 ().-]*$/.test(value)) return words.numberWrong
      const digits = value.replace(/\D/g, '')
      const isInternational = /^\s*(\+|00)/.test(value)
      // A national number lacks the digits of its country.
      const least = isInternational ? 8 : 6
      const { length } = isInternational ? digits.replace(/^00/, '') : digits
      return length < least ? words.numberShort : length > 15 ? words.numberLong : undefined
    },
    location: (value: string) => (isLonger(value, 200) ? words.placeLong : undefined),
    description: (value: string) => (isLonger(value, 500) ? words.noteLong : undefined),
  }
}

/** The body of a change: what is typed, as the API takes it. */
export function gateBody(typed: Partial<GateValues>) {
  const { description, location, name, phoneNumber } = typed
  return {
    ...(name !== undefined && { name }),
    ...(phoneNumber !== undefined && { phoneNumber }),
    ...(location !== undefined && { location }),
    ...(description !== undefined && { description: description.trim() === '' ? null : description }),
  }
}
