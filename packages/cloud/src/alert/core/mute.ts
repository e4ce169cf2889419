// A mute of alerts: how long it may last, whether it holds, and which one a new one continues.

export interface Mute {
  readonly startedAt: string
  readonly endsAt: string
  readonly why: string
}

const minuteMs = 60_000

export const muteLimits = {
  /** From the beginning to the end. Milliseconds. */
  mostMs: 60 * minuteMs,
  /**
   * From the end of one to the beginning of another, so that what is still wrong is told in between. One that begins sooner
   * continues the last one, and their time counts together. Milliseconds.
   */
  breakMs: 5 * minuteMs,
} as const

/** A mute that is further ahead was written before the clock was set back, and does not count. Milliseconds. */
const slackMs = minuteMs

const wasBegun = ({ startedAt }: Mute, nowMs: number) => nowMs >= Date.parse(startedAt) - slackMs

/** Whether it was written before the clock was set back. It would begin again by itself. */
export const isAhead = (mute: Mute, nowMs: number): boolean => !wasBegun(mute, nowMs)

/** Whether nobody is told of incidents now. */
export const isMuted = (mute: Mute, nowMs: number): boolean =>
  wasBegun(mute, nowMs) && nowMs < Date.parse(mute.endsAt)

export type AskedMute =
  | { readonly ok: true; readonly mute: Mute }
  /** How much longer it may last, and from when on another one may begin. */
  | { readonly ok: false; readonly leftMs: number; readonly againMs: number }

/** The mute that an operator asks for after the last one. */
export function muteAfter(
  last: Mute | undefined,
  asked: { readonly forMs: number; readonly nowMs: number; readonly why: string },
): AskedMute {
  const { breakMs, mostMs } = muteLimits
  const { forMs, nowMs, why } = asked
  const againMs = last ? Date.parse(last.endsAt) + breakMs : nowMs
  const continued = last && wasBegun(last, nowMs) && nowMs < againMs ? last : undefined
  const startedAt = continued?.startedAt ?? new Date(nowMs).toISOString()
  const leftMs = Date.parse(startedAt) + mostMs - nowMs
  if (forMs > leftMs) return { ok: false, leftMs: Math.max(0, leftMs), againMs }
  return { ok: true, mute: { startedAt, endsAt: new Date(nowMs + forMs).toISOString(), why } }
}
