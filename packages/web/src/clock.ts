// The clock of the browser: the one file that reads it, sets timers and draws what is random.

import { useEffect, useState } from 'react'

/** Milliseconds since 1970, as the browser's clock has them. It may be wrong: use it for ages of what was just seen only. */
export function nowMs(): number {
  return Date.now()
}

/** 128 random bits as text, for an Idempotency-Key. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
}

/** From 0 up to, but not including, 1. For pauses, and for nothing that must not be guessed. */
export function random(): number {
  return Math.random()
}

/** Waits so many milliseconds. */
export function pause(ms: number): Promise<void> {
  return new Promise(resolve => after(ms, resolve))
}

/** Calls `then` after so many milliseconds, unless the answered function is called before. */
export function after(ms: number, then: () => void): () => void {
  const timer = setTimeout(then, ms)
  return () => clearTimeout(timer)
}

/** The time now, read again every so many milliseconds: it renders its component again. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(nowMs)
  useEffect(() => {
    const timer = setInterval(() => setNow(nowMs()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}

/** Whether so many milliseconds have gone by since this component was first shown. */
export function useIsLate(ms: number): boolean {
  const [isLate, setLate] = useState(false)
  useEffect(() => after(ms, () => setLate(true)), [ms])
  return isLate
}

/** A value once it has stayed the same for so many milliseconds; the first one at once. */
export function useSettled<Value>(value: Value, ms: number): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => after(ms, () => setSettled(value)), [value, ms])
  return settled
}
