// The texts of the guest's page: one set for each language.

import type { Again, GuestEnd } from '@callgate/contract/call/reasonRow'
import type { Language } from '@callgate/contract/rest/member'
import { wholeWordsIn } from '@callgate/contract/wholeWords'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { hu } from './hu.ts'
import { it } from './it.ts'
import { ro } from './ro.ts'
import { uk } from './uk.ts'

/** The ends of an attempt that differ for the guest. */
export type Outcome = GuestEnd | 'done' | 'probably' | 'answered' | 'otherGateway'

/** A headline, and the text under it. */
export type Said = readonly [headline: string, body: string]

/** The texts of a page for a lost network. The browser fills in `{time}` and `{seconds}`. */
export interface NetworkTexts {
  /** In the ring. */
  readonly state: string
  readonly since: string
  readonly said: Said
  readonly button: string
}

/** Names of gates and people stand alone or behind a colon, so that no language has to inflect them. */
export interface Texts {
  /** The language by its own name. */
  readonly name: string
  /** Does not reveal whose link it is, because link previews show it. */
  readonly title: string
  /** On the disc, and before the gate's name. */
  readonly open: string
  /** The unit of seconds. */
  readonly unit: string
  readonly usually: string
  readonly usuallyInAll: string
  /** `{time}` is `today` with a time, in the order of `dayTime`. */
  readonly until: string
  readonly dayTime: string
  readonly left: string
  /** Above the time when the gate opens next. */
  readonly mayOpen: string
  readonly inHours: string
  readonly inMinutes: string
  /** Of a gate that does not open now. */
  readonly opens: string
  readonly hours: string
  readonly askHours: string
  readonly call: string
  /** For a Space without a contact. */
  readonly ask: string
  /** The steps in the list, in the order of a call. */
  readonly steps: readonly [asked: string, calling: string, ringing: string, taken: string]
  /** The same in one word, within the ring. */
  readonly words: readonly [asked: string, calling: string, ringing: string, taken: string]
  readonly joined: string
  /** Before its call, while other gates are called. `late`: that probably takes longer than a press may wait. */
  readonly queue: Readonly<Record<'next' | 'more' | 'late', string>>
  /** Of the button that pins a gate; the name of the gate follows behind a colon. */
  readonly pin: string
  /** On the confirmation page. */
  readonly confirm: string
  readonly back: string
  readonly again: string
  readonly againIn: string
  readonly moved: string
  readonly stands: string
  /** The headline after the guest has reported that the gate moves. */
  readonly noted: string
  readonly language: string
  readonly reference: string
  readonly closed: string
  /** The same where the press joined a call. */
  readonly closedJoined: string
  readonly endedOn: string
  /** For outcomes after which the gate may have moved. */
  readonly turn: string
  /** The last sentence only where the Space has somebody to call. */
  readonly lookFirst: readonly [headline: string, body: string, thenCall: string]
  readonly safe: string
  /** The words for when another press is possible. */
  readonly agains: Readonly<Record<Again, string>>
  readonly offline: NetworkTexts
  readonly lost: NetworkTexts
  /** Why a press opened nothing. */
  readonly expired: string
  readonly late: string
  readonly unsent: string
  /** `{seconds}` until another press is accepted. */
  readonly tooMany: string
  /** Nobody knows whether the press arrived. */
  readonly unsure: Said
  readonly noGates: Said
  readonly tooOften: Said
  readonly deadLink: Said
  /** Of an unknown address that is not a link. */
  readonly noPage: Said
  /** Leads away from that page. */
  readonly toStart: string
  /** Nobody may open anything for now. */
  readonly notNow: Said
  readonly fault: Said
  /** What happened, and why, or what to do. */
  readonly outcomes: Readonly<Record<Outcome, Said>>
}

export const texts: Readonly<Record<Language, Texts>> = wholeWordsIn({ en, ro, hu, de, fr, it, es, uk })
