// For tests: a photo of a gate, as a canvas of Chromium wrote it, and its row.

import { createHash } from 'node:crypto'
import type { Database } from '../database/database.ts'

/** 8 × 6 pixels, without metadata. */
const jpeg =
  '/9j/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZGNywtQFdBRkxOUlNSMj5aYVpQYEpRUk//2wBDAQ4ODhMREyYVFSZPNS01T09PT09P' +
  'T09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT0//wAARCAAGAAgDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAP/xAAcEAABAwUA' +
  'AAAAAAAAAAAAAAAAEhNRAQMUI1P/xAAVAQEBAAAAAAAAAAAAAAAAAAADBf/EABgRAAMBAQAAAAAAAAAAAAAAAAABAhEx/9oADAMBAAIRAxEAPwCzlnHQxt6LrMAANSlw' +
  'g1TrNP/Z'

const bytes = Buffer.from(jpeg, 'base64')

const hashOf = (photo: Buffer) => createHash('sha256').update(photo).digest('base64url').slice(0, 22)

export const examplePhoto = { jpeg, bytes, hash: hashOf(bytes) }

/** Gives the gate a photo. */
export async function putPhoto(
  { knex }: Pick<Database, 'knex'>,
  place: { readonly spaceId: string; readonly gateId: string },
  photo: Buffer = bytes,
): Promise<void> {
  const columns = { jpeg: photo.toString('base64'), hash: hashOf(photo) }
  await knex('gatePhotos').insert({ ...place, ...columns, setAt: '2026-03-20T12:00:00.000Z' })
}
