// A draft: what a person has typed over what was read, and what happens to it when somebody else changes that.

/** What was read, and what is typed over it. */
export interface Draft<Values extends object> {
  readonly base: Values
  readonly typed: Partial<Values>
  /** Fields that the person has typed and somebody else has changed meanwhile: what the other one has set. */
  readonly theirs: Partial<Values>
}

export function draftOf<Values extends object>(base: Values): Draft<Values> {
  return { base, typed: {}, theirs: {} }
}

/** What the fields show. */
export function valuesOf<Values extends object>({ base, typed }: Draft<Values>): Values {
  return { ...base, ...typed }
}

/** A value may be a list. */
const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

const keysOf = <Values extends object>(values: Partial<Values>) => Object.keys(values) as (keyof Values)[]

/** The draft with another value in a field. A value that is as it was read is no change. */
export function withTyped<Values extends object>(
  draft: Draft<Values>,
  change: Partial<Values>,
): Draft<Values> {
  const typed = { ...draft.typed, ...change }
  for (const key of keysOf(typed)) if (isSame(typed[key], draft.base[key])) delete typed[key]
  return { ...draft, typed }
}

/**
 * The draft over what is there now. What was typed stays. Where somebody else has changed the same field, `theirs` holds
 * what they set, so that it can be shown; where they changed another field, it shows theirs.
 */
export function rebased<Values extends object>(draft: Draft<Values>, base: Values): Draft<Values> {
  const theirs: Partial<Values> = {}
  for (const key of keysOf(draft.typed))
    if (!isSame(base[key], draft.base[key]) && !isSame(base[key], draft.typed[key])) theirs[key] = base[key]
  return { ...withTyped({ ...draft, base }, {}), theirs }
}

/** The draft after `sent` of it was saved, over what is there now: what was typed while it was being saved stays. */
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
