// The proof of an opening: its reports as they were signed, its grant, and the keys, signed as a whole.

import { refuse } from '@callgate/contract/app/refusals'
import type { CallProfile } from '@callgate/contract/call/callProfile'
import { type ProofBody, sealProof } from '@callgate/contract/proof/proof'
import type { Envelope, Grant } from '@callgate/contract/wire/messages'
import { isSignedBy, seal, verifyingKey } from '@callgate/contract/wire/signature'
import { isoTime, type World } from '@callgate/world/world'
import { reachesGate } from '../core/keyRights.ts'
import type { OpeningRow } from '../core/opening.ts'
import type { Database, Db } from '../database/database.ts'
import type { Handlers } from '../http/handler.ts'
import { notFound } from '../http/notFound.ts'
import { findOpening } from '../opening/openingRows.ts'
import type { SigningKeys } from '../secrets/signingKeys.ts'
import { isSandbox } from '../space/spaceModes.ts'
import { toOpening } from './openingReads.ts'
import { keyAt, notedKeys } from './proofKeys.ts'

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

/** The grant as the gateway got it, with the public key that has signed it. */
interface SignedGrant {
  readonly grant: Envelope | null
  readonly grantKey?: string
}

/**
 * The grant of an opening; undefined where its signature was not kept and cannot be computed again. An older version has kept
 * none. A key signs the same bytes in only one way (RFC 8032, section 5.1.6), so the key of that time can sign the grant again.
 */
async function grantOf(db: Db, held: SigningKeys, row: OpeningRow): Promise<SignedGrant | undefined> {
  const { bootId, gatewayId, grantedAt, grantedProfile, grantNonce: nonce, grantSignature } = row
  if (
    gatewayId === null ||
    grantedProfile === null ||
    nonce === null ||
    bootId === null ||
    grantedAt === null
  )
    return { grant: null }
  const callProfile = JSON.parse(grantedProfile) as CallProfile
  const grant: Grant = { granted: true, phoneNumber: row.phoneNumber, callProfile }
  const body = JSON.stringify(grant)
  const message = { type: 'grant', gatewayId, openingId: row.id, nonce, bootId, body } as const
  if (grantSignature === null) {
    const keyId = await keyAt(db, grantedAt)
    const key = keyId === undefined ? held.keys[0] : held.keys.find(one => one.keyId === keyId)
    return key && { grant: JSON.parse(seal(key, message)) as Envelope, grantKey: key.publicKey }
  }
  for (const { key, publicKey } of await notedKeys(db, held.keys)) {
    const envelope = { ...message, keyId: key.keyId, signature: grantSignature }
    if (isSignedBy(envelope, [key])) return { grant: envelope, grantKey: publicKey }
  }
  return undefined
}

function toReport(row: ReportRow, gateways: readonly GatewayKey[]): ProofBody['reports'] {
  const { body, bootId, gatewayId, openingId, receivedAt, seq, signature } = row
  const gateway = gateways.find(({ id }) => id === gatewayId)
  const key = gateway && verifyingKey(gateway.publicKey)
  if (!key) return []
  const sent = { gatewayId, openingId, bootId, seq: Number(seq), body, signature }
  return [{ receivedAt, message: { type: 'report', keyId: key.keyId, ...sent } }]
}

/** The opening that has the call: a joined one has no call of its own. */
async function calledBy(db: Db, row: OpeningRow): Promise<OpeningRow> {
  return row.joinedOpeningId === null ? row : ((await findOpening(db, row.joinedOpeningId)) ?? row)
}

async function proofBodyOf(
  db: Db,
  signed: Pick<ProofBody, 'grant' | 'grantKey'>,
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
    ...signed,
    reports: reports.flatMap(report => toReport(report, gateways)),
  }
}

export function proofHandlers({
  database: { knex },
  signing,
  world,
}: {
  readonly database: Database
  readonly world: World
  readonly signing: () => SigningKeys
}): Pick<Handlers, 'getProof'> {
  return {
    async getProof({ principal, params }) {
      const row = await findOpening(knex, params.openingId)
      if (row?.spaceId !== principal.spaceId || !reachesGate(principal, row.gateId))
        return notFound('opening')
      if (await isSandbox(knex, principal.spaceId)) return refuse('proof_of_sandbox')
      const called = await calledBy(knex, row)
      const held = signing()
      const key = held.keys.at(-1)
      const granted = await grantOf(knex, held, called)
      if (!key || !granted) return refuse('proof_lost')
      const { grant, grantKey } = granted
      // An older program reads a proof without this member; it is left out where one key has signed both.
      const signed = { grant, ...(grantKey !== undefined && grantKey !== key.publicKey && { grantKey }) }
      const text = sealProof(key, await proofBodyOf(knex, signed, { row, called, nowMs: world.nowMs() }))
      return { status: 200, body: { fileName: `callgate-${row.id}.json`, text } }
    },
  }
}
