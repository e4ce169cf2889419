// Gateways whose beats cannot be read, because their programs are too old. This decides nothing; it only informs people.

import { isoTime, type World } from '@callgate/world/world'
import type { Database } from '../database/database.ts'
import { timeIn } from '../database/databaseTime.ts'

export interface OldProgramColumns {
  readonly tooOldAt: string | null
  readonly tooOldVersion: string | null
}

/** A gateway beats every 10 s. Its row is written once in this time. */
const notedEveryMs = 2 * 60_000
/** How long it is reported after the last note. */
const toldForMs = 5 * 60_000

/** The version of the program that a payload names: in its body, or beside it. Undefined: none that can be printed. */
export function versionIn(payload: Uint8Array): string | undefined {
  const read = (text: unknown): Record<string, unknown> => {
    try {
      const value: unknown = typeof text === 'string' ? JSON.parse(text) : text
      return typeof value === 'object' && value !== null ? { ...value } : {}
    } catch {
      return {}
    }
  }
  const message = read(Buffer.from(payload).toString('utf8'))
  const version = read(message['body'])['version'] ?? message['version']
  return typeof version === 'string' && /^\d[0-9A-Za-z.+-]{0,31}$/.test(version) ? version : undefined
}

/** Notes gateways whose beats could not be read, each once in two minutes. */
export function oldPrograms({ database, world }: { readonly database: Database; readonly world: World }) {
  const notedMs = new Map<string, number>()
  return async (gatewayId: string, payload: Uint8Array): Promise<void> => {
    const nowMs = world.monotonicMs()
    if (nowMs - (notedMs.get(gatewayId) ?? Number.NEGATIVE_INFINITY) < notedEveryMs) return
    notedMs.set(gatewayId, nowMs)
    const row = await database.knex('gateways').where({ id: gatewayId, revokedAt: null }).first('spaceId')
    if (!row) return
    const { spaceId } = row
    const version = versionIn(payload)
    world.log.warn('the program of a gateway is too old', { gatewayId, version })
    const noted = { tooOldVersion: version ?? null }
    await database.write(
      tx =>
        tx('gateways')
          .where({ id: gatewayId, spaceId })
          .update({ ...noted, tooOldAt: isoTime(timeIn(tx, world)) }),
      { spaceId },
    )
  }
}

/** Whether the program of a gateway is too old now, and its version; null where nothing says so. */
export function oldProgramOf(
  { tooOldAt, tooOldVersion }: OldProgramColumns,
  nowMs: number,
): { readonly version: string | null } | null {
  return tooOldAt !== null && nowMs - Date.parse(tooOldAt) < toldForMs ? { version: tooOldVersion } : null
}

/** The same in words. */
export const sayOldProgram = ({ version }: { readonly version: string | null }): string =>
  version === null ? 'its program is too old' : `its program is too old: ${version}`
