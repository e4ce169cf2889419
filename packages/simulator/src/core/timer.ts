// Timers that a core requests by name, so that the core needs no clock and a name is never set twice.

export type TimerEffect =
  /** Replaces a timer of the same name. */
  | { readonly kind: 'startTimer'; readonly timer: string; readonly delayMs: number }
  | { readonly kind: 'stopTimer'; readonly timer: string }

export function startTimer(timer: string, delayMs: number): TimerEffect {
  return { kind: 'startTimer', timer, delayMs }
}

export function stopTimer(timer: string): TimerEffect {
  return { kind: 'stopTimer', timer }
}
