// Openings in a row that say the same, such as a gate that one key opens each hour. A list shows them as one row.

import type { OpeningRecord } from '@callgate/contract/app/openingRecord'
import { alike as english } from '../words/en/alike.ts'
import { inLanguage } from '../words/inLanguage.ts'
import { alike as romanian } from '../words/ro/alike.ts'
import { timeOfDay } from '../words/time.ts'
import type { Reader } from './gateWords.ts'

/** Two are as high as one row and its arrow. */
const fewest = 3

/** The texts of rows that stand for several. */
const alikeTexts = inLanguage(english, romanian)

/** All that a row says of an opening, but its time. */
const saidOf = (record: OpeningRecord): string => {
  const { by, class: kind, gateId, joinedOpeningId, joiners, openedBy, reason, safeToRetry, seen } = record
  // A user is said as `You` or by name; two keys or members of one name are said alike.
  const who = [by.kind, by.kind === 'user' ? by.id : '', openedBy.name]
  return JSON.stringify([gateId, kind, reason, safeToRetry, seen, joinedOpeningId !== null, joiners, who])
}

/** The rows of a list, newest first: each holds one opening, or several neighbours that say the same. */
export function foldAlike(records: readonly OpeningRecord[]): readonly (readonly OpeningRecord[])[] {
  const runs: OpeningRecord[][] = []
  for (const record of records) {
    const run = runs.at(-1)
    const isMore = run?.[0] !== undefined && record.class !== 'running' && saidOf(run[0]) === saidOf(record)
    if (isMore) run.push(record)
    else runs.push([record])
  }
  return runs.flatMap(run => (run.length < fewest ? run.map(one => [one]) : [run]))
}

/** What a row says, with the number of openings that it stands for: `Opened, 6 times`. */
export const sayTimes = (what: string, { length }: readonly OpeningRecord[], { words }: Reader): string =>
  length === 1 ? what : alikeTexts(words).times(what, length)

/** When the first and the last of a row were, on one day: `06:02 to 11:02`. Empty for a single one. */
export function saySpan(records: readonly OpeningRecord[], { times, words }: Reader): string {
  if (records.length === 1) return ''
  const at = (record: OpeningRecord | undefined) => timeOfDay(record?.calledAt ?? '', times)
  return alikeTexts(words).span(at(records.at(-1)), at(records[0]))
}
