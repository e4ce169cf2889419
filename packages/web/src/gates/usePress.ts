// Pressing: sends one press, follows its opening, and never repeats the press by itself.

import { useCallback, useEffect, useRef, useState } from 'react'
import { isUnknown } from '../client/client.ts'
import { useCall } from '../client/connection.tsx'
import { useRead, useReadAgain } from '../client/reading.tsx'
import { after, newKey, nowMs, pause } from '../clock.ts'
import { endOf, noticeMs, type Press, refusalOf, stepOf } from './press.ts'

/** The interval while no events come. */
const readEveryMs = 1_000
/** The interval while events report the steps: the tab that reads them for all may be frozen. */
const liveEveryMs = 5_000
/** The interval of checking whether a press without an answer has arrived. */
const reads = 10
/** The cool-down where a gate's profile could not be read. */
const usualCoolDownMs = 5_000

interface Followed {
  readonly openingId: string
  readonly sinceMs: number
}

/** What the person sees: a state of this page, or the progress of an opening. */
type Doing =
  /** For a moment the last reading may still show `endedId` as running. */
  | { readonly is: 'nothing'; readonly endedId?: string | undefined }
  | { readonly is: 'showing'; readonly press: Press; readonly endedId?: string | undefined }
  | ({ readonly is: 'following' } & Followed)

/** The progress of an opening, read at each of its events; undefined where none is followed. */
function useFollowed(followed: Followed | undefined, gateId: string): Press | undefined {
  const isWanted = followed !== undefined
  const often = { everyMs: readEveryMs, liveEveryMs }
  const own = useRead(
    'getOpening',
    { params: { openingId: followed?.openingId ?? '' } },
    { ...often, isWanted },
  )
  const isRunning = own.value?.opening.completedAt === null
  // A joined opening has the progress of the one that it joined.
  const ledId = isWanted && isRunning ? own.value?.evidence.joinedOpeningId : undefined
  const leader = useRead(
    'getOpening',
    { params: { openingId: ledId ?? '' } },
    { ...often, isWanted: typeof ledId === 'string' },
  )
  const profile = useRead('getGateProfile', { params: { gateId } }, { isWanted })
  if (!followed) return undefined
  const { sinceMs } = followed
  if (!own.value) return { is: 'running', sinceMs, step: 'asked' }
  const coolDownMs = profile.value?.profile.coolDownMs ?? usualCoolDownMs
  const known = leader.value?.opening.completedAt === null ? leader.value : own.value
  const { queue } = known.evidence
  return (
    endOf(own.value, { nowMs: own.readAtMs, coolDownMs }) ?? {
      is: 'running',
      sinceMs,
      step: stepOf(known),
      queue,
    }
  )
}

/** The opening of a press without an answer, found by reading only; undefined when none has arrived. */
async function find(
  call: ReturnType<typeof useCall>,
  gateId: string,
  lastId: string | undefined,
  isOver: () => boolean,
) {
  for (let place = 0; place < reads && !isOver(); place++) {
    await pause(readEveryMs)
    const read = await call('listOpenings', { query: { gateId, limit: 1 } })
    const newest = read.ok ? read.body.openings[0] : undefined
    if (newest && newest.id !== lastId) return newest.id
    if (read.ok && place > 1) return undefined
  }
  return undefined
}

/** Sends a press, and shows its result. */
function useSend(gateId: string, lastId: string | undefined, show: (doing: Doing) => void) {
  const call = useCall()
  const readAgain = useReadAgain()
  const isSending = useRef(false)
  const isOver = useRef(false)
  useEffect(() => {
    isOver.current = false
    return () => {
      isOver.current = true
    }
  }, [])

  const sendOnce = useCallback(async () => {
    const showPress = (press: Press) => show({ is: 'showing', press })
    if (!navigator.onLine) return showPress({ is: 'not_sent', why: 'offline', waitS: 0 })
    const sinceMs = nowMs()
    showPress({ is: 'running', sinceMs, step: 'asked' })
    const params = { gateId }
    const sent = await call('openGate', { params, body: {}, isAsync: true, idempotencyKey: newKey() })
    readAgain()
    if (sent.ok) return show({ is: 'following', openingId: sent.body.openingId, sinceMs })
    if (!isUnknown(sent)) return showPress(refusalOf(sent, nowMs()))
    showPress({ is: 'checking', sinceMs })
    const openingId = await find(call, gateId, lastId, () => isOver.current)
    if (openingId !== undefined) return show({ is: 'following', openingId, sinceMs })
    showPress({ is: 'not_sent', why: 'lost', waitS: 0 })
  }, [call, gateId, lastId, readAgain, show])

  return useCallback(() => {
    if (isSending.current) return
    isSending.current = true
    void sendOnce().finally(() => {
      isSending.current = false
    })
  }, [sendOnce])
}

/**
 * Presses one gate. `last` is its newest opening before the press. `isMine`: the person pressed it and it still runs, as after
 * the page was loaded again; then it is followed.
 */
export function usePress(
  gateId: string,
  last?: { readonly id: string; readonly isMine: boolean; readonly sinceMs: number },
): { readonly press: Press; readonly send: () => void } {
  const readAgain = useReadAgain()
  const [doing, setDoing] = useState<Doing>({ is: 'nothing' })
  const send = useSend(gateId, last?.id, setDoing)
  // It is followed to its end, although the next reading may already show that end.
  if (doing.is === 'nothing' && last?.isMine && last.id !== doing.endedId)
    setDoing({ is: 'following', openingId: last.id, sinceMs: last.sinceMs })
  const followed = doing.is === 'following' ? doing : undefined
  const now = useFollowed(followed, gateId)
  if (followed && now?.is === 'ended') setDoing({ is: 'showing', press: now, endedId: followed.openingId })

  const press = doing.is === 'showing' ? doing.press : (now ?? ready)
  const endedId = doing.is === 'showing' ? doing.endedId : undefined
  const untilMs = press.is === 'ended' ? press.readyAtMs : undefined
  const waitS = press.is === 'not_sent' ? press.waitS : undefined
  useEffect(() => {
    const beReady = () => setDoing({ is: 'nothing', endedId })
    if (untilMs !== undefined) {
      readAgain()
      return after(untilMs - nowMs(), beReady)
    }
    return waitS === undefined ? undefined : after(Math.max(noticeMs, waitS * 1_000), beReady)
  }, [endedId, readAgain, untilMs, waitS])
  return { press, send }
}

const ready: Press = { is: 'ready' }
