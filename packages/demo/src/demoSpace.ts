// The demo Space with its key, gateway, gates and guest, each made once and found again at the next start.

import { rm, stat } from 'node:fs/promises'
import type { Callgate } from './callgate.ts'
import { wait } from './clock.ts'
import { type DemoGate, demoGates, learnedProfile, type NetworkName } from './demoGates.ts'
import { writePrivately } from './folder.ts'
import { member, number, parseJson, text } from './json.ts'
import type { ReadyGate } from './message.ts'
import type { RunningParts } from './parts.ts'
import {
  type Memory,
  type RememberedGateway,
  type RememberedOwner,
  type RememberedSandbox,
  readGateway,
  readOwner,
  readSandbox,
} from './remembered.ts'
import { done, failed, type Result } from './result.ts'

export interface DemoSpaceOptions {
  readonly callgate: Callgate
  readonly parts: RunningParts
  readonly memory: Memory
  readonly network: NetworkName
  /** The folder of the gateway's private key, where profiles may be written for the command line. */
  readonly gatewayFolder: string
}

export const privateKeyFileName = 'gateway.key'

/** The scopes of the demo's keys: all but the one for addresses of members. */
export const allScopes = [
  'gates:read',
  'gates:write',
  'gates:open',
  'members:read',
  'members:write',
  'history:read',
  'webhooks:read',
  'webhooks:write',
] as const

function expected<T>(value: T | undefined, what: string): Result<T> {
  return value === undefined ? failed(`callgate did not say ${what}`) : done(value)
}

/** The id of the demo Space. */
export async function openSpace({ callgate, memory }: DemoSpaceOptions): Promise<Result<string>> {
  const { spaceId } = memory.known()
  if (spaceId) return done(spaceId)
  const made = await callgate.command('space', 'create', '--name', 'Demo', '--plan', 'pro', '--country', 'RO')
  if (!made.ok) return made
  const id = expected(text(made.value, 'spaceId'), 'the id of the Space')
  if (id.ok) await memory.keep({ spaceId: id.value })
  return id
}

const ownerEmail = 'owner@callgate.example'

/** How the owner signs in. A user of an earlier demo.json on the same data gets a role in this Space, and a new password. */
async function openOwner(
  { callgate, memory }: DemoSpaceOptions,
  spaceId: string,
): Promise<Result<RememberedOwner>> {
  const known = memory.known().owner
  if (known) return done(known)
  const user = ['--email', ownerEmail]
  const inSpace = [...user, '--space', spaceId, '--role', 'owner']
  let made = await callgate.command(
    'user',
    'create',
    ...inSpace,
    '--name',
    'Olga Marin',
    '--generate-password',
  )
  if (!made.ok) {
    const given = await callgate.command('user', 'set-role', ...inSpace)
    if (!given.ok) return given
    made = await callgate.command('user', 'password', ...user, '--generate-password')
  }
  if (!made.ok) return made
  const password = text(made.value, 'password')
  const owner = expected(readOwner({ email: ownerEmail, password }), 'the password of the owner')
  if (owner.ok) await memory.keep({ owner: owner.value })
  return owner
}

/** A new key with all scopes; the keys of earlier starts are revoked. */
async function freshKey({ callgate, memory }: DemoSpaceOptions, spaceId: string): Promise<Result<string>> {
  const old = memory.known().apiKeyIds
  const given = ['--space', spaceId, '--name', 'Demo', '--scopes', allScopes.join(',')]
  const [made, ...revoked] = await Promise.all([
    callgate.command('key', 'create', ...given),
    ...old.map(apiKeyId => callgate.command('key', 'revoke', '--key', apiKeyId)),
  ])
  const apiKeyIds = old.filter((_, index) => !revoked[index]?.ok)
  const apiKeyId = made.ok ? text(made.value, 'apiKeyId') : undefined
  await memory.keep({ apiKeyIds: apiKeyId ? [...apiKeyIds, apiKeyId] : apiKeyIds })
  return made.ok ? expected(text(made.value, 'key'), 'the key') : made
}

