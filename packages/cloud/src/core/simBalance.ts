// Reads an amount of money from a network's answer about a SIM card, and decides when to warn.

import type { Money, SimWarning } from '@callgate/contract/app/sim'
import { limits } from '@callgate/contract/limits'

const { most: mostHundredths } = limits.sim.warnBelow

const currencies: Readonly<Record<string, string>> = { '€': 'EUR', euro: 'EUR', $: 'USD', '£': 'GBP' }
const unit = '(eur|euro|€|ron|lei|mdl|usd|\\$|gbp|£|huf|ft|uah|pln|chf|cad|bgn)'
const number = '(-?\\d{1,3}(?:[ .,]\\d{3})+(?:[.,]\\d{1,2})?|-?\\d{1,7}(?:[.,]\\d{1,2})?)'
const after = new RegExp(`(?<![\\d.,:])${number} ?${unit}(?![\\p{L}\\d])`, 'iu')
// A unit behind a number belongs to that number.
const before = new RegExp(`(?<![\\p{L}\\d]|\\d )${unit} ?${number}(?![\\d:]|[.,]\\d)`, 'iu')

/** `1.234,50` and `1,234.5` are 123450: a group of three digits is thousands, one of one or two digits is hundredths. */
function hundredthsOf(text: string): number {
  const [, whole = '', part = ''] = /^(.*?)(?:[.,](\d{1,2}))?$/.exec(text) ?? []
  const sign = whole.startsWith('-') ? -1 : 1
  return sign * (Number(whole.replace(/\D/g, '')) * 100 + Number(part.padEnd(2, '0')))
}

/** The first amount with a currency in a text; undefined where there is none, or where it is too large for a SIM card. */
export function amountIn(text: string): Money | undefined {
  const found = [after.exec(text), before.exec(text)].filter(match => match !== null)
  const [first] = found.sort((one, other) => one.index - other.index)
  if (!first) return undefined
  const [, one = '', other = ''] = first
  const [figure, name] = /\d/.test(one) ? [one, other] : [other, one]
  const word = name.toLowerCase()
  const currency = currencies[word] ?? (word === 'lei' ? 'lei' : name.toUpperCase())
  const hundredths = hundredthsOf(figure)
  return Math.abs(hundredths) > mostHundredths ? undefined : { hundredths, currency }
}

/**
 * The sum of the decreases from answer to answer, oldest first; undefined where two amounts cannot be compared, or the sum is
 * more than a SIM card holds.
 */
export function spentOf(amounts: readonly Money[]): Money | undefined {
  const [first] = amounts
  if (!first || amounts.length < 2) return undefined
  const { currency } = first
  if (amounts.some(amount => amount.currency !== currency)) return undefined
  const falls = amounts.slice(1).map((amount, place) => (amounts[place]?.hundredths ?? 0) - amount.hundredths)
  const hundredths = falls.reduce((sum, fall) => sum + Math.max(0, fall), 0)
  return hundredths > mostHundredths ? undefined : { hundredths, currency }
}

/** A warning begins this many days before the end of a SIM card. */
const daysBefore = 14
const dayMs = 24 * 3_600_000

/** The warnings about a SIM card. The card is still valid on its last day. */
export function simWarningsOf(
  sim: {
    readonly balance: Money | null
    readonly warnBelow: number | null
    readonly expiresOn: string | null
  },
  nowMs: number,
): SimWarning[] {
  const { balance, expiresOn, warnBelow } = sim
  const isLow = balance !== null && warnBelow !== null && balance.hundredths < warnBelow
  const leftMs = expiresOn === null ? Number.POSITIVE_INFINITY : Date.parse(expiresOn) + dayMs - nowMs
  return [
    ...(isLow ? ['credit_low' as const] : []),
    ...(leftMs <= 0
      ? ['expired' as const]
      : leftMs <= (daysBefore + 1) * dayMs
        ? ['expires_soon' as const]
        : []),
  ]
}
