// The Spaces that a crowd presses in: gates with many keys, gates of guests with a cap, and a gateway each.

import { createHash } from 'node:crypto'
import type { Database } from '@callgate/cloud/database/database'
import { createApiKey } from '@callgate/cloud/space/apiKeys'
import { setOwnLimits } from '@callgate/cloud/space/plans'
import { createSpace } from '@callgate/cloud/space/spaces'
import { callProfile } from '@callgate/contract/call/callProfile'
import { scopeNames } from '@callgate/contract/rest/scope'
import { newId } from '@callgate/world/ids'
import { realWorld } from '@callgate/world/real'
import { isoTime } from '@callgate/world/world'
import { fleetKey, fleetPassword } from '../../commands/bench/fleetData.ts'

export interface Tenant {
  readonly spaceId: string
  readonly gateId: string
  readonly gatewayId: string
  readonly keys: readonly string[]
}

const world = realWorld({ logLevel: 'silent' })
const digest = (text: string) => createHash('sha256').update(text).digest('hex')

/** A number for one gate alone: two Spaces with one number are never called at once. */
const numberOf = (gateId: string) =>
  `+40722${String(Number.parseInt(digest(gateId).slice(0, 8), 16) % 1_000_000).padStart(6, '0')}`

/** A Space with a gate, its gateway, and the given number of keys. It may have `gateLimit` gates. */
export async function newTenant(
  database: Database,
  given: { readonly keys: number; readonly coolDownMs: number; readonly gateLimit?: number },
): Promise<Tenant> {
  const place = { plan: 'business', country: 'RO', timezone: 'Europe/Bucharest' } as const
  const { spaceId } = await createSpace({ database, world }, { name: 'Space', ...place })
  const { coolDownMs, gateLimit } = given
  if (gateLimit !== undefined)
    await setOwnLimits({ database, world }, { spaceId, limits: { gateLimit }, actor: 'operator' })
  const [gateId, gatewayId] = [newId(world, 'gate'), newId(world, 'gw')]
  const createdAt = isoTime(world.nowMs())
  const profile = callProfile({ mode: 'reject', coolDownMs, learned: true, discriminating: true })
  const gate = { id: gateId, spaceId, phoneNumber: numberOf(gateId), name: 'Gate', location: '', createdAt }
  const gateway = {
    id: gatewayId,
    spaceId,
    name: 'Pi',
    createdAt,
    passwordHash: digest(fleetPassword(gatewayId)),
  }
  await database.write(
    async tx => {
      await tx('gates').insert({ ...gate, isActive: true, callProfile: JSON.stringify(profile) })
      await tx('gateways').insert({ ...gateway, publicKey: fleetKey(gatewayId).publicKey })
    },
    { spaceId },
  )
  const keys: string[] = []
  while (keys.length < given.keys) {
    const key = {
      spaceId,
      name: `Key ${keys.length}`,
      scopes: scopeNames,
      expiresAt: null,
      actor: 'operator',
    }
    keys.push((await createApiKey({ database, world }, key))?.key ?? '')
  }
  return { spaceId, gateId, gatewayId, keys }
}
