// Amounts of money as people type them.

/** `5`, `5.5` or `5,50` in hundredths; undefined for anything else. */
export function hundredthsOf(typed: string): number | undefined {
  const [, whole, part = ''] = /^(\d{1,6})(?:[.,](\d{1,2}))?$/.exec(typed.trim()) ?? []
  return whole === undefined ? undefined : Number(whole) * 100 + Number(part.padEnd(2, '0'))
}
