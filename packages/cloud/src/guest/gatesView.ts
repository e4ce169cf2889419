// The first page of a link: one gate on the disc, the others as rows, and the times at which they open.

import { scheduleWords } from '../mail/scheduleWords.ts'
import { wordings } from '../mail/wording.ts'
import { fill } from '../text/fill.ts'
import { type Html, html } from '../text/html.ts'
import { capitalized } from '../text/lines.ts'
import type { GuestGate } from './guestRows.ts'
import { icon } from './icons.ts'
import { contactButton, covers, fillHtml, page, type Setting, saidHtml } from './page.ts'
import { photoPlace } from './photos.ts'
import { ring, smallRing } from './ring.ts'
import type { Outcome, Said } from './texts/texts.ts'
import {
  allowedUntil,
  clockWords,
  dateWords,
  dayTimeWords,
  dayWords,
  distanceWords,
  endedAt,
  type NextTime,
} from './times.ts'

/** One gate on the page, with a form that can press it, or with the reason why it does not open now. */
export interface GateEntry {
  readonly gate: GuestGate
  readonly press:
    | { readonly nonce: string }
    /** `next`: when it opens again. */
    | { readonly denied: Outcome; readonly next: NextTime | undefined }
}

/** How a form sends its nonce: `ask` leads to the page that asks for a confirmation, `press` presses. */
export type NonceField = 'ask' | 'press'

const mostSchedules = 5
/** The word on the disc is smaller from this number of letters on. */
const longWord = 7

/** The form around a button that opens a gate. */
export function pressForm(
  { home }: Setting,
  { accessId, gateId }: Pick<GuestGate, 'accessId' | 'gateId'>,
  nonce: string,
  content: Html,
  { className, field = 'ask', stood }: { className?: string; field?: NonceField; stood?: string } = {},
): Html {
  const named = className === undefined ? undefined : html` class="${className}"`
  const after = stood === undefined ? undefined : html`<input type="hidden" name="stood" value="${stood}">`
  return html`<form${named} method="post" action="${home}/gates/${gateId}" data-press="1">
<input type="hidden" name="access" value="${accessId}"><input type="hidden" name="${field}" value="${nonce}">${after}${content}</form>`
}

/** The counter that replaces the disc; no screen reader reads it aloud each second. */
export function counter(
  { text }: Setting,
  given: { seconds: number; word: string; usualS: number | undefined },
): Html {
  const usually = given.usualS === undefined ? undefined : fill(text.usuallyInAll, { seconds: given.usualS })
  return html`<div class="count" aria-hidden="true"><b><u>${given.seconds}</u><i> ${text.unit}</i></b><strong>${given.word}</strong>${usually}</div>`
}

/** The four steps of a call. `times`: the duration of each completed step, in seconds. */
export function stepList({ language, text }: Setting, times: readonly (string | undefined)[] = []): Html {
  const rows = text.steps.map(
    (step, place) =>
      html`<li data-word="${text.words[place]}">${step}<span data-s="{seconds} ${text.unit}">${times[place]}</span></li>`,
  )
  return html`<ol class="steps" lang="${language}">${rows}</ol>`
}

/** A gate that a form can press. */
export interface Pressable {
  readonly gate: GuestGate
  readonly nonce: string
  readonly usualS: number | undefined
  /** The opening after which the gate did not move. */
  readonly stood?: string
}

/** The disc in the ring, which is one form. */
function disc(
  setting: Setting,
  { gate, nonce, usualS, ...more }: Pressable,
  field: NonceField = 'ask',
): Html {
  const { text } = setting
  const size = text.open.length < longWord ? 'disc' : 'disc long'
  const usually =
    usualS === undefined
      ? undefined
      : html`<small class="usual">${fill(text.usually, { seconds: usualS })}</small>`
  const button = html`<button class="${size}" aria-label="${text.open} ${gate.gateName}"><b>${text.open}</b></button>${usually}`
  const content = html`${ring}${button}${counter(setting, { seconds: 0, word: text.words[0], usualS })}`
  return pressForm(setting, gate, nonce, content, { className: 'ring', field, ...more })
}

