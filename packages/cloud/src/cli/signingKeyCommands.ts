// The operator's commands on the signing key: what they do and print.

import { counted } from '../core/counted.ts'
import { type GatewayTrust, sayTrusting, type TrustStatus } from '../rotation/gatewayTrust.ts'
import {
  beginSigningRotation,
  forgetOldSigningKey,
  type SigningRotationParts,
  type SigningState,
  sayGateways,
  signingState,
} from '../rotation/signingRotation.ts'
import { type CommandParts, type CommandWork, columns } from './commandWork.ts'

/** The limit on the named gateways that do not trust the new key. */
const mostNamed = 50

const partsOf = ({ config, database, world }: CommandParts): SigningRotationParts => ({
  database,
  world,
  places: config.keys,
})

const whys: Readonly<Record<Exclude<TrustStatus, 'trusts'>, string>> = {
  waits: 'is told when it is online',
  says_nothing: 'its daemon is too old: update it, or write the key into its cloudKeys',
  left_behind: 'trusts none of these: write the key into its cloudKeys',
  never_heard: 'was never online: write the key into its cloudKeys',
}

function gatewayLines(gateways: readonly GatewayTrust[]): string[] {
  const waiting = gateways.flatMap(({ gatewayId, lastBeatAt, name, standing: trust }) =>
    trust === 'trusts' ? [] : [[gatewayId, name, lastBeatAt, whys[trust]]],
  )
  const said = sayTrusting(gateways, 'the newest key')
  const trusting = `${said.slice(0, 1).toUpperCase()}${said.slice(1)}.`
  if (waiting.length === 0) return [trusting]
  const table = columns(['GATEWAY', 'NAME', 'LAST BEAT', 'THE NEWEST KEY'], waiting.slice(0, mostNamed))
  return [trusting, table, ...(waiting.length > mostNamed ? ['And more; --json names all.'] : [])]
}

function sayState({ cloudsWithOtherKeys, gateways, keys }: SigningState): string {
  const uses = keys.length > 1 ? ['old', 'new'] : ['signs']
  const rows = keys.map(({ keyId, publicKey }, place) => [keyId, publicKey, uses[place] ?? null])
  return [
    columns(['KEY', 'PUBLIC KEY', 'USE'], rows),
    ...(keys.length > 1 ? ['Each gateway is spoken to with the newest key that it trusts.'] : []),
    ...gatewayLines(gateways),
    ...(cloudsWithOtherKeys > 0
      ? [`${counted(cloudsWithOtherKeys, 'cloud')} on this database has other keys than this file.`]
      : []),
  ].join('\n\n')
}

const status: CommandWork = async parts => {
  const state = await signingState(partsOf(parts))
  if (!state.ok) return state
  const { ok: _, ...json } = state
  return { ok: true, json, text: sayState(state) }
}

const rotate: CommandWork = async parts => {
  const begun = await beginSigningRotation(partsOf(parts))
  if (!begun.ok) return begun
  const { ok: _, ...json } = begun
  const old = begun.gateways.filter(({ standing: trust }) => trust === 'says_nothing')
  const text = [
    `The key ${begun.keys.at(-1)?.keyId} is in the file. Running clouds take it up within a minute, and announce it to every gateway that is online.`,
    'Where clouds have copies of the file, copy it to all of them. Make a backup of the keys now.',
    ...(old.length > 0
      ? [`Too old to be told are the daemons of ${sayGateways(old)}: update them first.`]
      : []),
    '"callgate signing-key status" says which gateways trust it. When all do: "callgate signing-key forget".',
  ].join('\n')
  return { ok: true, json, text }
}

const forget: CommandWork = async (parts, { leaveBehind }) => {
  const done = await forgetOldSigningKey(partsOf(parts), { leavesBehind: leaveBehind !== undefined })
  if (!done.ok) return done
  const { forgotten, leftBehind } = done
  const text =
    forgotten === null
      ? 'There is no old key to forget.'
      : [
          `The key ${forgotten} is out of the file. Running clouds drop it within a minute, and tell every gateway to forget it.`,
          ...(leftBehind.length > 0
            ? [
                `Left behind: ${sayGateways(leftBehind)}. Write the public key of "callgate signing-key status" into their cloudKeys.`,
              ]
            : []),
          'Gateways obey no backup of the old key any more: make a backup of the keys now.',
        ].join('\n')
  return { ok: true, json: { forgotten, leftBehind }, text }
}

export const signingKeyWork = { status, rotate, forget } satisfies Record<string, CommandWork>
