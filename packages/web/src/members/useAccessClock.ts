// The clock by which accesses are decided: that of the browser, or the one of a sandbox, which may be set to another time.

import { useState } from 'react'
import { useRead } from '../client/reading.tsx'
import { useSpace } from '../client/session.tsx'
import { nowMs } from '../clock.ts'
import type { Reader } from './memberWords.ts'
import { useReader } from './useMemberReader.ts'

/** Tells the time by which accesses begin and end now, in milliseconds since 1970; undefined until it is read. */
export function useAccessClock(): (() => number) | undefined {
  const isSandbox = useSpace().space.mode === 'sandbox'
  const { isReading, readAtMs, value } = useRead('getSandboxClock', {}, { isWanted: isSandbox })
  const [wasRead, setRead] = useState(!isSandbox)
  if (!wasRead && !isReading) setRead(true)
  if (!wasRead) return undefined
  // Where it could not be read, the real time is the best that is known.
  if (!value || value.isReal) return nowMs
  const atMs = Date.parse(value.now)
  return () => (value.isFrozen ? atMs : atMs + nowMs() - readAtMs)
}

/** The reader by that time, for what is shown: it runs on, and the time of the browser stands in until it is read. */
export function useAccessReader(): Reader {
  const reader = useReader()
  const clock = useAccessClock()
  return clock ? { ...reader, nowMs: clock() } : reader
}
