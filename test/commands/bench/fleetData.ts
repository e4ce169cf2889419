// The data of a fleet: Spaces with a gate and keys each, and gateways whose secrets are derived from their ids.

import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { openDatabase } from '@callgate/cloud/database/database'
import { migrate } from '@callgate/cloud/database/migrate'
import { createApiKey } from '@callgate/cloud/space/apiKeys'
import { createSpace } from '@callgate/cloud/space/spaces'
import { callProfile } from '@callgate/contract/call/callProfile'
import { signingKey } from '@callgate/contract/wire/signature'
import { newId } from '@callgate/world/ids'
import { realWorld } from '@callgate/world/real'
import { isoTime } from '@callgate/world/world'

/** A gate of a Space of its own, with keys that open it. */
export interface FleetGate {
  readonly spaceId: string
  readonly gateId: string
  readonly keys: readonly string[]
}

export interface FleetData {
  readonly gates: readonly FleetGate[]
  readonly gatewayIds: readonly string[]
}

/** A key opens ten times a minute. */
const keysOfGate = 6

const digest = (text: string) => createHash('sha256').update(text).digest()
/** The key pair and the password of a gateway, derived so that two processes need not exchange them. */
export const fleetKey = (gatewayId: string) => signingKey(digest(`key of ${gatewayId}`))
export const fleetPassword = (gatewayId: string) => digest(`password of ${gatewayId}`).toString('base64url')

/** Makes the data. The gateways are shared among the Spaces. */
export async function furnishFleet(dataFolder: string, gateways: number, spaces: number): Promise<FleetData> {
  const world = realWorld({ logLevel: 'silent' })
  const database = await openDatabase({ url: join(dataFolder, 'callgate.sqlite') })
  await migrate(database)
  const createdAt = isoTime(world.nowMs())
  const profile = callProfile({ mode: 'reject', coolDownMs: 0, learned: true, discriminating: true })
  const gates: FleetGate[] = []
  while (gates.length < spaces) {
    const place = { plan: 'business', country: 'RO', timezone: 'Europe/Bucharest' } as const
    const { spaceId } = await createSpace({ database, world }, { name: `Space ${gates.length}`, ...place })
    const gateId = newId(world, 'gate')
    const phoneNumber = `+4072${String(gates.length).padStart(7, '0')}`
    const gate = { id: gateId, spaceId, phoneNumber, name: 'Gate', location: '', isActive: true, createdAt }
    await database.write(tx => tx('gates').insert({ ...gate, callProfile: JSON.stringify(profile) }))
    const keys: string[] = []
    while (keys.length < keysOfGate) {
      const given = { spaceId, name: `Key ${keys.length}`, expiresAt: null, actor: 'operator' }
      keys.push((await createApiKey({ database, world }, { ...given, scopes: ['gates:open'] }))?.key ?? '')
    }
    gates.push({ gateId, keys, spaceId })
  }
  const gatewayIds = Array.from({ length: gateways }, () => newId(world, 'gw'))
  await database.write(async tx => {
    for (const [place, id] of gatewayIds.entries()) {
      const spaceId = gates[place % spaces]?.spaceId ?? ''
      const passwordHash = digest(fleetPassword(id)).toString('hex')
      const { publicKey } = fleetKey(id)
      await tx('gateways').insert({ id, spaceId, name: `Pi ${place}`, publicKey, passwordHash, createdAt })
    }
  })
  await database.close()
  return { gates, gatewayIds }
}
