// The photos of gates: one of each, by which people recognise it. They have a table of their own, which no press reads.

import { createHash } from 'node:crypto'
import type { GatePhoto } from '@callgate/contract/app/gatePhoto'
import { type PhotoFault, photoFault, photoLimits } from '@callgate/contract/photo/jpeg'
import { isProblem, type Problem } from '@callgate/contract/rest/problem'
import { isoTime, type World } from '@callgate/world/world'
import { changeRow, showRow } from '../activity/changeRow.ts'
import type { Database, Db } from '../database/database.ts'
import { timeIn } from '../database/databaseTime.ts'
import type { AppHandlers } from '../http/handler.ts'
import { notFound } from '../http/notFound.ts'
import type { Picture } from '../http/picture.ts'

interface GateOfSpace {
  readonly spaceId: string
  readonly gateId: string
}

interface Found {
  readonly gateName: string
  readonly photo: GatePhoto | null
}

async function findPhoto(db: Db, { gateId, spaceId }: GateOfSpace): Promise<Found | undefined> {
  const row = await db('gates as gate')
    .leftJoin('gatePhotos as photo', 'photo.gateId', 'gate.id')
    .where({ 'gate.id': gateId, 'gate.spaceId': spaceId })
    .first({ gateName: 'gate.name', hash: 'photo.hash', setAt: 'photo.setAt' })
  if (!row) return undefined
  const { gateName, hash, setAt } = row
  return { gateName, photo: hash === null ? null : { hash, setAt } }
}

const photoAt = (place: GateOfSpace) => ({
  find: (db: Db) => findPhoto(db, place),
  none: notFound('gate'),
  show: ({ photo }: Found) => ({ photo }),
})

/** The photo with this hash; undefined where the gate has another one, or none. */
export async function readPhoto(
  db: Db,
  place: GateOfSpace & { readonly hash: string },
): Promise<Picture | undefined> {
  const { gateId, hash, spaceId } = place
  const row = await db('gatePhotos').where({ gateId, hash, spaceId }).first('jpeg')
  return row && { jpeg: Buffer.from(row.jpeg, 'base64') }
}

const faults: Readonly<Record<PhotoFault, string>> = {
  too_many_bytes: `has more than ${photoLimits.bytes} bytes`,
  no_jpeg: 'is not one whole JPEG file',
  has_metadata: 'has metadata: send it without EXIF, comments, profiles and previews',
  no_baseline: 'is not a baseline JPEG of one scan',
  too_large: `is larger than ${photoLimits.width} × ${photoLimits.height} pixels, or empty`,
}

const refused = (why: string): Problem => ({ problem: 'validation_error', message: `jpeg ${why}` })

/** The columns of a photo, or why the text is none. */
function columnsOf(jpeg: string): { readonly jpeg: string; readonly hash: string } | Problem {
  const bytes = Buffer.from(jpeg, 'base64')
  // The decoder skips what is no base64.
  if (bytes.toString('base64') !== jpeg) return refused('is not base64')
  const fault = photoFault(bytes)
  if (fault) return refused(faults[fault])
  return { jpeg, hash: createHash('sha256').update(bytes).digest('base64url').slice(0, 22) }
}

export function gatePhotoHandlers({
  database,
  world,
}: {
  readonly database: Database
  readonly world: World
}): Pick<AppHandlers, 'getGatePhoto' | 'setGatePhoto' | 'showGatePhoto'> {
  return {
    getGatePhoto: ({ params: { gateId }, principal: { spaceId } }) =>
      showRow(database.knex, photoAt({ spaceId, gateId })),

    async setGatePhoto({ body, params: { gateId }, principal, stale, write }) {
      const { spaceId } = principal
      const columns = body.jpeg === null ? undefined : columnsOf(body.jpeg)
      if (isProblem(columns)) return columns
      return changeRow(
        world,
        { principal, stale, write },
        photoAt({ spaceId, gateId }),
        async ({ gateName, photo }, tx) => {
          if (photo?.hash === columns?.hash) return undefined
          const of = { targetId: gateId, targetLabel: gateName, details: { deviceName: gateName } }
          if (!columns) {
            await tx('gatePhotos').where({ gateId, spaceId }).delete()
            return { action: 'gate.photo_removed', ...of }
          }
          const row = { gateId, spaceId, ...columns, setAt: isoTime(timeIn(tx, world)) }
          await tx('gatePhotos').insert(row).onConflict('gateId').merge()
          return { action: 'gate.photo_set', ...of }
        },
      )
    },

    async showGatePhoto({ params: { gateId }, principal: { spaceId }, query: { hash } }) {
      return (await readPhoto(database.knex, { spaceId, gateId, hash })) ?? notFound('photo')
    },
  }
}
