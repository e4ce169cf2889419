// Furnishes a house: the Space with its keys, gateway and gates, by the same commands and requests as the demo's.

import { join } from 'node:path'
import type { BundlePaths } from '../../../packages/demo/src/bundles.ts'
import type { Callgate } from '../../../packages/demo/src/callgate.ts'
import {
  allScopes,
  openGateway,
  openSpace,
  privateKeyFileName,
} from '../../../packages/demo/src/demoSpace.ts'
import { writePrivately } from '../../../packages/demo/src/folder.ts'
import { member, text } from '../../../packages/demo/src/json.ts'
import type { RunningParts } from '../../../packages/demo/src/parts.ts'
import { type Memory, openMemory } from '../../../packages/demo/src/remembered.ts'
import type { Result } from '../../../packages/demo/src/result.ts'
import { type GatewayPlace, type Layout, moduleAt } from './layout.ts'

export interface ChaosGate {
  readonly id: string
  readonly phoneNumber: string
  /** The cool-down in the profile of the gate. */
  readonly coolDownMs: number
}

/** An API key that presses gates, within its rate limits. */
export interface ChaosActor {
  readonly apiKeyId: string
  readonly apiKey: string
}

export function must<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.message)
  return result.value
}

/**
 * Repeats a command that fails: on a busy machine it may not reach the database in time. What a failed try has written stays in
 * the database.
 */
function patient(callgate: Callgate, tries = 3): Callgate {
  return {
    ...callgate,
    async command(...args) {
      for (let left = tries; ; left--) {
        const done = await callgate.command(...args)
        if (done.ok || left <= 1) return done
      }
    },
  }
}

/** What is in the house. */
export type Furniture = Awaited<ReturnType<typeof furnish>>

/** Creates the Space with its keys, gateways and gates. The gateways do not run yet. */
export async function furnish(
  { folder, other, phoneNumbers, place }: Layout,
  actorCount: number,
  bundles: BundlePaths,
  impatient: Callgate,
  commands: RunningParts,
) {
  const callgate = patient(impatient)
  const memory = await openMemory(join(folder, 'chaos.json'))
  const space = { callgate, parts: commands, memory, network: 'fast', gatewayFolder: place.folder } as const
  const spaceId = must(await openSpace(space))
  must(await callgate.command('space', 'limits', '--space', spaceId, '--gates', String(phoneNumbers.length)))
  const actors: ChaosActor[] = []
  // One after the other: each command is a process, and the machine may be busy.
  for (let place = 0; place < actorCount; place++) {
    const given = ['--space', spaceId, '--name', `Actor ${place}`, '--scopes', allScopes.join(',')]
    const made = must(await callgate.command('key', 'create', ...given))
    actors.push({ apiKey: text(made, 'key') ?? '', apiKeyId: text(made, 'apiKeyId') ?? '' })
  }
  const addGateway = async (of: GatewayPlace, ownMemory: Memory) => {
    const own = { ...space, memory: ownMemory, gatewayFolder: of.folder }
    const gateway = must(await openGateway(own, spaceId, bundles.gateway))
    await writePrivately(join(of.folder, 'callgate-gateway.yaml'), {
      ...gateway,
      mqttUrl: `mqtt://127.0.0.1:${of.proxy.port}`,
      privateKeyFile: join(of.folder, privateKeyFileName),
      serialPort: of.modem.pattern,
      dataFolder: of.folder,
      logLevel: 'info',
    })
    return gateway.gatewayId
  }
  const first = await addGateway(place, memory)
  const gatewayIds: readonly [first: string, other?: string] = other
    ? [first, await addGateway(other, await openMemory(join(folder, 'other.json')))]
    : [first]
  const gates: ChaosGate[] = []
  for (const [place, phoneNumber] of phoneNumbers.entries()) {
    const body = { name: `Gate ${place}`, phoneNumber, location: 'Chaos' }
    const { apiKey = '' } = actors[place % actors.length] ?? {}
    const made = must(await callgate.request(apiKey, 'POST', '/api/v1/gates', body))
    const id = text(member(made, 'gate'), 'id') ?? ''
    const path = `/api/v1/gates/${id}/profile`
    const kept = must(await callgate.request(apiKey, 'PATCH', path, moduleAt(place).profile))
    const coolDownMs = member(member(kept, 'profile'), 'coolDownMs')
    if (typeof coolDownMs !== 'number') throw new Error('the profile has no cool-down')
    // A press first asks the gateway whose number the gate knows.
    const known = ['--gate', id, '--gateway', first, '--number-known', 'yes']
    if (other) must(await callgate.command('gate', 'gateways', ...known))
    gates.push({ id, phoneNumber, coolDownMs })
  }
  return { actors, gates, gatewayIds, spaceId }
}