function facts(setting: Setting, { maxUsage, schedules, usageCount }: GuestGate): Html {
  const { nowMs, text } = setting
  const until = allowedUntil(schedules, nowMs)
  const time = until && html`<b>${dayTimeWords(until, setting, true)}</b>`
  const left =
    maxUsage === null
      ? undefined
      : fillHtml(text.left, {
          left: html`<b>${Math.max(0, maxUsage - usageCount)}</b>`,
          most: html`${maxUsage}`,
        })
  return html`<ul class="facts">${time && html`<li>${icon('clock')}<span>${fillHtml(text.until, { time })}</span></li>`}
${left && html`<li>${icon('ticket')}<span>${left}</span></li>`}</ul>`
}

/** The schedules in words, as many as have room. */
function hoursCard({ language, text, timezone }: Setting, { schedules }: GuestGate): Html {
  const wording = wordings[language]
  const lines = schedules
    .slice(0, mostSchedules)
    .map(one => html`<p>${capitalized(scheduleWords(one, wording, timezone), wording.locale)}</p>`)
  return html`<div class="card">${icon('calendar')}<div><h2>${text.hours}</h2>${lines}</div></div>`
}

/** The ring of a gate that opens later, with the time. */
function nextRing(setting: Setting, next: NextTime): Html {
  const { language, text } = setting
  const distance = distanceWords(next.atMs, setting)
  const day = dayWords(next, setting)
  return html`<div class="ring">${ring}<div class="count">${text.mayOpen}<b><time datetime="${next.at}" title="${next.rules}">${clockWords(next, language)}</time></b>
<span>${day}${distance === undefined ? undefined : `, ${distance}`}</span></div></div>`
}

/** The text of a denial; for an ended access also when it ended. */
export function denialSaid(setting: Setting, denied: Outcome, schedules: GuestGate['schedules']): Said {
  const { text } = setting
  const [headline, body] = text.outcomes[denied]
  const end = denied === 'ended' ? endedAt(schedules, setting.nowMs) : undefined
  return end
    ? [headline, `${fill(text.endedOn, { date: dateWords(end, setting) })}. ${body}`]
    : [headline, body]
}

/** The button that pins a gate, or takes its pin away. Absent where the guest has one gate. */
function pinForm({ home, text }: Setting, { gateId, gateName }: GuestGate, pinned: readonly string[]): Html {
  const isPinned = pinned.includes(gateId)
  return html`<form method="post" action="${home}/pins"><button class="pin" name="${isPinned ? 'unpin' : 'pin'}" value="${gateId}" aria-pressed="${isPinned ? 'true' : 'false'}" title="${text.pin}" aria-label="${text.pin}: ${gateName}">${icon('pin')}</button></form>`
}

const whereHtml = ({ location }: GuestGate) => html`<p class="where">${location}</p>`

/** The gate on the disc, or the reason why it does not open now. */
function hero(
  setting: Setting,
  { gate, press }: GateEntry,
  { pin, usualS }: { readonly pin: Html | undefined; readonly usualS: number | undefined },
): Html {
  const title = html`<h1>${gate.gateName}</h1>`
  const photo = photoPlace(setting, gate)
  const name = photo
    ? html`<div class="named">${photo}<div>${title}${whereHtml(gate)}</div>${pin}</div>`
    : html`${pin ? html`<div class="named">${title}${pin}</div>` : title}${whereHtml(gate)}`
  if ('nonce' in press) return html`${name}${disc(setting, { gate, nonce: press.nonce, usualS })}`
  const { denied, next } = press
  if (next) return html`${name}${nextRing(setting, next)}`
  return html`<h1 class="little">${gate.gateName}</h1>${smallRing(icon('lock', 40))}
${saidHtml(denialSaid(setting, denied, gate.schedules))}`
}

/**
 * `pin`: of a pinned gate. A gate is pinned from the disc, where nothing lies beside the button.
 * `isThere`: at the address that stands above, under the name of the gate on the disc.
 */
