// The state of a form: the typed text over the read values, whether it was sent, and who has changed the same thing meanwhile.

import type { Failure } from '../client/client.ts'
import { type Draft, draftOf, rebased, saved, withTyped } from '../kit/draft.ts'

export interface FormState<Values extends object> {
  readonly draft: Draft<Values>
  /** The tag of the values below the draft. */
  readonly etag: string | undefined
  /** The tag of the reading that was taken in last, where the form follows one. */
  readonly seen: string | undefined
  /** It was sent in this state, so every error shows. */
  readonly isSent: boolean
  /** Nothing was typed since the last save. */
  readonly isSaved: boolean
  /** Another person has changed the thing while something was typed. */
  readonly isMeanwhile: boolean
  /** That person; undefined until known. */
  readonly changedBy: string | undefined
}

/** The read values of the fields, and the tag for their change. */
export interface Base<Values> {
  readonly values: Values
  readonly etag: string | undefined
}

/** The base in an answer. */
export async function baseOf<Body, Values>(
  reading: Promise<{ readonly ok: true; readonly body: Body; readonly etag: string | null } | Failure>,
  valuesOf: (body: Body) => Values,
): Promise<(Base<Values> & { readonly ok: true }) | Failure> {
  const read = await reading
  return read.ok ? { ok: true, values: valuesOf(read.body), etag: read.etag ?? undefined } : read
}

/** A form in which nothing is typed. */
export function begun<Values extends object>({ etag, values }: Base<Values>, seen = etag): FormState<Values> {
  return {
    draft: draftOf(values),
    etag,
    seen,
    isSent: false,
    isSaved: false,
    isMeanwhile: false,
    changedBy: undefined,
  }
}

export const isTyped = <Values extends object>({ draft }: FormState<Values>): boolean =>
  Object.keys(draft.typed).length > 0

export function typedInto<Values extends object>(
  state: FormState<Values>,
  change: Partial<Values>,
): FormState<Values> {
  return { ...state, draft: withTyped(state.draft, change), isSaved: false }
}

/** The typed text over the current values, which `changedBy` has set. Known values report nothing new. */
export function met<Values extends object>(
  state: FormState<Values>,
  { etag, values }: Base<Values>,
  changedBy?: string,
): FormState<Values> {
  if (etag !== undefined && etag === state.etag)
    return changedBy === undefined ? state : { ...state, changedBy }
  return { ...state, draft: rebased(state.draft, values), etag, isMeanwhile: isTyped(state), changedBy }
}

/** Another reading of the thing that the form follows. */
export function followed<Values extends object>(
  state: FormState<Values>,
  base: Base<Values>,
): FormState<Values> {
  return { ...met(state, base), seen: base.etag }
}

/** Discards the typed text. */
export const discarded = <Values extends object>({
  draft,
  etag,
  seen,
}: FormState<Values>): FormState<Values> => begun({ values: draft.base, etag }, seen)

/** After `sent` was saved, over the current values: what was typed meanwhile stays. */
export function savedOver<Values extends object>(
  { draft, seen }: FormState<Values>,
  sent: Partial<Values>,
  base: Base<Values>,
): FormState<Values> {
  return { ...begun(base, seen), draft: saved(draft, sent, base.values), isSaved: true }
}
