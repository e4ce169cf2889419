// What words on a line need: a capital letter at its beginning, and no break within a time or a day.

/** The same words with a capital letter. */
export const capitalized = (words: string, locale: string) =>
  `${words.charAt(0).toLocaleUpperCase(locale)}${words.slice(1)}`

/** Between the two ends of a time: no line breaks behind it. */
export const rangeDash = '–\u2060'

/** The same words, whose end stays on one line: `at 17:51`, `a las 17:51`. */
export const endTogether = (words: string) =>
  words.replace(/ (?=\S+$)/, '\u00a0').replace(/(?<=\p{L}) (?=\p{L}{1,4}\u00a0\S+$)/u, '\u00a0')

/** The same words, in which a day stays with its month and its year: `31 December 2026`, `2026. november 22.`. */
export const dateTogether = (words: string) =>
  words.replace(
    /(?<=(?<!\d)\d{1,2}\.?|\d{4}\.) (?=\p{L})|(?<=\p{L}) (?=\d{1,2}\.|\d{4})|(?<=\d{4}) (?=р\.)/gu,
    '\u00a0',
  )
