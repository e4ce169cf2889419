// The fields of the Space: their values, and the errors in a value before it is sent.

import type { AppBodyOf } from '@callgate/contract/app/appOperations'
import type { SpaceView } from '@callgate/contract/app/space'
import { keepings, readKeeping } from '@callgate/contract/keeping'
import { languages } from '@callgate/contract/language'
import { limits } from '@callgate/contract/limits'
import { hasLink, lengthOf } from '../form/checks.ts'
import type { Fields } from '../form/fields.ts'
import { type Choice, languageChoices, zones } from '../words/places.ts'
import type { Words } from '../words/words.tsx'

export interface SpaceValues {
  readonly name: string
  readonly country: string
  readonly timezone: string
  readonly language: SpaceView['language']
  /** Empty: there is no contact. */
  readonly contactName: string
  readonly contactPhone: string
  /** In the notation of ISO 8601 for durations. */
  readonly keepIdentities: string
  /** Codes of countries, as `MD UA`; null: the default ones. */
  readonly allowed: string | null
}

/** The codes in `allowed`. */
export function codesOf(allowed: string): string[] {
  return allowed.split(' ').filter(code => code !== '')
}

/** `allowed` with these codes, sorted. */
export function allowedOf(codes: readonly string[]): string {
  return codes.toSorted().join(' ')
}

export function valuesOfSpace(space: SpaceView): SpaceValues {
  const { allowedCountries, contactName, contactPhone, country, keepIdentities, language, name, timezone } =
    space
  return {
    name,
    country,
    timezone,
    language,
    keepIdentities,
    contactName: contactName ?? '',
    contactPhone: contactPhone ?? '',
    allowed: allowedCountries && allowedOf(allowedCountries),
  }
}

const orNull = (text: string) => (text.trim() === '' ? null : text.trim())

/** The request with these values. */
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

/** The text of such a duration: `90 days`, `12 months`. */
export function sayKeeping(keeping: string, says: Says): string {
  const { count, unit } = readKeeping(keeping)
  return unit === 'days' ? says.days(count) : says.months(count)
}

const isPhone = (text: string) =>
  lengthOf(text) <= limits.space.contactPhone.most && /^\+?[0-9][0-9 ()./-]*$/.test(text.trim())

/** The name of a Space, of the contact, or of a user, which mails print. */
export function mailedNameField({ form, space: says }: Words) {
  return {
    limit: limits.space.name,
    missing: form.nameMissing,
    check: (name: string) => (hasLink(name) ? says.nameLink : undefined),
  } as const
}

/** The person whom guests may call: each of the two fields needs the other. */
function contactFields(words: Words): Pick<Fields<SpaceValues>, 'contactName' | 'contactPhone'> {
  const { contactMissing, phoneWrong, ...says } = words.space
  const { check: nameFault } = mailedNameField(words)
  const long = (name: string) =>
    lengthOf(name) > limits.space.contactName.most
      ? words.form.long(limits.space.contactName.most)
      : undefined
  return {
    contactName: {
      label: says.contactName,
      isCheckedLate: true,
      check(name, { contactPhone }) {
        if (name.trim() === '') return contactPhone.trim() === '' ? undefined : contactMissing
        return long(name) ?? nameFault(name)
      },
      input: { autoComplete: 'off' },
    },
    contactPhone: {
      label: says.contactPhone,
      isCheckedLate: true,
      check(phone, { contactName }) {
        if (phone.trim() === '') return contactName.trim() === '' ? undefined : contactMissing
        return contactName.trim() === '' || isPhone(phone) ? undefined : phoneWrong
      },
      input: { type: 'tel', autoComplete: 'off' },
    },
  }
}

/** `places`: the countries, whose names are in the language of the page. */
export function spaceFields(
  words: Words,
  places: readonly Choice[],
  { timezone }: Pick<SpaceValues, 'timezone'>,
): Fields<SpaceValues> {
  const { locale, space: says } = words
  const nameInput = { autoComplete: 'off' }
  return {
    name: { label: says.name, hint: says.nameHint, ...mailedNameField(words), input: nameInput },
    country: { label: says.country, hint: says.countryHint, choices: places },
    timezone: {
      label: says.timezone,
      hint: says.timezoneHint,
      choices: zones(timezone).map(value => ({ value, label: value })),
    },
    language: { label: says.language, hint: says.languageHint, choices: languageChoices(languages, locale) },
    ...contactFields(words),
    keepIdentities: {
      label: says.keepNames,
      hint: says.keepHint,
      choices: keepings.map(value => ({ value, label: sayKeeping(value, says) })),
    },
    allowed: {},
  }
}
