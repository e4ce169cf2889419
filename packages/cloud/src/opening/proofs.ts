// The proof of an opening: its reports as they were signed, its grant, and the keys, signed as a whole.

import type { CallProfile } from '@callgate/contract/call/callProfile'
import { type ProofBody, sealProof } from '@callgate/contract/proof/proof'
import type { Problem } from '@callgate/contract/rest/problem'
import type { Envelope, Grant } from '@callgate/contract/wire/messages'
import { type SigningKey, seal, verifyingKey } from '@callgate/contract/wire/signature'
import { isoTime, type World } from '@callgate/world/world'
import type { OpeningRow } from '../core/opening.ts'
import type { Database, Db } from '../database/database.ts'
import type { AppHandlers } from '../http/handler.ts'
import { findOpening } from './openingRows.ts'
import { toOpening } from './openings.ts'
import { signedAt } from './signingKeys.ts'

const noOpening: Problem = { problem: 'not_found', message: 'There is no opening with this id.' }

const otherKey: Problem = {
  problem: 'conflict',
  message:
    'The cloud has signed with another key when this call was granted, so there is no proof of it any more. A proof that was saved before holds with that key.',
}

interface ReportRow {
  readonly openingId: string
  readonly gatewayId: string
  readonly bootId: string
  readonly seq: number
  readonly body: string
  readonly signature: string
  readonly receivedAt: string
}

interface GatewayKey {
  readonly id: string
  readonly name: string
  readonly publicKey: string
}

/** The grant as the gateway got it. A key signs the same bytes in one way only (RFC 8032, section 5.1.6). */
function grantOf(key: SigningKey, row: OpeningRow): Envelope | null {
  const { bootId, gatewayId, grantedProfile, grantNonce: nonce, id: openingId, phoneNumber } = row
  if (gatewayId === null || grantedProfile === null || nonce === null || bootId === null) return null
  const callProfile = JSON.parse(grantedProfile) as CallProfile
  const grant: Grant = { granted: true, phoneNumber, callProfile }
  const message = { type: 'grant', gatewayId, openingId, nonce, bootId, body: JSON.stringify(grant) } as const
  return JSON.parse(seal(key, message)) as Envelope
}

function toReport(row: ReportRow, gateways: readonly GatewayKey[]): ProofBody['reports'] {
  const { body, bootId, gatewayId, openingId, receivedAt, seq, signature } = row
  const gateway = gateways.find(({ id }) => id === gatewayId)
  const key = gateway && verifyingKey(gateway.publicKey)
  if (!key) return []
  const sent = { gatewayId, openingId, bootId, seq: Number(seq), body, signature }
  return [{ receivedAt, message: { type: 'report', keyId: key.keyId, ...sent } }]
}

/** The opening whose call it is: a joined one has no call of its own. */
async function calledBy(db: Db, row: OpeningRow): Promise<OpeningRow> {
  return row.joinedOpeningId === null ? row : ((await findOpening(db, row.joinedOpeningId)) ?? row)
}

async function bodyOf(
  db: Db,
  key: SigningKey,
  { called, nowMs, row }: { readonly row: OpeningRow; readonly called: OpeningRow; readonly nowMs: number },
): Promise<ProofBody> {
  const { confidence, joinedOpeningId, opened, reason, spaceId } = row
  const reports: ReportRow[] = await db('openingReports')
    .where({ openingId: called.id })
    .orderBy(['receivedAt', 'gatewayId', 'bootId', 'seq'])
  const ids = new Set([...reports.map(({ gatewayId }) => gatewayId), called.gatewayId])
  const gateways: GatewayKey[] = await db('gateways')
    .select('id', 'name', 'publicKey')
    .where({ spaceId })
    .whereIn(
      'id',
      [...ids].filter(id => id !== null),
    )
    .orderBy('id')
  const space = await db('spaces').where({ id: spaceId }).first('name')
  return {
    issuedAt: isoTime(nowMs),
    spaceName: space.name,
    opening: toOpening(row),
    reason,
    opened,
    confidence,
    joinedOpeningId,
    gateways,
    grant: grantOf(key, called),
    reports: reports.flatMap(report => toReport(report, gateways)),
  }
}

export function proofHandlers({
  database: { knex },
  signingKey,
  world,
}: {
  readonly database: Database
  readonly world: World
  readonly signingKey: SigningKey
}): Pick<AppHandlers, 'getProof'> {
  return {
    async getProof({ caller, params }) {
      const row = await findOpening(knex, params.openingId)
      if (row?.spaceId !== caller.spaceId) return noOpening
      const called = await calledBy(knex, row)
      const { grantedAt } = called
      if (grantedAt !== null && !(await signedAt(knex, signingKey, grantedAt))) return otherKey
      const nowMs = world.nowMs()
      const text = sealProof(signingKey, await bodyOf(knex, signingKey, { row, called, nowMs }))
      return { status: 200, body: { fileName: `callgate-${row.id}.json`, text } }
    },
  }
}
