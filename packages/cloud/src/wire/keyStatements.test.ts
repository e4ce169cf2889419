// How the wire uses the keys that a gateway trusts: which one signs, and when it announces others.

import { exampleProfile } from '@callgate/contract/call/callProfile'
import type { Envelope } from '@callgate/contract/wire/messages'
import { isSignedBy, signingKey, type VerifyingKey, verifyingKey } from '@callgate/contract/wire/signature'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { cloudKey, random, type WireRig, wireRig } from './gatewayWire.kit.ts'

const nextKey = signingKey(new Uint8Array(32).fill(8))
const keys = { keys: [cloudKey, nextKey], number: 5 }
let rig: WireRig

beforeEach(async () => {
  rig = await wireRig()
  rig.start()
  rig.held.keys = keys
})
afterEach(() => rig.close())

const trusting = (number: number, ...of: readonly (typeof cloudKey)[]) => ({
  trusts: { number, keyIds: of.map(({ keyId }) => keyId) },
})
const statements = () => rig.answers('ack').filter(({ body }) => body.includes('"keys"'))
const signer = async (): Promise<string | undefined> => {
  await rig.say('claim', rig.claim())
  return rig.answers('grant').at(-1)?.keyId
}

it('signs with the old key until a beat says that the new one is trusted, and announces the new key with the old one', async () => {
  expect(await signer()).toBe(cloudKey.keyId)
  await rig.say('beat', rig.beat(trusting(0, cloudKey)))
  const [statement] = statements() as [Envelope]
  expect(statement).toMatchObject({ type: 'ack', keyId: cloudKey.keyId, gatewayId: rig.gatewayId })
  expect(JSON.parse(statement.body)).toEqual({
    result: 'keys',
    number: 5,
    keys: [cloudKey.publicKey, nextKey.publicKey],
  })
  expect(await signer()).toBe(cloudKey.keyId)
  await rig.say('beat', rig.beat(trusting(5, cloudKey, nextKey), 2))
  expect(await signer()).toBe(nextKey.keyId)
  expect(statements()).toHaveLength(1)
  rig.held.keys = { keys: [nextKey], number: 6 }
  await rig.say('beat', rig.beat(trusting(5, cloudKey, nextKey), 3))
  expect(statements()[1]).toMatchObject({ keyId: nextKey.keyId })
  await rig.say('beat', rig.beat(trusting(6, nextKey), 4))
  expect(statements()).toHaveLength(2)
})

it('sends nothing to a daemon that does not say what it trusts, and keeps signing with the old key', async () => {
  await rig.say('beat', rig.beat())
  expect(statements()).toEqual([])
  expect(await signer()).toBe(cloudKey.keyId)
})

it('G2: learns nothing about trusted keys from an old beat or from a boot that it does not know', async () => {
  await rig.say('beat', rig.beat(trusting(5, cloudKey, nextKey)))
  rig.says.isBeatOld = true
  await rig.say('beat', rig.beat(trusting(0, cloudKey)))
  expect(await signer()).toBe(nextKey.keyId)
  rig.says.isBeatOld = false
  rig.says.challenge = random('Q')
  await rig.say('beat', rig.beat(trusting(0, cloudKey), 2))
  // The challenge itself is for the boot that has sent the beat.
  expect(rig.answers('ack').at(-1)).toMatchObject({ keyId: cloudKey.keyId, nonce: random('Q') })
  expect(await signer()).toBe(nextKey.keyId)
  expect(statements()).toEqual([])
})

it('signs with a key that an unknown boot names where it knows nothing else of the gateway', async () => {
  rig.says.challenge = random('Q')
  await rig.say('beat', rig.beat(trusting(6, nextKey)))
  expect(await signer()).toBe(nextKey.keyId)
  delete rig.says.challenge
  await rig.say('beat', rig.beat(trusting(5, cloudKey), 2))
  expect(await signer()).toBe(cloudKey.keyId)
})

it('announces no keys to a gateway that would not follow', async () => {
  const other = signingKey(new Uint8Array(32).fill(9))
  await rig.say('beat', rig.beat(trusting(9, cloudKey)))
  await rig.say('beat', rig.beat(trusting(4, cloudKey, other), 2))
  await rig.say('beat', rig.beat(trusting(0, other), 3))
  expect(statements()).toEqual([])
})

it('signs a grant once: the gateway gets what was signed when the grant was written down', async () => {
  let signatures = 0
  const sign = (bytes: Uint8Array) => {
    signatures += 1
    return cloudKey.sign(bytes)
  }
  rig.held.keys = { keys: [{ ...cloudKey, sign }], number: 0 }
  rig.says.claim = { granted: true, phoneNumber: '+40722000001', callProfile: exampleProfile }
  const signature = rig.wire.sign(rig.says.claim, { ...rig.header, nonce: random('N') })
  await rig.say('claim', rig.claim())
  const [grant] = rig.answers('grant') as [Envelope]
  expect(grant.signature).toBe(signature)
  expect(isSignedBy(grant, [verifyingKey(cloudKey.publicKey) as VerifyingKey])).toBe(true)
  expect(signatures).toBe(1)
  // The same claim is answered with the grant from the database, which is another object with the same content.
  rig.says.claim = { ...rig.says.claim }
  await rig.say('claim', rig.claim())
  expect(rig.answers('grant')[1]).toEqual(grant)
})
