// A form: its declared fields over read values, sent once there is no error; a change by another person is never lost silently.

import { type ReactNode, useEffect, useId, useState } from 'react'
import type { Failure } from '../client/client.ts'
import { useSending } from '../confirm/useSending.ts'
import { valuesOf } from '../kit/draft.ts'
import { useLastChange } from '../kit/lastChange.ts'
import { useFirstWords } from '../words/words.tsx'
import { type Fields, isSendable, type Refusals, refusalOf } from './fields.ts'
import { type Base, begun, discarded, followed, isTyped, met, savedOver, typedInto } from './formState.ts'

/** The content that a form sends. */
export interface Sent<Values> {
  readonly values: Values
  /** Only the differences from the read values. */
  readonly typed: Partial<Values>
  /** The tag of the read values. */
  readonly ifMatch: string | undefined
}

export interface FormOptions<Values extends object, Done extends { readonly ok: true }> {
  /** The initial values of the fields. */
  readonly start: Base<Values>
  readonly fields: Fields<Values>
  readonly refusals?: Refusals<Values>
  readonly send: (sent: Sent<Values>) => Promise<Done | Failure>
  readonly done?: (result: Done, sent: Sent<Values>) => void
  /** Runs in place of sending, where nothing is typed. */
  readonly unchanged?: () => void
  /** The form stays after a save, over the base that this returns. Absent: it closes. */
  readonly goesOn?: (result: Done) => Base<Values>
  /** `start` is read again by itself, and the form follows the last reading. */
  readonly follows?: true
  /** The thing that another person may change meanwhile. It is read again when a change was refused because of that. */
  readonly edited?: {
    readonly id: string
    readonly readNow: () => Promise<(Base<Values> & { readonly ok: true }) | Failure>
  }
  /** The fields that hold the page while something is typed in them; absent: all. */
  readonly held?: readonly (keyof Values)[]
}

export interface Form<Values extends object> {
  readonly id: string
  readonly fields: Fields<Values>
  readonly values: Values
  readonly typed: Partial<Values>
  /** Where both have typed: the other person's values. */
  readonly theirs: Partial<Values>
  readonly isTyped: boolean
  /** Leaving would lose something. */
  readonly isHeld: boolean
  readonly isSent: boolean
  readonly isBusy: boolean
  readonly isSaved: boolean
  readonly failure: Failure | undefined
  /** The field of the failure. */
  readonly refused: { readonly field: keyof Values; readonly says: string } | undefined
  /** Who has changed the thing while something was typed. */
  readonly changedBy: string | undefined
  /** The confirmation of identity, shown in place of the form. */
  readonly asksWho: ReactNode
  readonly type: (change: Partial<Values>) => void
  readonly send: () => void
  readonly discard: () => void
}

/** Moves the focus to the first wrong field of the form, once for each time that errors were found. */
function useFocusOnFaults(id: string) {
  const [times, setTimes] = useState(0)
  useEffect(() => {
    if (times === 0) return
    const fields = document.querySelectorAll<HTMLElement>(`[data-form="${id}"]`)
    const isWrong = (field: HTMLElement) => field.matches('[aria-invalid="true"], [data-invalid]')
    Array.from(fields).find(isWrong)?.focus()
  }, [id, times])
  return () => setTimes(before => before + 1)
}

/** The state of a form, over the last reading. `meet` rebases it on the current thing. */
function useFormState<Values extends object>({
  edited,
  follows,
  start,
}: Pick<FormOptions<Values, { readonly ok: true }>, 'edited' | 'follows' | 'start'>) {
  const lastChange = useLastChange()
  const [state, setState] = useState(() => begun(start))
  if (follows && start.etag !== state.seen) setState(followed(state, start))
  const { etag, isMeanwhile, seen } = state
  /**
   * Another reading came while something was typed. It is repeated for each further change, because another person may have made
   * that.
   */
  const asked = follows && isMeanwhile && etag === seen ? edited?.id : undefined
  useEffect(() => {
    if (asked === undefined) return
    void lastChange(asked).then(({ who }) =>
      setState(before => (before.etag === etag ? { ...before, changedBy: who } : before)),
    )
  }, [asked, etag, lastChange])

  async function meet({ id, readNow }: NonNullable<typeof edited>) {
    const [now, { who }] = await Promise.all([readNow(), lastChange(id)])
    if (!now.ok) return now
    setState(before => met(before, now, who))
    return { ok: true, isMet: true } as const
  }
  return { state, setState, meet }
}

/** Sends the typed text, once there is no error. */
function useSend<Values extends object, Done extends { readonly ok: true }>(
  options: FormOptions<Values, Done>,
  { meet, setState, state }: ReturnType<typeof useFormState<Values>>,
  focus: () => void,
) {
  const { done, edited, fields, goesOn, unchanged } = options
  const words = useFirstWords()
  const sending = useSending()
  async function send(): Promise<void> {
    if (sending.isBusy) return
    const { draft, etag: ifMatch } = state
    const sent = { values: valuesOf(draft), typed: draft.typed, ifMatch }
    setState(before => ({
      ...before,
      isSent: true,
      isSaved: false,
      isMeanwhile: false,
      changedBy: undefined,
    }))
    sending.forget()
    if (!isSendable(fields, sent.values, words.form)) return focus()
    if (unchanged && !isTyped(state)) return unchanged()
    const result = await sending.send(async () => {
      const answer = await options.send(sent)
      return !answer.ok && answer.code === 'precondition_failed' && edited ? meet(edited) : answer
    })
    if (!result) return
    if (!result.ok) return refusalOf(result, options, words) && focus()
    if ('isMet' in result) return
    if (goesOn) setState(before => savedOver(before, sent.typed, goesOn(result)))
    done?.(result, sent)
  }
  return { ...sending, send }
}

export function useForm<Values extends object, Done extends { readonly ok: true }>(
  options: FormOptions<Values, Done>,
): Form<Values> {
  const { fields, held } = options
  const words = useFirstWords()
  const id = useId()
  const current = useFormState(options)
  const { setState, state } = current
  const { asksWho, failure, forget, isBusy, send } = useSend(options, current, useFocusOnFaults(id))
  const { theirs, typed } = state.draft
  return {
    id,
    fields,
    theirs,
    typed,
    isBusy,
    failure,
    asksWho,
    values: valuesOf(state.draft),
    isTyped: isTyped(state),
    isHeld: held ? held.some(name => Object.hasOwn(typed, name)) : isTyped(state),
    isSent: state.isSent,
    isSaved: state.isSaved,
    refused: refusalOf(failure, options, words),
    changedBy: state.changedBy,
    send: () => void send(),
    type(change) {
      forget()
      setState(before => typedInto(before, change))
    },
    discard() {
      forget()
      setState(discarded)
    },
  }
}
