// Opening records: an opening with what the dashboard shows of it beyond the REST API, its history, and its statistics.

import Type, { type Static } from 'typebox'
import { openingClasses } from '../call/openingClass.ts'
import { Reason } from '../call/reason.ts'
import { Confidence, Opened } from '../call/verdict.ts'
import { GatewayId, OpeningId } from '../ids.ts'
import { limits } from '../limits.ts'
import { Opening } from '../rest/opening.ts'
import { CursorPage, historyFields } from '../rest/paging.ts'
import { characters, closed, nullable, words } from '../text.ts'
import { appOperation } from './appOperation.ts'
import { appRoutes } from './appRoutes.ts'

export const OpeningClass = words(openingClasses, {
  description:
    'What people tell apart. `not_called` and `denied`: the gate was not called, so it did not move; `unknown`: look at it',
})

const Seen = words(['moving', 'still'], { description: '`moving`: the gate is open, or moves' })

export const OpeningRecord = closed({
  ...Opening.properties,
  class: OpeningClass,
  step: nullable(
    words(['asked', 'calling', 'ringing'], { description: 'How far it is while it runs; null afterwards' }),
  ),
  reason: nullable(Reason),
  opened: nullable(Opened),
  confidence: nullable(Confidence),
  safeToRetry: nullable(Type.Boolean()),
  hasRung: Type.Boolean({ description: 'Whether the reason says that the gate was ringing' }),
  by: closed(
    {
      kind: words(['member', 'key', 'user']),
      id: nullable(
        Type.String({ description: 'Of the member, the API key or the user; they may be gone by now' }),
      ),
    },
    { description: 'Who pressed, to find more by' },
  ),
  joinedOpeningId: nullable(OpeningId),
  joiners: Type.Integer({ minimum: 0, description: 'How many further presses ended with this call' }),
  gatewayId: nullable(GatewayId),
  seen: nullable({
    ...Seen,
    description: 'What a person saw of the gate afterwards, at the gate or here; it changes nothing else',
  }),
})
export type OpeningRecord = Static<typeof OpeningRecord>

const classList = `(${openingClasses.join('|')})`

/** The presses that the history shows: those that fit all filters. */
const historyFilters = {
  ...historyFields,
  apiKeyId: Type.Optional(Type.String({ maxLength: 64, description: 'Only presses by this API key' })),
  userId: Type.Optional(
    Type.String({ maxLength: 64, description: 'Only presses by this user of the dashboard' }),
  ),
  classes: Type.Optional(
    Type.String({
      pattern: `^${classList}(,${classList})*$`,
      ...characters(limits.search.text),
      description: 'Only openings of these classes, separated by commas',
      examples: ['did_not_open,unknown'],
    }),
  ),
}

const { cursor: _, limit: __, ...fileFilters } = historyFilters

/** Presses of one day, by what they came to. */
const DayCounts = closed({
  date: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$', description: "In the Space's zone" }),
  opened: Type.Integer({ minimum: 0, description: 'Those that probably opened included' }),
  didNotOpen: Type.Integer({ minimum: 0, description: 'Those that called nobody included' }),
  unknown: Type.Integer({ minimum: 0 }),
  denied: Type.Integer({ minimum: 0 }),
})
export type DayCounts = Static<typeof DayCounts>

export const historyDays = 30

/** The history of the dashboard: every press with its class. */
export const historyAppOperations = {
  listHistory: appOperation({
    ...appRoutes.listHistory,
    role: 'admin',
    isCompressed: true,
    rateClass: 'read',
    summary: 'List the presses with their classes, newest first',
    text: 'Every press, also those that called nobody. In pages by `cursor`; several filters narrow each other. A page may hold fewer presses than `limit`, even none, while `nextCursor` goes on: of a person with other filters 5,000 presses are looked through at once.',
    query: closed(historyFilters),
    answers: { 200: closed({ openings: Type.Array(OpeningRecord), pagination: CursorPage }) },
    problems: [],
  }),
  observeOpening: appOperation({
    ...appRoutes.observeOpening,
    role: 'admin',
    rateClass: 'write',
    summary: 'Say what was seen of the gate after an opening',
    text: 'It is kept beside the opening, whose status and verdict stay as they are. The last word counts.',
    params: closed({ openingId: OpeningId }),
    body: closed({ seen: Seen }),
    answers: { 200: closed({ opening: OpeningRecord }) },
    problems: ['not_found'],
  }),
  exportHistory: appOperation({
    ...appRoutes.exportHistory,
    role: 'admin',
    rateClass: 'read',
    summary: 'Write the presses that fit the filters as a file for a spreadsheet, newest first',
    text: "CSV in UTF-8. `time` is the wall clock of the Space's zone. No cell begins a formula.",
    query: closed(fileFilters),
    answers: { 200: Type.String({ contentMediaType: 'text/csv' }) },
    isFile: true,
    problems: [],
  }),
  getHistoryCounts: appOperation({
    ...appRoutes.getHistoryCounts,
    role: 'admin',
    isCompressed: true,
    rateClass: 'read',
    summary: 'Count the presses of the last 30 days, by day and class',
    text: "Days are those of the Space's zone, today included. What still runs is not counted.",
    answers: {
      200: closed({ timezone: Type.String(), days: Type.Array(DayCounts, { maxItems: historyDays }) }),
    },
    problems: [],
  }),
}
