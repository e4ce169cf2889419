// The button that opens a gate: in the same place it shows the progress of its press, until it can be pressed again.

import type { Queue } from '@callgate/contract/rest/opening'
import type { ReactNode } from 'react'
import { useNow } from '../clock.ts'
import { icons } from '../kit/icons.tsx'
import { type IconName, openingLook } from '../kit/openingLook.ts'
import { Ring, type Tone } from '../kit/Ring.tsx'
import { useWords, type Words } from '../words/words.tsx'
import type { EndedPress, Press } from './press.ts'
import './OpenButton.css'

interface Shown {
  readonly look: 'ready' | 'off' | 'solid' | Tone
  readonly start?: ReactNode
  readonly word: string
  /** At the other end of the button: the elapsed time, or the next possible action. */
  readonly end?: string
  readonly canPress: boolean
}

const icon = (name: IconName): ReactNode => {
  const Icon = icons[name]
  return <Icon size={20} />
}

function sayEnd(press: EndedPress, words: Words['openings']): string {
  const { class: kind, reason } = press
  // A gate that may have moved must not be shown as one that did not react.
  if (kind === 'unknown') return words.lookFirst
  if (reason === 'busy' || reason === 'no_reaction') return words.ends[reason]
  if (reason === 'gateway_offline') return words.noGateway
  if (kind === 'probably_opened') return words.probably
  return kind === 'did_not_open' || kind === 'not_called' || kind === 'denied'
    ? words.ends[kind]
    : words.opening
}

function sayQueue({ aboutS, ahead, inTime }: Queue, { queue }: Words['openings']): string {
  if (!inTime) return queue.late
  return ahead === 1 ? queue.next(aboutS) : queue.more(ahead, aboutS)
}

function showEnd(press: EndedPress, words: Words['openings'], nowMs: number): Shown {
  const look = openingLook({ class: press.class, step: null, hasRung: false })
  const word = sayEnd(press, words)
  if (look.tone === 'open') {
    const leftS = Math.max(1, Math.ceil((press.readyAtMs - nowMs) / 1_000))
    return { look: 'solid', start: icon(look.icon), word, end: words.readyAgain(leftS), canPress: false }
  }
  const again = press.safeToRetry ? { end: words.pressAgain } : {}
  return { look: look.tone, start: icon(look.icon), word, ...again, canPress: press.safeToRetry }
}

const notSent = {
  offline: 'offline',
  lost: 'failed',
  refused: 'failed',
  too_many: 'clock',
  unavailable: 'clock',
} as const

function show(press: Press, words: Words['openings'], nowMs: number): Shown {
  switch (press.is) {
    case 'ready':
      return { look: 'ready', word: words.open, canPress: true }
    case 'running': {
      const { lit } = openingLook({ class: 'running', step: press.step, hasRung: false })
      const start = <Ring lit={lit} tone="call" size={24} isLive />
      const end = words.seconds(Math.max(0, Math.round((nowMs - press.sinceMs) / 1_000)))
      const word = press.queue ? sayQueue(press.queue, words) : words.running[press.step]
      return { look: 'call', start, word, end, canPress: false }
    }
    case 'checking':
      return { look: 'look', start: icon('offline'), word: words.checking, canPress: false }
    case 'ended':
      return showEnd(press, words, nowMs)
    case 'not_sent': {
      const says = {
        offline: words.offline,
        lost: words.lost,
        refused: words.refused,
        too_many: words.tooMany(press.waitS),
        unavailable: words.unavailable(press.waitS),
      }
      const canPress = press.why === 'lost'
      const end = canPress ? { end: words.pressAgain } : {}
      return {
        look: canPress ? 'shut' : 'off',
        start: icon(notSent[press.why]),
        word: says[press.why],
        ...end,
        canPress,
      }
    }
  }
}

/**
 * `unable` says why the gate cannot be opened now. Beside another button, and at the head of a page, the button is only as wide
 * as its text until it is pressed.
 */
export function OpenButton(props: {
  readonly gate: string
  readonly press: Press
  readonly send: () => void
  readonly unable?: { readonly icon: IconName; readonly word: string } | undefined
  readonly place?: 'card' | 'beside' | 'row' | 'head'
}) {
  const { gate, place = 'card', press, send, unable } = props
  const words = useWords().openings
  const nowMs = useNow(500)
  const isAble = unable === undefined || press.is !== 'ready'
  const shown: Shown = isAble
    ? show(press, words, nowMs)
    : { look: 'off', start: icon(unable.icon), word: unable.word, canPress: false }
  const isReady = shown.look === 'ready'
  // What stands in the way of a first press does so for another one.
  const canPress = shown.canPress && unable === undefined
  const end = shown.canPress && !canPress ? undefined : shown.end
  return (
    <>
      <button
        type="button"
        className={`open open-${place} open-${shown.look}`}
        aria-label={isReady ? words.openGate(gate) : undefined}
        aria-disabled={!canPress}
        onClick={canPress ? send : undefined}
      >
        {place === 'head' && isReady && <Ring lit={0} tone="call" size={32} />}
        {shown.start}
        <span>{shown.word}</span>
        {end !== undefined && <span className={canPress ? 'open-end open-again' : 'open-end'}>{end}</span>}
      </button>
      <span className="heard" role="status">
        {isReady || !isAble ? '' : shown.word}
      </span>
    </>
  )
}
