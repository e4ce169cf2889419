// The mails on incidents: what began or ended, what to check, and a link.

import { type IncidentKind, incidentTone } from '@callgate/contract/app/incidentKinds'
import type { Language } from '@callgate/contract/language'
import { fill } from '../text/fill.ts'
import { formFor } from '../text/plural.ts'
import { type AlertWording, alertWordings } from './alertWording.ts'
import { important, type Letter, type LetterParts, type LetterTone, letterOf, printed } from './letterForm.ts'
import { rangeWords, timeWords, zoneNote } from './timeWords.ts'
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

/** Of one that is over: it is well again. */
const toneOf = ({ closedMs, kind }: ToldIncident): LetterTone =>
  closedMs === undefined ? incidentTone(kind) : 'open'

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

/** How many need somebody, or, where none does, how many are over: the rows name them. */
function digestHeadline(incidents: AlertLetterFacts['incidents'], language: Language): string {
  const { areOver, goOn } = alertWordings[language]
  const open = incidents.filter(({ closedMs }) => closedMs === undefined).length
  const [forms, count] = open > 0 ? [goOn, open] : [areOver, incidents.length]
  return fill(formFor(forms, count, wordings[language].locale), { count })
}

/** The rows of a digest: first what goes on. What to check is said once for each kind. */
function rowsOf(facts: AlertLetterFacts): LetterParts['rows'] {
  const wording = alertWordings[facts.language]
  const isOver = ({ closedMs }: ToldIncident) => Number(closedMs !== undefined)
  const told = new Set<IncidentKind>()
  return facts.incidents
    .toSorted((a, b) => isOver(a) - isOver(b))
    .slice(0, mostListed)
    .map(incident => {
      const { closedMs, kind } = incident
      const isNew = closedMs === undefined && !told.has(kind)
      told.add(kind)
      const check = isNew ? [wording.kinds[kind].check] : []
      return [headlineOf(incident, wording), [timesOf(facts, incident), ...check], toneOf(incident)]
    })
}

/** Writes the mail in the language of `facts`. Names may contain anything: they are kept on one line and escaped. */
export function writeAlertLetter(facts: AlertLetterFacts): Letter {
  const { incidents, language, link, timezone } = facts
  const wording = alertWordings[language]
  const space = printed(facts.spaceName)
  const [first] = incidents
  const one = facts.isDigest && incidents.length > 1 ? undefined : first
  const headline = one ? headlineOf(one, wording) : digestHeadline(incidents, language)
  const note = first && zoneNote(first.seenMs, timezone, language)
  return letterOf({
    language,
    link,
    headline,
    tone: one && toneOf(one),
    subject: fill(wordings[language].subject, { space, what: headline }),
    sender: space,
    button: wording.button,
    greeting: fill(wordings[language].greeting, { name: printed(facts.memberName) }),
    lead: one ? paragraphsOf(facts, one) : [],
    rows: one ? [] : rowsOf(facts),
    afterRows: !one && incidents.length > mostListed ? [wording.more] : [],
    end: [fill(wording.why, { space }), ...(note ? [note] : [])],
  })
}
