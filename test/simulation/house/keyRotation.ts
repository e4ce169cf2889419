// The rotation of the clouds' signing key by an operator, and the check that each gateway understands each cloud meanwhile.

import {
  beginSigningRotation,
  forgetOldSigningKey,
  type KeyDisk,
  type SigningRotationParts,
} from '@callgate/cloud/rotation/signingRotation'
import { newestOf, readSigningKeys, type SigningKeys } from '@callgate/cloud/secrets/signingKeys'
import type { Beat, Envelope } from '@callgate/contract/wire/messages'
import type { VerifyingKey } from '@callgate/contract/wire/signature'
import type { KeyTrust } from '@callgate/gateway/core/keyTrust'
import type { FakeWorld } from '@callgate/world/fake'
import { databaseWay, wasRefused } from './databaseWay.ts'
import { createLife } from './life.ts'
import { createMachine } from './machine.ts'
import type { SharedDatabase } from './sharedDatabase.ts'
import { digestKey, firstSecret, readDigestKey } from './signingKeys.ts'

/** What one run of a cloud knows of the gateways' trust. */
export interface HeardTrust {
  heard(gatewayId: string, payload: string): void
  /** Called before the run sends a signed message. */
  says(cloud: string, gatewayId: string, payload: string): void
}

export interface KeyRotation {
  /** The folder of the key file, as the clouds and the operator see it. */
  readonly places: { readonly folder: string }
  readonly disk: KeyDisk
  /** The time by which the clouds and the operator decide who serves; it is never set. */
  readonly now: () => number
  /** The keys in the file, with digests as their signatures. */
  current(): SigningKeys
  /** The public halves, as an enrolment gives them to a gateway. */
  verifying(): readonly VerifyingKey[]
  /** The operator adds a key now, and removes the old one as soon as that is allowed. */
  begin(): void
  /** The old key is no longer in the file. */
  isOver(): boolean
  /** The keys that each gateway trusts, once the gateway is built. */
  trusts: (gatewayId: string) => KeyTrust | undefined
  newHeard(): HeardTrust
  /** Each message that its gateway could not understand, although its cloud knew what that gateway trusts. */
  readonly violations: readonly string[]
}

/** How often an operator repeats a refused step, in milliseconds. */
const triesEveryMs = 4_000
const places = { folder: 'keys' }

/** The keys in a file, with digests as their signatures. */
export function digestKeysIn(text: string): SigningKeys {
  const keys = readSigningKeys(text)
  if (!keys) throw new Error('the file of the signing keys is damaged')
  return { ...keys, keys: keys.keys.map(digestKey) }
}

/** The steps of the operator, each repeated until it is allowed. */
function operatorOf(world: FakeWorld, database: SharedDatabase, disk: KeyDisk, isOver: () => void) {
  const life = createLife(world, 'operator', createMachine(world, 'operator'))
  const parts: SigningRotationParts = {
    database: database.of(life, databaseWay(world, 'operator', database.lostCode)),
    world: life.world,
    places,
    disk,
    isByWorld: true,
  }

  function untilDone(step: () => Promise<boolean>, then: () => void) {
    const failed = (error: unknown) => {
      if (!wasRefused(error)) throw error
      return false
    }
    void step()
      .catch(failed)
      .then(isDone => (isDone ? then() : world.after(triesEveryMs, () => untilDone(step, then))))
  }

  async function rotate() {
    const begun = await beginSigningRotation(parts)
    if (begun.ok) world.log.info('adds a signing key', { who: 'operator', met: ['signing key rotated'] })
    return begun.ok
  }

  async function forget() {
    const done = await forgetOldSigningKey(parts, { leavesBehind: false })
    if (done.ok) world.log.info('ends the old key', { who: 'operator', met: ['signing key forgotten'] })
    else world.log.debug('must not end the old key', { who: 'operator', why: done.message })
    return done.ok
  }

  return () => untilDone(rotate, () => untilDone(forget, isOver))
}

/**
 * A cloud that continues handles everything that came at the same time. After this time it knows the facts in any beat among
 * that.
 */
const takenInWithinMs = 1_000

export function createKeyRotation(world: FakeWorld, database: SharedDatabase): KeyRotation {
  let text = `${Buffer.from(firstSecret).toString('base64url')}\n`
  let isOver = false
  const violations: string[] = []
  const current = () => digestKeysIn(text)
  const disk: KeyDisk = {
    read: async () => text,
    async replace(_world, _file, next) {
      text = next
      return undefined
    },
  }

  const rotation: KeyRotation = {
    places,
    disk,
    now: world.nowMs,
    current,
    verifying: () => current().keys.flatMap(({ publicKey }) => readDigestKey(publicKey) ?? []),
    begin: operatorOf(world, database, disk, () => {
      isOver = true
    }),
    isOver: () => isOver,
    trusts: () => undefined,
    violations,
    newHeard() {
      const told = new Map<string, { readonly trusted: string | undefined; readonly atMs: number }>()
      return {
        heard(gatewayId, payload) {
          const { body } = JSON.parse(payload) as Envelope
          const trusted = (JSON.parse(body) as Beat).trusts?.keyIds.join()
          if (told.get(gatewayId)?.trusted !== trusted)
            told.set(gatewayId, { trusted, atMs: world.monotonicMs() })
        },
        says(cloud, gatewayId, payload) {
          const { keyId, type } = JSON.parse(payload) as Envelope
          const trust = rotation.trusts(gatewayId)
          if (!trust) return
          const isUnderstood = trust.keyIds.includes(keyId)
          const { atMs = 0, trusted } = told.get(gatewayId) ?? {}
          const isKnown = trusted === trust.keyIds.join() && world.monotonicMs() - atMs >= takenInWithinMs
          if (!isUnderstood && isKnown)
            violations.push(`A2: ${cloud} signs a ${type} with a key that its gateway does not trust`)
          if (type === 'grant' && !trust.keyIds.includes(newestOf(current()).keyId))
            world.log.debug('signs for a gateway that does not trust the new key', {
              who: cloud,
              met: ['granted before the new key is trusted'],
            })
        },
      }
    },
  }
  return rotation
}

/** Promise A2: the rotation reaches its end, and every gateway trusts the new key alone. */
export function checkRotation(rotation: KeyRotation, gatewayIds: readonly string[]): readonly string[] {
  const newest = newestOf(rotation.current()).keyId
  const unlike = gatewayIds.flatMap(gatewayId => {
    const trusted = rotation.trusts(gatewayId)?.keyIds.join()
    return trusted === newest ? [] : [`A2: ${gatewayId} trusts ${trusted}, and not ${newest} alone`]
  })
  const unfinished = rotation.isOver() ? [] : ['A2: the rotation of the signing key has not ended']
  return [...rotation.violations, ...unfinished, ...unlike]
}
