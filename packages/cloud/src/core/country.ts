// Countries: the codes of ISO 3166.

/** Whether `code` is the code of a country in ISO 3166. */
export function isCountry(code: string): boolean {
  const isCode = /^[A-Z]{2}$/.test(code)
  return isCode && new Intl.DisplayNames('en', { type: 'region', fallback: 'none' }).of(code) !== undefined
}
