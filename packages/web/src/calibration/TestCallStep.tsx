// One test call: its button, and its progress until it is over.

import type { Calibration } from '@callgate/contract/app/calibration'
import { useState } from 'react'
import type { Failure } from '../client/client.ts'
import { useCall } from '../client/connection.tsx'
import { useRead, useReadAgain } from '../client/reading.tsx'
import { useSpace } from '../client/session.tsx'
import { newKey, nowMs, useNow } from '../clock.ts'
import { sayWhat } from '../gates/gateWords.ts'
import { endOf, refusalOf, stepOf } from '../gates/press.ts'
import { Banner } from '../kit/Banner.tsx'
import { Button } from '../kit/Button.tsx'
import { icons } from '../kit/icons.tsx'
import { openingLook } from '../kit/openingLook.ts'
import { Ring } from '../kit/Ring.tsx'
import { sayProblem } from '../words/problems.ts'
import { useWords } from '../words/words.tsx'

/** The interval of reading during a call. Where events come, it is only for a lost one. */
const often = { everyMs: 1_000, liveEveryMs: 5_000 }

/** A press of this page. Milliseconds, by the browser's clock. */
export interface Pressed {
  readonly openingId: string
  readonly atMs: number
  /** When the person reported that the gate moves, in seconds after the press. */
  readonly movedS?: number
}

/** Prepares a test call and presses. Undefined after a success. */
function useTestCall(gateId: string, pressed: (pressed: Pressed) => void) {
  const call = useCall()
  const readAgain = useReadAgain()
  const words = useWords()
  const [isSending, setSending] = useState(false)
  const [trouble, setTrouble] = useState<string>()

  async function send(isHidden: boolean) {
    setSending(true)
    setTrouble(undefined)
    const fail = (failure: Failure) => {
      const refusal = refusalOf(failure, nowMs())
      const ended = refusal.is === 'ended' ? sayWhat({ ...refusal, step: null }, { words }) : undefined
      setTrouble(ended ?? sayProblem(failure, words))
    }
    const params = { gateId }
    const prepared = await call('prepareTestCall', { params, body: { isHidden } })
    if (!prepared.ok) fail(prepared)
    else {
      const atMs = nowMs()
      const sent = await call('openGate', { params, body: {}, isAsync: true, idempotencyKey: newKey() })
      if (sent.ok) pressed({ openingId: sent.body.openingId, atMs })
      else fail(sent)
    }
    setSending(false)
    readAgain()
  }
  return { send: (isHidden: boolean) => void send(isHidden), isSending, trouble }
}

/** The button of the next test call. It counts down during the pause of the gate. */
export function MakeCall(props: {
  readonly gateId: string
  readonly isHidden: boolean
  readonly pauseMs: number
  readonly readAtMs: number
  readonly pressed: (pressed: Pressed) => void
}) {
  const { gateId, isHidden, pressed, readAtMs, pauseMs } = props
  const says = useWords().calibration
  const leftS = Math.ceil((pauseMs - (useNow(500) - readAtMs)) / 1_000)
  const { isSending, send, trouble } = useTestCall(gateId, pressed)
  const { locked } = useWords().openings
  if (useSpace().space.lockDown)
    return (
      <Button isBig isWide icon={<icons.lock size={20} />} disabled>
        {locked}
      </Button>
    )
  return (
    <>
      <Button
        look={isHidden ? 'outlined' : 'filled'}
        isBig
        isWide
        icon={leftS > 0 ? <icons.clock size={20} /> : <icons.call size={20} />}
        disabled={leftS > 0}
        busy={isSending ? says.asking : undefined}
        onClick={() => send(isHidden)}
      >
        {leftS > 0 ? says.rest(leftS) : isHidden ? says.callHidden : says.call}
      </Button>
      <div role="alert">{trouble !== undefined && <Banner tone="shut">{trouble}</Banner>}</div>
    </>
  )
}

/** A running call: its progress, its seconds, and the button for the moment when the gate moves. */
export function RunningCall(props: {
  readonly pressed: Pressed | undefined
  readonly openingId: string
  readonly noteMoved: (movedS: number) => void
}) {
  const { noteMoved, openingId, pressed } = props
  const words = useWords()
  const says = words.calibration
  const read = useRead('getOpening', { params: { openingId } }, often)
  const step = read.value ? stepOf(read.value) : 'asked'
  const { lit } = openingLook({ class: 'running', step, hasRung: false })
  const now = useNow(250)
  const sinceS = pressed && Math.max(0, Math.round((now - pressed.atMs) / 1_000))
  return (
    <>
      <p className="calibration-running" role="status">
        <Ring lit={lit} tone="call" size={44} isLive />
        <b>{words.openings.running[step]}</b>
      </p>
      {sinceS !== undefined && <p className="calibration-seconds">{words.openings.seconds(sinceS)}</p>}
      {pressed && sinceS !== undefined && (
        <Button
          look="filled"
          isBig
          isWide
          aria-disabled={pressed.movedS !== undefined}
          onClick={() => pressed.movedS === undefined && noteMoved(sinceS)}
        >
          {pressed.movedS === undefined ? says.moves : says.moved(pressed.movedS)}
        </Button>
      )}
      <p className="small quiet">{says.waits}</p>
    </>
  )
}

/** A press that is not (yet) a test call: it waits for the gateway, or has ended without a call. */
export function PressOutcome(props: { readonly openingId: string; readonly calls: Calibration['calls'] }) {
  const { calls, openingId } = props
  const words = useWords()
  const says = words.calibration
  const isCall = calls.some(call => call.openingId === openingId)
  const { readAtMs, value } = useRead(
    'getOpening',
    { params: { openingId } },
    { ...often, isWanted: !isCall },
  )
  if (isCall || !value) return null
  const end = endOf(value, { nowMs: readAtMs, coolDownMs: 0 })
  if (value.evidence.joinedOpeningId !== null)
    return (
      <Banner tone="look" title={says.noCall}>
        {says.joined}
      </Banner>
    )
  if (end?.is !== 'ended') return <p role="status">{says.asking}</p>
  return (
    <Banner tone="shut" title={says.noCall}>
      {sayWhat({ ...end, step: null }, { words })}
    </Banner>
  )
}
