// Which of the cloud's keys the gateways of all Spaces trust, by their last beats.

import type { Beat } from '@callgate/contract/wire/messages'
import { counted } from '../core/counted.ts'
import { type Held, trustOf } from '../core/keyChoice.ts'
import type { Db } from '../database/database.ts'

/**
 * `trusts`: it trusts the newest key. `waits`: its next beat is answered with the new keys. `left_behind`: it trusts other keys,
 * and cannot be told the new ones. `says_nothing`: its daemon is too old to be told. `never_heard`: it was added, and has sent no
 * beat.
 */
export type TrustStatus = 'trusts' | 'waits' | 'left_behind' | 'says_nothing' | 'never_heard'

export interface GatewayTrust {
  readonly gatewayId: string
  readonly name: string
  readonly spaceId: string
  readonly standing: TrustStatus
  readonly lastBeatAt: string | null
}

function statusOf(held: Held, lastBeat: string | null): TrustStatus {
  if (lastBeat === null) return 'never_heard'
  const { trusts } = JSON.parse(lastBeat) as Beat
  const { kind } = trustOf(held, trusts)
  if (kind === 'left_behind' || kind === 'says_nothing') return kind
  const newest = held.keys.at(-1)?.keyId
  return newest !== undefined && trusts?.keyIds.includes(newest) ? 'trusts' : 'waits'
}

/** How many gateways trust a key; `key` is its name in the sentence. */
export function sayTrusting(gateways: readonly Pick<GatewayTrust, 'standing'>[], key: string): string {
  const trusting = gateways.filter(({ standing }) => standing === 'trusts').length
  const verb = trusting === 1 ? 'trusts' : 'trust'
  return gateways.length === 0
    ? 'there is no gateway yet'
    : `${trusting} of ${counted(gateways.length, 'gateway')} ${verb} ${key}`
}

/** The trust of each gateway that is not revoked, oldest first. Unchanged beats may be a minute old. */
export async function readGatewayTrust(db: Db, held: Held): Promise<readonly GatewayTrust[]> {
  const rows: {
    id: string
    name: string
    spaceId: string
    lastBeat: string | null
    lastBeatAt: string | null
  }[] = await db('gateways')
    .select('id', 'name', 'spaceId', 'lastBeat', 'lastBeatAt')
    .whereNull('revokedAt')
    .orderBy(['createdAt', 'id'])
  return rows.map(({ id, lastBeat, lastBeatAt, name, spaceId }) => {
    const standing = statusOf(held, lastBeat)
    return { gatewayId: id, name, spaceId, standing, lastBeatAt }
  })
}
