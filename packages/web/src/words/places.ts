// Countries, languages and time zones, with the browser's names in the language of the person.

export interface Choice {
  readonly value: string
  readonly label: string
}

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
/** Browsers have names for these, but they are no countries: unions, and codes for tests or the unknown. */
const noCountries = new Set(['EU', 'EZ', 'QO', 'UN', 'XA', 'XB', 'ZZ'])

/** The name of a country of ISO 3166, or its code where the browser has no name. */
export function countryName(code: string, locale: string): string {
  return new Intl.DisplayNames(locale, { type: 'region' }).of(code) ?? code
}

/** Every country, by name. A withdrawn code is left out. */
export function countries(locale: string): readonly Choice[] {
  const names = new Intl.DisplayNames(locale, { type: 'region', fallback: 'none' })
  const codes = letters.flatMap(first => letters.map(second => first + second))
  return codes
    .filter(code => !noCountries.has(code) && new Intl.Locale(`und-${code}`).region === code)
    .flatMap(value => {
      const label = names.of(value)
      return label === undefined ? [] : [{ value, label }]
    })
    .sort((a, b) => a.label.localeCompare(b.label, locale))
}

/** The name of a language of ISO 639, or its code where the browser has no name. */
export function languageName(code: string, locale: string): string {
  return new Intl.DisplayNames(locale, { type: 'language' }).of(code) ?? code
}

/** Languages, each with its name. */
export const languageChoices = (codes: readonly string[], locale: string): readonly Choice[] =>
  codes.map(value => ({ value, label: languageName(value, locale) }))

/** Every zone that the browser knows, and `current`, which it may not know. */
export function zones(current: string): readonly string[] {
  const known = Intl.supportedValuesOf('timeZone')
  return known.includes(current) ? known : [current, ...known]
}
