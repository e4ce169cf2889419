// Pressing: sends one press, follows its opening by reading it, and never sends it again by itself.

import { useCallback, useEffect, useRef, useState } from 'react'
import type { Result } from '../client/client.ts'
import { useCall, useReadAgain } from '../client/reading.tsx'
import { after, newKey, nowMs, pause } from '../clock.ts'
import { endOf, noticeMs, type Press, refusalOf, stepOf } from './press.ts'

const readEveryMs = 1_000
/** An opening ends within 90 s, or 5 s after the cloud is back. */
const followForMs = 120_000
/** How often it is looked whether a press without an answer has arrived. */
const looks = 10
/** Where a gate's profile could not be read. */
const usualCoolDownMs = 5_000

type Call = ReturnType<typeof useCall>
type Show = (press: Press) => void

/** Reads an opening; a joined one is as far as the one that it joined. */
async function readOpening(call: Call, openingId: string): Promise<Result<'getOpening'>> {
  const read = await call('getOpening', { params: { openingId } })
  const led = read.ok ? read.body.evidence.joinedOpeningId : null
  if (!read.ok || led === null || read.body.opening.completedAt !== null) return read
  const leader = await call('getOpening', { params: { openingId: led } })
  return leader.ok && leader.body.opening.completedAt === null ? leader : read
}

/** Shows each step of an opening until it has ended. `isOver` says when nobody looks any more. */
async function follow(
  given: {
    readonly call: Call
    readonly openingId: string
    readonly sinceMs: number
    readonly gateId: string
  },
  show: Show,
  isOver: () => boolean,
): Promise<void> {
  const { call, gateId, openingId, sinceMs } = given
  const profile = call('getGateProfile', { params: { gateId } })
  while (!isOver() && nowMs() - sinceMs < followForMs) {
    const read = await readOpening(call, openingId)
    if (read.ok) {
      const known = await profile
      const coolDownMs = known.ok ? known.body.profile.coolDownMs : usualCoolDownMs
      const end = endOf(read.body, { nowMs: nowMs(), coolDownMs })
      show(end ?? { is: 'running', sinceMs, step: stepOf(read.body) })
      if (end) return
    }
    await pause(readEveryMs)
  }
}

/** The opening of a press that got no answer, by looking only; undefined when none has arrived. */
async function find(call: Call, gateId: string, lastId: string | undefined, isOver: () => boolean) {
  for (let look = 0; look < looks && !isOver(); look++) {
    await pause(readEveryMs)
    const read = await call('listOpenings', { query: { gateId, limit: 1 } })
    const newest = read.ok ? read.body.openings[0] : undefined
    if (newest && newest.id !== lastId) return newest.id
    if (read.ok && look > 1) return undefined
  }
  return undefined
}

/**
 * Presses one gate. `last` is its newest opening before the press. `isMine`: the person pressed it and it still runs, as
 * after the page was loaded again; then it is followed.
 */
export function usePress(
  gateId: string,
  last?: { readonly id: string; readonly isMine: boolean; readonly sinceMs: number },
): { readonly press: Press; readonly send: () => void } {
  const call = useCall()
  const readAgain = useReadAgain()
  const [press, setPress] = useState<Press>({ is: 'ready' })
  const isBusy = useRef(false)
  const isOver = useRef(false)
  /** What was read last may say for a moment that an ended one still runs. */
  const followed = useRef(new Set<string>())
  useEffect(() => {
    isOver.current = false
    return () => {
      isOver.current = true
    }
  }, [])

  const followOne = useCallback(
    async (openingId: string, sinceMs: number) => {
      followed.current.add(openingId)
      await follow({ call, gateId, openingId, sinceMs }, setPress, () => isOver.current)
      readAgain()
    },
    [call, gateId, readAgain],
  )

  const sendOnce = useCallback(async () => {
    if (!navigator.onLine) return setPress({ is: 'not_sent', why: 'offline', waitS: 0 })
    const sinceMs = nowMs()
    setPress({ is: 'running', sinceMs, step: 'asked' })
    const params = { gateId }
    const sent = await call('openGate', { params, body: {}, isAsync: true, idempotencyKey: newKey() })
    readAgain()
    if (sent.ok) return followOne(sent.body.openingId, sinceMs)
    if (sent.code !== 'network_error') return setPress(refusalOf(sent, nowMs()))
    setPress({ is: 'checking', sinceMs })
    const found = await find(call, gateId, last?.id, () => isOver.current)
    if (found !== undefined) return followOne(found, sinceMs)
    setPress({ is: 'not_sent', why: 'lost', waitS: 0 })
  }, [call, followOne, gateId, last?.id, readAgain])

  const send = useCallback(() => {
    if (isBusy.current) return
    isBusy.current = true
    void sendOnce().finally(() => {
      isBusy.current = false
    })
  }, [sendOnce])

  const runningId = last?.isMine ? last.id : undefined
  const runningSinceMs = last?.sinceMs ?? 0
  useEffect(() => {
    if (runningId === undefined || isBusy.current || followed.current.has(runningId)) return
    isBusy.current = true
    void followOne(runningId, runningSinceMs).finally(() => {
      isBusy.current = false
    })
  }, [runningId, runningSinceMs, followOne])

  useEffect(() => {
    if (press.is === 'ended') return after(press.readyAtMs - nowMs(), () => setPress({ is: 'ready' }))
    if (press.is === 'not_sent')
      return after(Math.max(noticeMs, press.waitS * 1_000), () => setPress({ is: 'ready' }))
    return undefined
  }, [press])
  return { press, send }
}