/** A sandbox with a test key, made once. */
async function openSandbox({ callgate, memory }: DemoSpaceOptions): Promise<Result<RememberedSandbox>> {
  const known = memory.known().sandbox
  if (known) return done(known)
  const given = ['--name', 'Demo tests', '--plan', 'pro', '--country', 'RO']
  const space = await callgate.command('space', 'create', '--sandbox', ...given)
  if (!space.ok) return space
  const spaceId = text(space.value, 'spaceId')
  const ofKey = ['--space', spaceId ?? '', '--name', 'Tests', '--scopes', allScopes.join(',')]
  const key = await callgate.command('key', 'create', ...ofKey)
  if (!key.ok) return key
  const sandbox = expected(readSandbox({ spaceId, apiKey: text(key.value, 'key') }), 'the key of the sandbox')
  if (sandbox.ok) await memory.keep({ sandbox: sandbox.value })
  return sandbox
}

export interface OpenedSpaces {
  readonly spaceId: string
  readonly apiKey: string
  readonly owner: RememberedOwner
  readonly sandbox: RememberedSandbox
}

/** The demo Space with a fresh key and its owner, and the sandbox. */
export async function openSpaces(options: DemoSpaceOptions): Promise<Result<OpenedSpaces>> {
  const space = await openSpace(options)
  if (!space.ok) return space
  const spaceId = space.value
  const [key, owner, sandbox] = await Promise.all([
    freshKey(options, spaceId),
    openOwner(options, spaceId),
    openSandbox(options),
  ])
  if (!key.ok) return key
  if (!owner.ok) return owner
  if (!sandbox.ok) return sandbox
  return done({ spaceId, apiKey: key.value, owner: owner.value, sandbox: sandbox.value })
}

/** The gateway's login; its private key is in `gatewayFolder`. */
export async function openGateway(
  options: DemoSpaceOptions,
  spaceId: string,
  bundle: string,
): Promise<Result<RememberedGateway>> {
  const keyFile = `${options.gatewayFolder}/${privateKeyFileName}`
  const known = options.memory.known().gateway
  if (known && (await stat(keyFile).catch(() => undefined))) return done(known)
  await rm(keyFile, { force: true })
  const printed = await options.parts.run([bundle, 'keygen', '--out', keyFile, '--json'])
  if (!printed.ok) return printed
  const publicKey = expected(text(parseJson(printed.value), 'publicKey'), 'the public key of the gateway')
  if (!publicKey.ok) return publicKey
  const given = ['--space', spaceId, '--name', 'Demo gateway', '--public-key', publicKey.value]
  const added = await options.callgate.command('gateway', 'add', ...given)
  if (!added.ok) return added
  const gateway = expected(readGateway(added.value), 'how the gateway connects')
  if (gateway.ok) await options.memory.keep({ gateway: gateway.value })
  return gateway
}

async function makeGate(callgate: Callgate, apiKey: string, gate: DemoGate): Promise<Result<string>> {
  const { farEnd, name, phoneNumber } = gate
  const made = await callgate.request(apiKey, 'POST', '/api/v1/gates', {
    name,
    phoneNumber,
    location: 'Demo',
    description: `The module behind this number: ${farEnd}`,
  })
  if (!made.ok) return made
  return expected(text(member(made.value, 'gate'), 'id'), `the id of ${name}`)
}

/** Gives the gates the profiles that a calibration would find, when the network has changed. */
async function teachGates({
  callgate,
  gatewayFolder,
  memory,
  network,
}: DemoSpaceOptions): Promise<Result<void>> {
  const taught = await Promise.all(
    Object.entries(memory.known().gates).map(async ([farEnd, gate]) => {
      const profile = learnedProfile(farEnd, network)
      if (!profile || gate.profileFor === network) return done(undefined)
      const file = `${gatewayFolder}/${farEnd}.json`
      await writePrivately(file, profile)
      const told = await callgate.command('gate', 'profile', '--gate', gate.id, '--file', file)
      if (!told.ok) return told
      await memory.keep({
        gates: { ...memory.known().gates, [farEnd]: { id: gate.id, profileFor: network } },
      })
      return done(undefined)
    }),
  )
  return taught.find(told => !told.ok) ?? done(undefined)
}

