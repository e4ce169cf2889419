// The texts of the guest's page: one set for each language.

import type { Language } from '@callgate/contract/rest/member'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { hu } from './hu.ts'
import { it } from './it.ts'
import { ro } from './ro.ts'
import { uk } from './uk.ts'

/** How an attempt can end, as far as it makes a difference to the guest. */
export const outcomes = [
  'done',
  'notCalled',
  'deviceFault',
  'outside',
  'ended',
  'used',
  'noAccess',
  'off',
  'wrongNumber',
  'busy',
  'noReaction',
  'unknown',
  'answered',
] as const
export type Outcome = (typeof outcomes)[number]

export interface Texts {
  /** The language by its own name. */
  readonly name: string
  /** Says nothing of whose link it is: link previews show it. */
  readonly title: string
  /** `{gate}` is the gate's name. */
  readonly open: string
  readonly noGates: string
  /** `{time}` is when the access opens next. */
  readonly next: string
  readonly calling: string
  readonly ringing: string
  readonly joined: string
  readonly back: string
  readonly language: string
  readonly reference: string
  /** Stands before a name and a phone number. */
  readonly contact: string
  /** The form was too old, or not from this page. */
  readonly again: string
  /** `{seconds}` until another press is taken. */
  readonly tooMany: string
  /** Of the page itself, with `{seconds}`. */
  readonly tooOften: string
  readonly deadLink: string
  /** Nobody may open anything for now. */
  readonly notNow: string
  readonly fault: string
  /** What happened, and what to do now. */
  readonly outcomes: Readonly<Record<Outcome, readonly [what: string, now: string]>>
}

export const texts: Readonly<Record<Language, Texts>> = { en, ro, hu, de, fr, it, es, uk }
