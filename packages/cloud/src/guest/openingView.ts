// The page of one opening: its steps while it runs, and its outcome and advice at the end.

import type { Queue } from '@callgate/contract/rest/opening'
import { fill } from '../text/fill.ts'
import { type Html, html } from '../text/html.ts'
import { counter, denialSaid, pressForm, stepList } from './gatesView.ts'
import type { GuestGate, OpeningGate } from './guestRows.ts'
import { type IconName, icon } from './icons.ts'
import type { Retry } from './outcome.ts'
import { contactButton, covers, page, type Setting, saidHtml, type Tone } from './page.ts'
import { ring, smallRing } from './ring.ts'
import type { Outcome, Said } from './texts/texts.ts'
import { clockWords, dayTimeWords, localeOf, type NextTime } from './times.ts'

/** The progress of a call, as the number of lit arcs of the ring. */
export type Step = 1 | 2 | 3

/** A running opening. */
export interface Running {
  readonly step: Step
  /** Whether it ends with the ending of another opening. */
  readonly isJoined: boolean
  /** The calls before its own call. */
  readonly queue: Queue | undefined
  /** Since the press, milliseconds. */
  readonly ageMs: number
  /** When each step began, milliseconds after the press; undefined where that is unknown. */
  readonly beganMs: readonly (number | undefined)[]
  /** How long this gate usually takes, seconds; undefined where too few calls are known. */
  readonly usualS: number | undefined
}

/** An opening that has ended. */
export interface Ended {
  readonly outcome: Outcome
  readonly retry: Retry | undefined
  /** Whether it is known that the gate was ringing. */
  readonly hasRung: boolean
  readonly endedMs: number
  readonly tookMs: number
  /** Whether it ended with the ending of another opening. */
  readonly isJoined: boolean
  /** A form for the next press; undefined where the gate would not open. */
  readonly again: { readonly gate: GuestGate; readonly nonce: string } | undefined
  readonly schedules: GuestGate['schedules']
  readonly next: NextTime | undefined
  /** Whether the guest has reported that the gate moves. */
  readonly isMoving: boolean
}

interface Look {
  readonly tone: Tone
  readonly icon: IconName
  /** The number of lit arcs at the end, which is the progress of the call. `asHeard`: as far as it is known. */
  readonly lit: 0 | 1 | 2 | 3 | 4 | 'asHeard'
}

const looks: Readonly<Record<Outcome, Look>> = {
  done: { tone: 'open', icon: 'check', lit: 4 },
  probably: { tone: 'open', icon: 'check', lit: 4 },
  unknown: { tone: 'look', icon: 'eye', lit: 'asHeard' },
  answered: { tone: 'look', icon: 'eye', lit: 3 },
  noReaction: { tone: 'shut', icon: 'x', lit: 3 },
  unreached: { tone: 'shut', icon: 'phoneX', lit: 2 },
  busy: { tone: 'shut', icon: 'phoneX', lit: 2 },
  otherGateway: { tone: 'shut', icon: 'phoneX', lit: 2 },
  noCredit: { tone: 'shut', icon: 'phoneX', lit: 2 },
  barred: { tone: 'shut', icon: 'phoneX', lit: 2 },
  notCalled: { tone: 'shut', icon: 'phoneOff', lit: 1 },
  deviceFault: { tone: 'shut', icon: 'phoneOff', lit: 1 },
  wrongNumber: { tone: 'shut', icon: 'phoneOff', lit: 1 },
  outside: { tone: 'denied', icon: 'lock', lit: 0 },
  ended: { tone: 'denied', icon: 'lock', lit: 0 },
  used: { tone: 'denied', icon: 'lock', lit: 0 },
  noAccess: { tone: 'denied', icon: 'lock', lit: 0 },
  off: { tone: 'denied', icon: 'lock', lit: 0 },
  lockedDown: { tone: 'denied', icon: 'lock', lit: 0 },
}

/** How long the gate is left alone after a call without a reaction, seconds. */
const waitS = 20

const shortId = (openingId: string) => openingId.slice(-5)

