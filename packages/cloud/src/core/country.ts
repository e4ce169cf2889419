// Countries: which codes of ISO 3166 there are.

/** Whether `code` is one of ISO 3166 for a country. */
export function isCountry(code: string): boolean {
  const isCode = /^[A-Z]{2}$/.test(code)
  return isCode && new Intl.DisplayNames('en', { type: 'region', fallback: 'none' }).of(code) !== undefined
}
