// Decides by its prefix whether a phone number is never called; the cloud and the gateway use the same rules.

import { type NumberPlan, numberPlans, type RefusedKind, worldwideRanges } from './refusedRanges.ts'

interface ReadPlan {
  readonly refused: readonly { readonly prefix: string; readonly kind: RefusedKind }[]
  readonly ordinary: readonly string[]
  readonly trunk: string | null
}

const listed = (patterns = '') => patterns.split(' ').filter(Boolean)

function readPlan([code, plan]: readonly [string, NumberPlan]): readonly [string, ReadPlan] {
  const { ordinary, trunk = '0', ...kinds } = plan
  const refused = (Object.keys(kinds) as (keyof typeof kinds)[]).flatMap(kind =>
    listed(kinds[kind]).map(prefix => ({ prefix, kind })),
  )
  return [code, { refused, ordinary: listed(ordinary), trunk }]
}

const plans = new Map(Object.entries(numberPlans).map(readPlan))

/** Whether `digits` begin with `pattern`, whose dots are any digit. */
function begins(digits: string, pattern: string): boolean {
  if (digits.length < pattern.length) return false
  for (let at = 0; at < pattern.length; at++)
    if (pattern[at] !== '.' && pattern[at] !== digits[at]) return false
  return true
}

export interface NumberRefusal {
  readonly kind: RefusedKind
  /** What the number begins with, as a person reads it: `+49 900`. */
  readonly prefix: string
}

/** The national number as it is written, and without its trunk prefix: `+49 0900…` is dialled by some networks too. */
function readings(national: string, trunk: string | null): readonly string[] {
  if (trunk === null) return [national]
  const bare = national.replace(/^0+/, '')
  return [national, bare, ...(national.startsWith(trunk) ? [national.slice(trunk.length)] : [])]
}

/**
 * Why a number is never called; undefined when it may be. Only the prefix decides, so that a digit too many or too few makes no
 * difference. `phoneNumber` is E.164.
 */
export function numberRefusal(phoneNumber: string): NumberRefusal | undefined {
  const digits = phoneNumber.slice(1)
  // No calling code is the beginning of another one (ITU-T E.164).
  for (const length of [1, 2, 3]) {
    const code = digits.slice(0, length)
    const everywhere = worldwideRanges[code]
    if (everywhere) return { kind: everywhere, prefix: `+${code}` }
    const plan = plans.get(code)
    if (!plan) continue
    for (const national of readings(digits.slice(length), plan.trunk)) {
      if (plan.ordinary.some(whole => whole.length === national.length && begins(national, whole))) continue
      const found = plan.refused.find(({ prefix }) => begins(national, prefix))
      if (found) return { kind: found.kind, prefix: `+${code} ${national.slice(0, found.prefix.length)}` }
    }
    return undefined
  }
  return undefined
}