function backLink({ home, text }: Setting): Html {
  return html`<a class="b" href="${home}">${text.back}</a>`
}

/** The duration of each completed step, and of the present step so far. */
function stepTimes({ language, text }: Setting, { ageMs, beganMs, step }: Running) {
  const number = new Intl.NumberFormat(localeOf(language), {
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  })
  const times = beganMs.slice(0, step).map((began, place) => {
    const end = place + 1 < step ? beganMs[place + 1] : ageMs
    if (began === undefined || end === undefined) return undefined
    return `${number.format(Math.max(0, end - began) / 1000)} ${text.unit}`
  })
  return { times, stepAgeMs: ageMs - (beganMs[step - 1] ?? ageMs) }
}

function sayQueue(text: Setting['text'], { aboutS, ahead, inTime }: Queue): string {
  if (!inTime) return text.queue.late
  return fill(ahead === 1 ? text.queue.next : text.queue.more, { count: ahead, seconds: aboutS })
}

function runningMain(setting: Setting, gate: OpeningGate, running: Running): Html {
  const { text } = setting
  const { ageMs, isJoined, queue, step, usualS } = running
  const { stepAgeMs, times } = stepTimes(setting, running)
  const seconds = Math.floor(ageMs / 1000)
  const waits = queue ? sayQueue(text, queue) : ''
  const say = waits || (isJoined ? text.joined : text.steps[step - 1])
  return html`<main tabindex="-1" class="live" data-lit="${step}" data-age="${ageMs}" data-step-age="${stepAgeMs}" data-say="${say}">
<h1>${gate.gateName}</h1><p class="where">${gate.location}</p>
<div class="ring">${ring}${counter(setting, { seconds, word: text.words[step - 1] ?? '', usualS })}</div>
${isJoined ? html`<p>${text.joined}</p>` : undefined}<p class="queue">${waits}</p><div class="foot">${stepList(setting, times)}</div></main>`
}

/** The buttons after a call that may have moved the gate: none of them is the easy one. */
function checkButtons(setting: Setting, openingId: string, { again, isMoving }: Ended): Html {
  const { home, text } = setting
  if (isMoving) return backLink(setting)
  const moved = html`<form method="post" action="${home}/openings/${openingId}/seen"><button class="b" name="seen" value="moving">${text.moved}</button></form>`
  if (!again) return html`${moved}${backLink(setting)}`
  const button = html`<button class="b">${text.stands}</button>`
  return html`${moved}${pressForm(setting, again.gate, again.nonce, button, { stood: openingId })}`
}

/** The next press, enabled after a wait where the gate may still be ringing. */
function againButton(setting: Setting, { again, endedMs, retry }: Ended): Html | undefined {
  const { realMs, text } = setting
  if (!again || !retry) return undefined
  const leftS = retry === 'lookFirst' ? Math.ceil(waitS - (realMs - endedMs) / 1000) : 0
  const button =
    leftS > 0 && leftS <= waitS
      ? html`<button class="b fill" disabled data-wait="${leftS}" data-words="${text.againIn}" data-then="${text.again}">${fill(text.againIn, { seconds: leftS })}</button>`
      : html`<button class="b fill">${text.again}</button>`
  return pressForm(setting, again.gate, again.nonce, button)
}

function adviceCard(setting: Setting, { retry }: Ended): Html | undefined {
  const { text } = setting
  if (!retry) return undefined
  const [headline, body, thenCall] =
    retry === 'lookFirst' ? text.lookFirst : ([text.safe, text.agains[retry]] as const)
  const look = retry === 'lookFirst' ? 'look' : 'safe'
  // Only where there is somebody to call.
  const last = thenCall !== undefined && contactButton(setting, text.call) ? ` ${thenCall}` : ''
  return html`<div class="card ${look}">${icon(look === 'look' ? 'eye' : 'shield')}<div><h3>${headline}</h3><p>${body}${last}</p></div></div>`
}

