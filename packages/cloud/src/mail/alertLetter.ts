// The mails on incidents: what began or ended, what to check, and a link.

import type { IncidentKind } from '@callgate/contract/app/incidentKinds'
import type { Language } from '@callgate/contract/language'
import { fill } from '../text/fill.ts'
import { formFor } from '../text/plural.ts'
import { type AlertWording, alertWordings } from './alertWording.ts'
import { important, type Letter, type LetterParts, letterOf, printed } from './letterForm.ts'
import { rangeWords, timeWords } from './timeWords.ts'
import { wordings } from './wording.ts'

/** An incident in its state when the mail is sent. Times are milliseconds since 1970. */
export interface ToldIncident {
  readonly kind: IncidentKind
  /** The name of the gateway or the gate; empty where the incident is about mails. */
  readonly name: string
  readonly seenMs: number
  /** Undefined while it goes on. */
  readonly closedMs: number | undefined
}

export interface AlertLetterFacts {
  readonly kind: 'alert'
  /** Several incidents in one mail. */
  readonly isDigest: boolean
  readonly language: Language
  /** The user's name. */
  readonly memberName: string
  readonly spaceName: string
  /** IANA name of the zone of the Space. */
  readonly timezone: string
  /** The page of the dashboard. */
  readonly link: string
  readonly incidents: readonly ToldIncident[]
}

/** A mail stays short: beyond this number, it refers to the dashboard. */
const mostListed = 20

function headlineOf({ closedMs, kind, name }: ToldIncident, { kinds }: AlertWording): string {
  const { begun, over } = kinds[kind]
  return fill(closedMs === undefined ? begun : over, { name: printed(name) })
}

function timesOf(facts: AlertLetterFacts, { closedMs, seenMs }: ToldIncident): string {
  const { language, timezone } = facts
  const { lasted, since } = alertWordings[language]
  return closedMs === undefined
    ? fill(since, { time: timeWords(seenMs, timezone, language) })
    : fill(lasted, { time: rangeWords(seenMs, closedMs, timezone, language) })
}

/** The paragraphs for a single incident. */
function paragraphsOf(facts: AlertLetterFacts, incident: ToldIncident): LetterParts['lead'] {
  const wording = alertWordings[facts.language]
  const { check, means } = wording.kinds[incident.kind]
  const times = timesOf(facts, incident)
  return incident.closedMs === undefined ? [times, means, important(check)] : [times]
}

/** Writes the mail in the language of `facts`. Names may contain anything: they are kept on one line and escaped. */
export function writeAlertLetter(facts: AlertLetterFacts): Letter {
  const { incidents, language, link } = facts
  const isDigest = facts.isDigest && incidents.length > 1
  const wording = alertWordings[language]
  const { locale } = wordings[language]
  const space = printed(facts.spaceName)
  const [first] = incidents
  const shown = isDigest ? incidents.slice(0, mostListed) : []
  const headline =
    isDigest || !first
      ? fill(formFor(wording.digest, incidents.length, locale), { count: incidents.length })
      : headlineOf(first, wording)
  return letterOf({
    language,
    link,
    headline,
    subject: fill(wordings[language].subject, { space, what: headline }),
    sender: space,
    button: wording.button,
    greeting: fill(wordings[language].greeting, { name: printed(facts.memberName) }),
    lead: isDigest || !first ? [] : paragraphsOf(facts, first),
    rows: shown.map(incident => [headlineOf(incident, wording), [timesOf(facts, incident)]]),
    afterRows: incidents.length > shown.length && isDigest ? [wording.more] : [],
    end: [fill(wording.why, { space })],
  })
}
