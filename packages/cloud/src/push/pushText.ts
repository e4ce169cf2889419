// The sentence behind a push: read when a browser with the session of its user asks, and never sent to a push service.

import type { PushMessage } from '@callgate/contract/app/pushMessage'
import { openingClassOf } from '@callgate/contract/call/openingClass'
import type { Language } from '@callgate/contract/language'
import { type IncidentRow, targetNames } from '../alert/incidentRows.ts'
import type { OpeningRow } from '../core/opening.ts'
import type { Db } from '../database/database.ts'
import { alertWordings } from '../mail/alertWording.ts'
import { wordings } from '../mail/wording.ts'
import { fill } from '../text/fill.ts'
import { formFor } from '../text/plural.ts'
import { pushWordings } from './pushWording.ts'

async function openingSentence(db: Db, { id, spaceId }: PushMessage, language: Language) {
  const row = await db<OpeningRow>('openings')
    .where({ id: id ?? '', spaceId })
    .first()
  if (!row) return undefined
  const { opened, probablyOpened } = pushWordings[language]
  const sentence = openingClassOf(row as OpeningRow) === 'probably_opened' ? probablyOpened : opened
  return fill(sentence, { name: row.actorName, gate: row.gateName })
}

/** What one incident is, or how many go on where the push was about several. */
async function alertSentence(db: Db, { id, spaceId }: PushMessage, language: Language) {
  const wording = alertWordings[language]
  const incidents = () => db<IncidentRow>('incidents').where({ spaceId }).whereNotNull('openedAt')
  const rows: IncidentRow[] = await (id === null
    ? incidents().whereNull('closedAt')
    : incidents().where({ id }))
  const [row] = rows
  if (!row) return undefined
  const count = rows.length
  if (count > 1) return fill(formFor(wording.goOn, count, wordings[language].locale), { count })
  const { begun, over } = wording.kinds[row.kind]
  const names = await targetNames(db, rows)
  return fill(row.closedAt === null ? begun : over, { name: names.get(row.targetId) ?? '' })
}

/** The text in the language of the user; undefined where what it is about is not there any more. */
export async function readPushText(
  db: Db,
  message: PushMessage,
  userId: string,
): Promise<{ readonly title: string; readonly text: string } | undefined> {
  const user = await db('users').where({ id: userId }).first('language')
  const space = await db('spaces').where({ id: message.spaceId }).first('name')
  const sentence = message.kind === 'alert' ? alertSentence : openingSentence
  const text = await sentence(db, message, user?.language ?? 'en')
  return space && text !== undefined ? { title: space.name, text } : undefined
}
