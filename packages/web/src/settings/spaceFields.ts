// The fields of the Space: what each holds, and what is wrong with a value before it is sent.

import type { AppBodyOf } from '@callgate/contract/app/appOperations'
import type { SpaceView } from '@callgate/contract/app/space'
import { readKeeping } from '@callgate/contract/keeping'
import type { Words } from '../words/words.tsx'

export interface SpaceValues {
  readonly name: string
  readonly country: string
  readonly timezone: string
  readonly language: SpaceView['language']
  /** Empty: nobody. */
  readonly contactName: string
  readonly contactPhone: string
  /** As ISO 8601 has durations. */
  readonly keepIdentities: string
  /** Codes of countries, as `MD UA`; null: the usual ones. */
  readonly allowed: string | null
}

/** The codes in `allowed`. */
export function codesOf(allowed: string): string[] {
  return allowed.split(' ').filter(code => code !== '')
}

/** `allowed` with these codes. Their order does not count. */
export function allowedOf(codes: readonly string[]): string {
  return codes.toSorted().join(' ')
}

export function valuesOfSpace(space: SpaceView): SpaceValues {
  const { allowedCountries, contactName, contactPhone, country, keepIdentities, language, name, timezone } =
    space
  return {
    ...{ name, country, timezone, language, keepIdentities },
    contactName: contactName ?? '',
    contactPhone: contactPhone ?? '',
    allowed: allowedCountries && allowedOf(allowedCountries),
  }
}

const orNull = (text: string) => (text.trim() === '' ? null : text.trim())

/** What of them is sent. */
export function spaceBody(typed: Partial<SpaceValues>): AppBodyOf<'updateSpace'> {
  const { allowed, contactName, contactPhone, name, ...rest } = typed
  return {
    ...rest,
    ...(name !== undefined && { name: name.trim() }),
    ...(contactName !== undefined && { contactName: orNull(contactName) }),
    ...(contactPhone !== undefined && { contactPhone: orNull(contactPhone) }),
    ...(allowed !== undefined && { allowedCountries: allowed === null ? null : codesOf(allowed) }),
  }
}

type Says = Words['space']

/** Such a duration for a person: `90 days`, `12 months`. */
export function sayKeeping(keeping: string, says: Says): string {
  const { count, unit } = readKeeping(keeping)
  return unit === 'days' ? says.days(count) : says.months(count)
}

/** The API takes so many characters. */
const longestName = 120
const longestPhone = 32

/** What makes a link of a name in a mail. */
const linkMark = /:\/\/|www\./i

export function nameFault(name: string, says: Says): string | undefined {
  if (name.trim() === '') return says.nameMissing
  if (name.trim().length > longestName) return says.nameLong
  return linkMark.test(name) ? says.nameLink : undefined
}

/** What is wrong with the contact: each of its fields needs the other. */
export function contactFaults(
  { contactName, contactPhone }: Pick<SpaceValues, 'contactName' | 'contactPhone'>,
  says: Says,
): { readonly name?: string | undefined; readonly phone?: string | undefined } {
  const name = contactName.trim()
  const phone = contactPhone.trim()
  const isPhone = phone.length <= longestPhone && /^\+?[0-9][0-9 ()./-]*$/.test(phone)
  if (name === '') return phone === '' ? {} : { name: says.contactMissing }
  if (phone === '') return { name: nameFault(name, says), phone: says.contactMissing }
  return { name: nameFault(name, says), phone: isPhone ? undefined : says.phoneWrong }
}

/** Whether nothing is plainly wrong. */
export function isSendable(values: SpaceValues, says: Says): boolean {
  const contact = contactFaults(values, says)
  return (
    nameFault(values.name, says) === undefined && contact.name === undefined && contact.phone === undefined
  )
}
