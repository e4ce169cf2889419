// Pressing: sends one press, follows its opening, and never repeats the press by itself.

import type { GateFigures } from '@callgate/contract/app/appGateFigures'
import type { Queue } from '@callgate/contract/rest/opening'
import { useCallback, useEffect, useRef, useState } from 'react'
import { isUnknown } from '../client/client.ts'
import { useCall } from '../client/connection.tsx'
import { useRead, useReadAgain } from '../client/reading.tsx'
import { useSpace } from '../client/session.tsx'
import { after, newKey, nowMs, pause } from '../clock.ts'
import {
  accepted,
  type CallNews,
  figuresShown,
  type GateCall,
  listed,
  noCall,
  pressed,
  refused,
  rested,
  type ShownFigures,
  told,
  unanswered,
} from './gateCall.ts'
import { endOf, noticeMs, type Press, refusalOf, stepOf } from './press.ts'

/** The interval while no events come. */
const readEveryMs = 1_000
/** The interval while events report the steps: the tab that reads them for all may be frozen. */
const liveEveryMs = 5_000
/** The interval of checking whether a press without an answer has arrived. */
const reads = 10
/** The cool-down where a gate's profile could not be read. */
const usualCoolDownMs = 5_000

/** What is read of the opening of a press, at each of its events; undefined where there is none, or nothing is read yet. */
function useTold(
  openingId: string | undefined,
  gateId: string,
): { readonly news: CallNews; readonly queue: Queue | undefined } | undefined {
  const isWanted = openingId !== undefined
  const often = { everyMs: readEveryMs, liveEveryMs }
  const own = useRead('getOpening', { params: { openingId: openingId ?? '' } }, { ...often, isWanted })
  const isRunning = own.value?.opening.completedAt === null
  // A joined opening has the progress of the one that it joined.
  const ledId = isWanted && isRunning ? own.value?.evidence.joinedOpeningId : undefined
  const leader = useRead(
    'getOpening',
    { params: { openingId: ledId ?? '' } },
    { ...often, isWanted: typeof ledId === 'string' },
  )
  const profile = useRead('getGateProfile', { params: { gateId } }, { isWanted })
  if (openingId === undefined || !own.value) return undefined
  const coolDownMs = profile.value?.profile.coolDownMs ?? usualCoolDownMs
  const known = leader.value?.opening.completedAt === null ? leader.value : own.value
  const { queue } = known.evidence
  const end = endOf(own.value, { nowMs: own.readAtMs, coolDownMs })
  if (end) return { news: { openingId, end }, queue: undefined }
  return { news: { openingId, callId: ledId ?? openingId, step: stepOf(known) }, queue }
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

/** Sends a press, and notes its result. */
function useSend(
  gateId: string,
  lastId: string | undefined,
  note: (after: (call: GateCall) => GateCall) => void,
) {
  const call = useCall()
  const readAgain = useReadAgain()
  const userId = useSpace().session.user.id
  const isSending = useRef(false)
  const isOver = useRef(false)
  useEffect(() => {
    isOver.current = false
    return () => {
      isOver.current = true
    }
  }, [])

  const sendOnce = useCallback(async () => {
    const refuse = (press: Press) => note(before => refused(before, press))
    const sinceMs = nowMs()
    note(before => pressed(before, { sinceMs, gateId, userId }))
    if (!navigator.onLine) return refuse({ is: 'not_sent', why: 'offline', waitS: 0 })
    const params = { gateId }
    const sent = await call('openGate', { params, body: {}, isAsync: true, idempotencyKey: newKey() })
    readAgain()
    const follow = (openingId: string) => note(before => accepted(before, openingId))
    if (sent.ok) return follow(sent.body.openingId)
    if (!isUnknown(sent)) return refuse(refusalOf(sent, nowMs()))
    note(unanswered)
    const openingId = await find(call, gateId, lastId, () => isOver.current)
    if (openingId !== undefined) return follow(openingId)
    refuse({ is: 'not_sent', why: 'lost', waitS: 0 })
  }, [call, gateId, lastId, note, readAgain, userId])

  return useCallback(() => {
    if (isSending.current) return
    isSending.current = true
    void sendOnce().finally(() => {
      isSending.current = false
    })
  }, [sendOnce])
}

interface PressedGate {
  /** The figures, with the newest opening as far as it is known. */
  readonly shown: ShownFigures | undefined
  readonly call: GateCall
  readonly press: Press
  readonly send: () => void
}

/**
 * One gate that can be pressed. `figures` are its last read figures. A call that the person has pressed and that still runs is
 * followed, as after the page was loaded again.
 */
export function usePress(gateId: string, figures: GateFigures | undefined): PressedGate {
  const readAgain = useReadAgain()
  const userId = useSpace().session.user.id
  const [state, setState] = useState<GateCall>(noCall)
  const send = useSend(gateId, figures?.last?.id, setState)
  const read = listed(state, figures?.last, userId)
  const news = useTold(read.press.is === 'running' ? read.openingId : undefined, gateId)
  const call = news ? told(read, news.news) : read
  if (call !== state) setState(call)

  const { press } = call
  const untilMs = press.is === 'ended' ? press.readyAtMs : undefined
  const waitS = press.is === 'not_sent' ? press.waitS : undefined
  useEffect(() => {
    const beReady = () => setState(rested)
    if (untilMs !== undefined) {
      readAgain()
      return after(untilMs - nowMs(), beReady)
    }
    return waitS === undefined ? undefined : after(Math.max(noticeMs, waitS * 1_000), beReady)
  }, [readAgain, untilMs, waitS])
  const shown = figuresShown(figures, call)
  return { shown, call, press: press.is === 'running' ? { ...press, queue: news?.queue } : press, send }
}
