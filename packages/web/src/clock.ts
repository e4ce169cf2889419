// The clock of the browser: the one file that reads it and sets timers.

import { useEffect, useState } from 'react'

/** Milliseconds since 1970, as the browser's clock has them. It may be wrong: use it for ages of what was just seen only. */
export function nowMs(): number {
  return Date.now()
}

/** Calls `then` after so many milliseconds, unless the answered function is called before. */
export function after(ms: number, then: () => void): () => void {
  const timer = setTimeout(then, ms)
  return () => clearTimeout(timer)
}

/** Whether so many milliseconds have gone by since this component was first shown. */
export function useIsLate(ms: number): boolean {
  const [isLate, setLate] = useState(false)
  useEffect(() => after(ms, () => setLate(true)), [ms])
  return isLate
}
