// How long a Space keeps who opened and who changed what, as durations of ISO 8601.

const months = Array.from({ length: 36 }, (_, index) => `P${index + 1}M`)

/** 90 days, and 1 to 36 months. */
export const keepings: readonly string[] = ['P90D', ...months]
/** Where nobody has said otherwise. */
export const usualKeeping = 'P12M'

/** The days or months of such a duration. */
export function readKeeping(text: string): { readonly count: number; readonly unit: 'days' | 'months' } {
  return { count: Number(text.slice(1, -1)), unit: text.endsWith('D') ? 'days' : 'months' }
}
