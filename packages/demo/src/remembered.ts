// What the demo remembers between starts: the ids of what it made, in demo.json in the data folder.

import { readJson, writePrivately } from './folder.ts'
import { member, text, texts } from './json.ts'

export interface RememberedGateway {
  readonly gatewayId: string
  readonly mqttPassword: string
  readonly cloudKeys: readonly string[]
}

/** How the demo's owner signs in to the dashboard. The password was made for this folder alone. */
export interface RememberedOwner {
  readonly email: string
  readonly password: string
}

/** A Space for tests, and its key: it calls nobody, so the key is kept. */
export interface RememberedSandbox {
  readonly spaceId: string
  readonly apiKey: string
}

export interface Remembered {
  readonly spaceId?: string
  readonly sandbox?: RememberedSandbox
  readonly owner?: RememberedOwner
  readonly gateway?: RememberedGateway
  /** The guest. */
  readonly memberId?: string
  /** The demo keys that are not revoked yet. */
  readonly apiKeyIds: readonly string[]
  /** By the name of the far end: the gate, and the network whose profile it has. */
  readonly gates: Readonly<Record<string, { readonly id: string; readonly profileFor?: string }>>
}

export const nothingRemembered: Remembered = { apiKeyIds: [], gates: {} }

/** The gateway, from the output of `gateway add` or from demo.json. */
export function readGateway(value: unknown): RememberedGateway | undefined {
  const gatewayId = text(value, 'gatewayId')
  const mqttPassword = text(value, 'mqttPassword')
  const cloudKeys = texts(value, 'cloudKeys')
  return gatewayId && mqttPassword && cloudKeys.length > 0
    ? { gatewayId, mqttPassword, cloudKeys }
    : undefined
}

/** The owner, from the output of `user create` or from demo.json. */
export function readOwner(value: unknown): RememberedOwner | undefined {
  const email = text(value, 'email')
  const password = text(value, 'password')
  return email && password ? { email, password } : undefined
}

/** The sandbox, from the outputs of its commands or from demo.json. */
export function readSandbox(value: unknown): RememberedSandbox | undefined {
  const spaceId = text(value, 'spaceId')
  const apiKey = text(value, 'apiKey')
  return spaceId && apiKey ? { spaceId, apiKey } : undefined
}

/** The readable part of demo.json; the demo makes the rest again. */
export function readRemembered(value: unknown): Remembered {
  const spaceId = text(value, 'spaceId')
  if (!spaceId) return nothingRemembered
  const memberId = text(value, 'memberId')
  const gateway = readGateway(member(value, 'gateway'))
  const owner = readOwner(member(value, 'owner'))
  const sandbox = readSandbox(member(value, 'sandbox'))
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
    ...(owner && { owner }),
    ...(sandbox && { sandbox }),
    ...(memberId && { memberId }),
    apiKeyIds: texts(value, 'apiKeyIds'),
    gates: Object.fromEntries(known),
  }
}

export interface Memory {
  known(): Remembered
  /** Changes the memory and writes it, so that the next start continues an interrupted one. */
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
