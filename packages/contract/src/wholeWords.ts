// What a line may not break: words at a hyphen (`s-a`, `gateway-ul`, `e-mail`), where a letter or an ending would stand alone,
// a number before its unit (`10 s`), and a Ukrainian word of one letter before the next word.

/**
 * A hyphen between letters, with at most three of them on one side, and a small one behind it. What is typed, like
 * `callgate-gateway`, has more on both sides; `en-GB` names a language. `'one-shot':` is the name of a field and no text.
 */
const boundHyphen =
  /(?:(?<=(?<!\p{L})\p{L}{1,3})-(?=\p{Ll})|(?<=\p{L})-(?=\p{Ll}{1,3}(?!\p{L})))(?![\w-]*["']:)/gu

/** The space between a number, or a placeholder for one, and a unit. */
const boundSpace = /(?<=\d|\{(?:seconds|minutes|hours)\}) (?=\p{L}{1,3}(?!\p{L}))/gu

/** The space behind a Ukrainian word of one letter, which does not end a line. */
const boundLetter = /(?<=(?<![\p{L}’])[зувійао]) (?=\p{L})/giu

/** A plain hyphen and a sign that is never drawn: many fonts, also those of the dashboard, have no hyphen at which no line breaks. */
const joined = '-\u2060'

/** The same text with hyphens and spaces at which no line breaks. */
export const wholeWords = (text: string) =>
  text.replace(boundHyphen, joined).replace(boundSpace, '\u00a0').replace(boundLetter, '\u00a0')

/** The same texts with whole words, in the same form. */
export function wholeWordsIn<Texts>(texts: Texts): Texts {
  return JSON.parse(wholeWords(JSON.stringify(texts))) as Texts
}
