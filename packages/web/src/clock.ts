// The clock of the browser: the only file that reads it, sets timers and draws random values.

import { useEffect, useState } from 'react'

/** Milliseconds since 1970 by the browser's clock. It may be wrong: use it only for the ages of recent observations. */
export function nowMs(): number {
  return Date.now()
}

/** 128 random bits as text, for an Idempotency-Key. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
}

/** From 0 up to, but not including, 1. For pauses, and for nothing that must be hard to guess. */
export function random(): number {
  return Math.random()
}

/** Waits for the given milliseconds. */
export function pause(ms: number): Promise<void> {
  return new Promise(resolve => after(ms, resolve))
}

/** Calls `then` after the given milliseconds, unless the returned function is called before. */
export function after(ms: number, then: () => void): () => void {
  const timer = setTimeout(then, ms)
  return () => clearTimeout(timer)
}

/** The current time, updated at the given interval; each update renders the component again. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(nowMs)
  useEffect(() => {
    const timer = setInterval(() => setNow(nowMs()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}

/** Whether the given milliseconds have passed since this component was first shown. */
export function useIsLate(ms: number): boolean {
  const [isLate, setLate] = useState(false)
  useEffect(() => after(ms, () => setLate(true)), [ms])
  return isLate
}

/** A value once it has been stable for the given milliseconds; the first value at once. */
export function useSettled<Value>(value: Value, ms: number): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => after(ms, () => setSettled(value)), [value, ms])
  return settled
}
