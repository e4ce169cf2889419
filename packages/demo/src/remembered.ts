// What the demo remembers from one start to the next: the ids of what it made, in demo.json of the data folder.

import { readJson, writePrivately } from './folder.ts'
import { member, text, texts } from './json.ts'

export interface RememberedGateway {
  readonly gatewayId: string
  readonly mqttPassword: string
  readonly cloudKeys: readonly string[]
}

export interface Remembered {
  readonly spaceId?: string
  readonly gateway?: RememberedGateway
  /** The guest. */
  readonly memberId?: string
  /** The demo keys that are not revoked yet. */
  readonly apiKeyIds: readonly string[]
  /** By far end: the gate, and the network whose profile it has. */
  readonly gates: Readonly<Record<string, { readonly id: string; readonly profileFor?: string }>>
}

export const nothingRemembered: Remembered = { apiKeyIds: [], gates: {} }

/** The gateway of what `gateway add` prints, or of demo.json. */
export function readGateway(value: unknown): RememberedGateway | undefined {
  const gatewayId = text(value, 'gatewayId')
  const mqttPassword = text(value, 'mqttPassword')
  const cloudKeys = texts(value, 'cloudKeys')
  return gatewayId && mqttPassword && cloudKeys.length > 0
    ? { gatewayId, mqttPassword, cloudKeys }
    : undefined
}

/** What demo.json says, as far as it can be understood: the rest is made anew. */
export function readRemembered(value: unknown): Remembered {
  const spaceId = text(value, 'spaceId')
  if (!spaceId) return nothingRemembered
  const memberId = text(value, 'memberId')
  const gateway = readGateway(member(value, 'gateway'))
  const gates = member(value, 'gates')
  const known = Object.entries(typeof gates === 'object' && gates !== null ? gates : {}).flatMap(
    ([farEnd, gate]) => {
      const id = text(gate, 'id')
      const profileFor = text(gate, 'profileFor')
      return id ? [[farEnd, profileFor ? { id, profileFor } : { id }] as const] : []
    },
  )
  return {
    spaceId,
    ...(gateway && { gateway }),
    ...(memberId && { memberId }),
    apiKeyIds: texts(value, 'apiKeyIds'),
    gates: Object.fromEntries(known),
  }
}

export interface Memory {
  known(): Remembered
  /** Changes what is known, and writes it: a start that is cut short is taken up by the next. */
  keep(change: Partial<Remembered>): Promise<void>
}

/** The memory in a file. */
export async function openMemory(path: string): Promise<Memory> {
  let known = readRemembered(await readJson(path))
  let written = Promise.resolve()
  return {
    known: () => known,
    keep(change) {
      known = { ...known, ...change }
      const write = () => writePrivately(path, known)
      written = written.then(write, write)
      return written
    },
  }
}