/** The four gates. A gate that was changed or deactivated since the last start is replaced. */
export async function openGates(
  options: DemoSpaceOptions,
  apiKey: string,
): Promise<Result<readonly ReadyGate[]>> {
  const { callgate, memory } = options
  const listed = await callgate.request(apiKey, 'GET', '/api/v1/gates')
  if (!listed.ok) return listed
  const found = member(listed.value, 'gates')
  const isIntact = (id: string, { phoneNumber }: DemoGate) =>
    Array.isArray(found) &&
    found.some(
      gate =>
        text(gate, 'id') === id &&
        text(gate, 'phoneNumber') === phoneNumber &&
        member(gate, 'isActive') === true,
    )
  const ready: ReadyGate[] = []
  // One after the other: the API lists them in the order of their creation.
  for (const gate of demoGates) {
    const { farEnd, name, phoneNumber } = gate
    const known = memory.known().gates[farEnd]
    const made = known && isIntact(known.id, gate) ? done(known.id) : await makeGate(callgate, apiKey, gate)
    if (!made.ok) return made
    const id = made.value
    if (known?.id !== id) await memory.keep({ gates: { ...memory.known().gates, [farEnd]: { id } } })
    ready.push({ id, name, phoneNumber, farEnd })
  }
  const taught = await teachGates(options)
  return taught.ok ? done(ready) : taught
}

/** The cool-down of the demo gates, plus a margin, because the clocks of two starts of the cloud are compared. */
const coolDownMs = 5_050
const servesWithinMs = 150_000

/**
 * Waits until the cool-down of an opening before the last stop is over. It counts from that stop, or from this start where the
 * cloud does not know the time of the stop.
 */
export async function awaitRest(
  { callgate, parts }: DemoSpaceOptions,
  apiKey: string,
  over: AbortSignal,
): Promise<Result<void>> {
  const listed = await callgate.request(apiKey, 'GET', '/api/v1/openings?limit=1')
  if (!listed.ok) return listed
  const openings = member(listed.value, 'openings')
  if (Array.isArray(openings) && openings.length === 0) return done(undefined)
  const read = (line: string) => number(parseJson(line), 'quietForMs')
  const quietForMs = await parts.waitForLine('cloud', read, servesWithinMs)
  if (!quietForMs.ok) return quietForMs
  await wait(Math.max(0, coolDownMs - quietForMs.value), over)
  return done(undefined)
}

/** The magic link of a guest who may open every gate. A guest who was changed or deactivated is replaced. */
export async function openGuest(
  { callgate, memory }: DemoSpaceOptions,
  apiKey: string,
  gates: readonly ReadyGate[],
): Promise<Result<string>> {
  const { memberId } = memory.known()
  const found = memberId ? await callgate.request(apiKey, 'GET', `/api/v1/members/${memberId}`) : undefined
  const known = found?.ok ? linksOf(found.value) : []
  const isIntact = gates.every(({ id }) => known.some(({ gateId }) => gateId === id))
  if (isIntact) return expected(known[0]?.accessUrl, 'the link of the guest')
  const made = await callgate.request(apiKey, 'POST', '/api/v1/members', {
    name: 'Demo guest',
    accesses: gates.map(({ id }) => ({ gateId: id })),
  })
  if (!made.ok) return made
  const id = text(member(made.value, 'member'), 'id')
  if (id) await memory.keep({ memberId: id })
  return expected(linksOf(made.value)[0]?.accessUrl, 'the link of the guest')
}

/** The accesses in an answer with one member. */
function linksOf(answer: unknown): { gateId: string | undefined; accessUrl: string | undefined }[] {
  const accesses = member(member(answer, 'member'), 'accesses')
  if (!Array.isArray(accesses)) return []
  return accesses.map(access => ({ gateId: text(access, 'gateId'), accessUrl: text(access, 'accessUrl') }))
}
