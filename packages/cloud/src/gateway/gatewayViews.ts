// Gateways for the dashboard: the present state of each, by its last beat.

import { sayLack } from '@callgate/contract/call/modemLack'
import { sayTrouble } from '@callgate/contract/call/modemTrouble'
import type { GatewayView } from '@callgate/contract/rest/gatewayView'
import type { Beat } from '@callgate/contract/wire/messages'
import { type Heard, wasOnlineUntil } from '../core/beatHistory.ts'
import type { Db } from '../database/database.ts'
import { statement } from '../database/statement.ts'
import { isCutOff } from './cutOff.ts'
import type { BeatsSeen } from './gatewayRows.ts'
import { type OldProgramColumns, oldProgramOf } from './oldPrograms.ts'

/** The columns that are read to show a gateway. */
export interface ViewRow extends OldProgramColumns {
  readonly id: string
  readonly name: string
  readonly callerNumber: string | null
  readonly publicKey: string
  readonly createdAt: string
  readonly revokedAt: string | null
  /** The stand-in of a sandbox. */
  readonly isStandIn: boolean | number
  readonly cutOffUntil: string | null
  readonly onlineSince: string | null
  readonly lastBeatAt: string | null
  /** JSON. */
  readonly lastBeat: string | null
  readonly heard: Heard | undefined
}

const columns = [
  'id',
  'name',
  'callerNumber',
  'publicKey',
  'createdAt',
  'revokedAt',
  'isStandIn',
  'cutOffUntil',
  'onlineSince',
  'lastBeatAt',
  'lastBeat',
  'tooOldAt',
  'tooOldVersion',
] as const

const viewRows = statement<{ readonly spaceId: string; readonly id?: string }, Omit<ViewRow, 'heard'>>(
  (db, { id, spaceId }) =>
    db('gateways')
      .select(columns)
      .where({ spaceId, ...(id !== undefined && { id }) })
      .orderBy(['createdAt', 'id']),
)

function modemOf({ modem }: Beat): GatewayView['now']['modem'] {
  const { firmware = null, model, operator, registration, signalDbm, state, trouble, voltageMv } = modem
  const said = trouble ? { word: trouble, says: sayTrouble(trouble) } : null
  const lacks = (modem.lacks ?? []).map(word => ({ word, says: sayLack(word) }))
  return {
    state,
    model,
    firmware,
    lacks,
    operator,
    registration,
    signalDbm,
    supplyMv: voltageMv,
    trouble: said,
  }
}

/** The modem of a stand-in, whose calls are those of a SIM800. */
const playedModem: GatewayView['now']['modem'] = {
  state: 'ready',
  model: 'SIM800L',
  firmware: null,
  lacks: [],
  operator: null,
  registration: 'home',
  signalDbm: null,
  supplyMv: null,
  trouble: null,
}

function stateOf(row: ViewRow, nowMs: number): Pick<GatewayView['now'], 'state' | 'since'> {
  const { createdAt, isStandIn, lastBeatAt, onlineSince, revokedAt } = row
  if (isStandIn) return { state: 'online', since: createdAt }
  if (revokedAt !== null) return { state: 'revoked', since: revokedAt }
  if (isCutOff(row, nowMs)) return { state: 'cut_off', since: lastBeatAt }
  if (lastBeatAt === null) return { state: 'new', since: null }
  if (wasOnlineUntil(row.heard, nowMs)) return { state: 'online', since: onlineSince }
  return { state: 'offline', since: lastBeatAt }
}

/** The version of its program, with the commit where it tells one: 1.0.0+0123456789ab. */
const versionOf = ({ commit, version }: Beat) => (commit === undefined ? version : `${version}+${commit}`)

/** The view of a gateway's row at `nowMs`. */
export function toGatewayView(row: ViewRow, nowMs: number): GatewayView {
  const { callerNumber, createdAt, cutOffUntil, id, lastBeat, lastBeatAt, name, publicKey } = row
  const revokedAt = row.isStandIn ? null : row.revokedAt
  const beat = lastBeat === null ? undefined : (JSON.parse(lastBeat) as Beat)
  const { since, state } = stateOf(row, nowMs)
  const now = {
    state,
    since,
    cutOffUntil: state === 'cut_off' ? cutOffUntil : null,
    lastHeardAt: lastBeatAt,
    modem: row.isStandIn ? playedModem : beat ? modemOf(beat) : null,
    version: beat ? versionOf(beat) : null,
    uptimeS: beat?.uptimeS ?? null,
    queueLength: beat?.queueLength ?? null,
    toReport: beat?.toReport.length ?? null,
    tooOld: revokedAt === null ? oldProgramOf(row, nowMs) : null,
  }
  return { id, name, callerNumber, enrolledAt: createdAt, revokedAt, publicKey, now }
}

/** The gateways of a Space from their rows and their last beats, oldest first; with `id` only that one. */
export async function readViewRows(
  db: Db,
  heard: Pick<BeatsSeen, 'now'>,
  spaceId: string,
  id?: string,
): Promise<readonly ViewRow[]> {
  const rows = await viewRows(db, { spaceId, ...(id !== undefined && { id }) })
  return rows.map(row => heard.now(row))
}
