// Fixtures of reports: a report reduced to the modem's lines, with its source, in a folder whose files a test replays.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RecordedCall, Recording } from '@callgate/modem/record/recording'
import { recordingLines } from '@callgate/modem/record/recordingText'
import { framed } from '@callgate/modem/record/reportFile'

export const fixtureFolder = join(import.meta.dirname, '../../../packages/modem/fixtures/reports')
const ending = '.report'

export const fixtureFile = (name: string) => join(fixtureFolder, `${name}${ending}`)

/** The names of all fixtures. */
export const fixtureNames = (): readonly string[] =>
  readdirSync(fixtureFolder)
    .filter(file => file.endsWith(ending))
    .map(file => file.slice(0, -ending.length))

export const readFixture = (name: string) => readFileSync(fixtureFile(name), 'utf8')

/** The text of a fixture: where its lines are from, in a sentence, and the recording. */
export const fixtureText = (source: string, recording: Recording) =>
  `# ${source}\n${framed(recordingLines(recording))}`

/** The source of a fixture. */
export const sourceOf = (text: string) => /^# (.+)$/m.exec(text)?.[1]

/** Writes down which gates moved: `1=yes,3=no`, by the numbers of the calls. Undefined for a text of another form. */
export function withMoves(calls: readonly RecordedCall[], text: string): readonly RecordedCall[] | undefined {
  const moves = new Map<number, boolean>()
  for (const part of text.split(',')) {
    const [, number, said] = /^ *(\d+) *= *(yes|no) *$/.exec(part) ?? []
    if (number === undefined || !calls[Number(number) - 1]) return undefined
    moves.set(Number(number) - 1, said === 'yes')
  }
  return calls.map((call, place) => {
    const hasMoved = moves.get(place)
    return hasMoved === undefined ? call : { ...call, hasMoved }
  })
}