function row(
  setting: Setting,
  { gate, press }: GateEntry,
  { isThere, pin }: { readonly isThere: boolean; readonly pin: Html | undefined },
): Html {
  const { text } = setting
  const { gateName, location } = gate
  const photo = photoPlace(setting, gate)
  if ('nonce' in press) {
    const button = html`<button class="pill" aria-label="${text.open} ${gateName}">${text.open}</button>`
    const where = isThere ? undefined : html`<p>${location}</p>`
    return html`<li>${photo}<div><h2>${gateName}</h2>${where}</div>${pin}${pressForm(setting, gate, press.nonce, button)}</li>
`
  }
  const { denied, next } = press
  if (!next)
    return html`<li class="shut">${photo}<div><h2>${gateName}</h2><p>${denied === 'lockedDown' ? location : text.outcomes[denied][0]}</p></div></li>
`
  return html`<li class="shut">${photo}<div><h2>${gateName}</h2><p>${fill(text.opens, { time: dayTimeWords(next, setting) })}</p></div></li>
`
}

/** The rows of the other gates. An address that all gates have is said once, above. */
function rowsHtml(
  setting: Setting,
  first: GateEntry,
  others: readonly GateEntry[],
  pinOf: (entry: GateEntry) => Html | undefined,
): Html | undefined {
  if (others.length === 0) return undefined
  const { gate, press } = first
  const isThere =
    ('nonce' in press || press.next !== undefined) &&
    others.every(({ gate: { location } }) => location === gate.location)
  return html`<ul class="rows">${others.map(one => row(setting, one, { isThere, pin: pinOf(one) }))}</ul>`
}

/** The foot of the page: the other gates, or the facts of the one gate. */
function foot(setting: Setting, { gate, press }: GateEntry, rows: Html | undefined): Html {
  const { text } = setting
  if ('nonce' in press) return html`${rows ?? facts(setting, gate)}${stepList(setting)}`
  if (!press.next) return html`${contactButton(setting, text.call)}${rows}`
  return html`${rows}${hoursCard(setting, gate)}${contactButton(setting, text.askHours)}`
}

/** The member's gates, those that open now first. `notice` says why a press opened nothing. */
export function gatesPage(
  setting: Setting,
  gates: readonly GateEntry[],
  {
    notice,
    pinned = [],
    unsent = false,
    usualS,
  }: {
    notice?: string
    /** The ids of the gates that the guest has pinned in this browser. */
    pinned?: readonly string[]
    unsent?: boolean
    usualS?: number | undefined
  } = {},
): Html {
  const { language, text } = setting
  const [first, ...others] = gates
  if (!first) {
    const main = html`<main tabindex="-1" data-say="${text.noGates[0]}"><div class="middle">${smallRing(icon('lock', 40))}${saidHtml(text.noGates, 'h1')}</div>
<div class="foot">${contactButton(setting, text.call)}</div></main>`
    return page({ language, setting, say: text.noGates[0], main })
  }
  const said = notice === undefined ? undefined : html`<p class="notice">${notice}</p>`
  const say = notice ?? ''
  const pin = others.length === 0 ? undefined : pinForm(setting, first.gate, pinned)
  const rows = rowsHtml(setting, first, others, ({ gate }) =>
    pinned.includes(gate.gateId) ? pinForm(setting, gate, pinned) : undefined,
  )
  // Above the rows, so that they read as those of the gate on the disc.
  const firstFacts = rows && 'nonce' in first.press ? facts(setting, first.gate) : undefined
  const tone = 'denied' in first.press && !first.press.next ? 'denied' : undefined
  const main = html`<main tabindex="-1" class="ready" data-say="${say}"${unsent ? html` data-press="unsent"` : undefined}>${said}${hero(setting, first, { pin, usualS })}${firstFacts}
<div class="foot">${foot(setting, first, rows)}</div></main>`
  return page({ language, setting, tone, say, main, covers: covers(setting) })
}

/** Asks for a confirmation where the press came from a form without the script: a program that follows forms opens nothing. */
export function confirmPage(setting: Setting, pressable: Pressable): Html {
  const { home, language, text } = setting
  const { gate } = pressable
  const main = html`<main tabindex="-1" class="ready" data-say="${text.confirm}"><h1>${gate.gateName}</h1>${whereHtml(gate)}
${disc(setting, pressable, 'press')}<p class="turn">${text.confirm}</p>
<div class="foot">${stepList(setting)}<a class="b facts" href="${home}">${text.back}</a></div></main>`
  return page({ language, setting, say: text.confirm, main, covers: covers(setting) })
}