function doneMain(setting: Setting, gate: OpeningGate, ended: Ended, id: string): Html {
  const { language, text, timezone } = setting
  const { endedMs, isJoined, outcome, tookMs } = ended
  const [headline] = text.outcomes[outcome]
  const time = clockWords({ atMs: endedMs, timezone }, language)
  const closed = fill(isJoined ? text.closedJoined : text.closed, {
    time,
    seconds: Math.round(tookMs / 1000),
    id: shortId(id),
  })
  const dotted = outcome === 'probably' ? html` class="dotted"` : undefined
  return html`<main tabindex="-1"${dotted} data-lit="${looks[outcome].lit}" data-say="${headline}"><h1>${gate.gateName}</h1><p class="where">${gate.location}</p>
<div class="ring">${ring}${icon('check', 112, 'check')}</div>${saidHtml(text.outcomes[outcome])}
<div class="foot">${backLink(setting)}<p class="quiet">${closed}</p></div></main>`
}

/** What an end says. What the guest has seen is said in the place of what nobody could know. */
function saidAt(setting: Setting, { isMoving, outcome, schedules }: Ended): Said {
  const { text } = setting
  return isMoving ? [text.noted, text.turn] : denialSaid(setting, outcome, schedules)
}

/** An end that must be read: the ring is small, and the headline comes first. */
function readMain(setting: Setting, gate: OpeningGate, ended: Ended, id: string): Html {
  const { text } = setting
  const { hasRung, isMoving, next, outcome } = ended
  const { icon: sign, lit, tone } = looks[outcome]
  const arcs = lit === 'asHeard' ? (hasRung ? 3 : 2) : lit
  const said = saidAt(setting, ended)
  const nextLine =
    next &&
    html`<p class="turn"><time datetime="${next.at}" title="${next.rules}">${fill(text.opens, { time: dayTimeWords(next, setting) })}</time></p>`
  const isLook = tone === 'look'
  const again = isLook ? checkButtons(setting, id, ended) : againButton(setting, ended)
  const call = isLook ? undefined : contactButton(setting, outcome === 'outside' ? text.askHours : text.call)
  return html`<main tabindex="-1" data-lit="${arcs}" data-say="${said[0]}"><h1 class="little">${gate.gateName}</h1>
${smallRing(icon(sign, 40))}${saidHtml(said)}${isLook && !isMoving ? html`<p class="turn">${text.turn}</p>` : undefined}${nextLine}${adviceCard(setting, ended)}
<div class="foot">${again}${call}${isLook || again ? undefined : backLink(setting)}<p class="quiet">${fill(text.reference, { id: shortId(id) })}</p></div></main>`
}

/**
 * The page of one opening. Without a script, the browser reloads it every 2 s while it runs, and when another press is possible.
 */
export function openingPage(
  setting: Setting,
  openingId: string,
  gate: OpeningGate,
  stand: Running | Ended,
): Html {
  const { language, realMs, text } = setting
  const frame = { language, setting, at: `/openings/${openingId}`, covers: covers(setting) }
  if ('step' in stand) {
    const say = text.steps[stand.step - 1] ?? ''
    return page({ ...frame, say, main: runningMain(setting, gate, stand), refreshAfterS: 2 })
  }
  const { endedMs, outcome, retry } = stand
  const { tone } = looks[outcome]
  const isDone = tone === 'open'
  const main = isDone ? doneMain(setting, gate, stand, openingId) : readMain(setting, gate, stand, openingId)
  const leftS = Math.ceil(waitS - (realMs - endedMs) / 1000)
  const refreshAfterS = retry === 'lookFirst' && leftS > 0 && leftS <= waitS ? leftS : undefined
  return page({ ...frame, tone, say: saidAt(setting, stand)[0], main, refreshAfterS })
}

/** The page after a restart of the cloud: nobody knows whether the press arrived. */
export function unsurePage(setting: Setting): Html {
  const { language, text } = setting
  const main = html`<main tabindex="-1" data-lit="1" data-say="${text.unsure[0]}"><div class="middle">${smallRing(icon('eye', 40))}${saidHtml(text.unsure, 'h1')}<p class="turn">${text.turn}</p></div>
<div class="foot">${backLink(setting)}</div></main>`
  return page({ language, setting, tone: 'look', say: text.unsure[0], main })
}
