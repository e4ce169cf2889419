// A draft: typed text over read values, and the effect of another person's change on it.

/** The read values, and the typed text over them. */
export interface Draft<Values extends object> {
  readonly base: Values
  readonly typed: Partial<Values>
  /** Fields that the person has typed and another person has changed meanwhile, with the other person's values. */
  readonly theirs: Partial<Values>
}

export function draftOf<Values extends object>(base: Values): Draft<Values> {
  return { base, typed: {}, theirs: {} }
}

/** The values that the fields show. */
export function valuesOf<Values extends object>({ base, typed }: Draft<Values>): Values {
  return { ...base, ...typed }
}

/** A value may be a list. */
const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

const keysOf = <Values extends object>(values: Partial<Values>) => Object.keys(values) as (keyof Values)[]

/** The draft with another value in a field. A value equal to the read one is no change. */
export function withTyped<Values extends object>(
  draft: Draft<Values>,
  change: Partial<Values>,
): Draft<Values> {
  const typed = { ...draft.typed, ...change }
  for (const key of keysOf(typed)) if (isSame(typed[key], draft.base[key])) delete typed[key]
  return { ...draft, typed }
}

/**
 * The draft over the current values. Typed text stays. Where another person has changed the same field, `theirs` holds that value
 * for display; where they changed another field, their value is shown.
 */
export function rebased<Values extends object>(draft: Draft<Values>, base: Values): Draft<Values> {
  const theirs: Partial<Values> = {}
  for (const key of keysOf(draft.typed))
    if (!isSame(base[key], draft.base[key]) && !isSame(base[key], draft.typed[key])) theirs[key] = base[key]
  return { ...withTyped({ ...draft, base }, {}), theirs }
}

/** The draft after `sent` was saved, over the current values: text that was typed during the save stays. */
export function saved<Values extends object>(
  draft: Draft<Values>,
  sent: Partial<Values>,
  base: Values,
): Draft<Values> {
  const meant = { ...draft.base, ...sent }
  const since: Partial<Values> = valuesOf(draft)
  for (const key of keysOf(since)) if (isSame(since[key], meant[key])) delete since[key]
  return withTyped(draftOf(base), since)
}
