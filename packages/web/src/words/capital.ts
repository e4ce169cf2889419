// A text with a capital at its beginning.

/** A text as the beginning of a sentence. */
export const capital = (text: string, { locale }: { readonly locale: string }): string =>
  text.charAt(0).toLocaleUpperCase(locale) + text.slice(1)
