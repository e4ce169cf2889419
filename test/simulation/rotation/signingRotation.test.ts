// Rotations of the signing key in a model of clouds and gateways, with the real programs' steps.

import { keyFor, trustOf } from '@callgate/cloud/core/keyChoice'
import {
  readSigningKeys,
  type SigningKeys,
  signingFingerprint,
  signingFollows,
  withNewestAlone,
  withNewKey,
} from '@callgate/cloud/secrets/signingKeys'
import { checkStatement, type KeyTrust } from '@callgate/gateway/core/keyTrust'
import fc from 'fast-check'
import { expect, it } from 'vitest'

interface Cloud {
  held: SigningKeys
  /** The keys that each gateway trusts, as this process has heard. */
  heard: Map<number, KeyTrust | undefined>
}
interface Gateway {
  trust: KeyTrust
  /** An old daemon reports no keys, and follows no statement. */
  readonly isOld: boolean
  /** The content of its last beat in the database. */
  said: KeyTrust | undefined
  readonly dropped: Set<string>
}
interface Statement {
  readonly to: number
  readonly number: number
  readonly keyIds: readonly string[]
  readonly signer: string
}

const thiefKey = 'f'.repeat(16)
const read = (text: string): SigningKeys => {
  const keys = readSigningKeys(text)
  if (!keys) throw new Error(`the file is damaged: ${text}`)
  return keys
}
const idsOf = ({ keys }: SigningKeys) => keys.map(({ keyId }) => keyId)
const beatOf = (trust: KeyTrust | undefined) => trust && { number: trust.number, keyIds: [...trust.keyIds] }

/** The clouds and the gateways at their beginning. */
function furnish(clouds: number, gateways: number, oldOnes: number, first: SigningKeys) {
  const trust = { number: 0, keyIds: idsOf(first) }
  return {
    clouds: Array.from({ length: clouds }, (): Cloud => ({ held: first, heard: new Map() })),
    gateways: Array.from({ length: gateways }, (_, place): Gateway => {
      const isOld = place < oldOnes
      return { trust, isOld, said: isOld ? undefined : trust, dropped: new Set() }
    }),
    recorded: [] as Statement[],
  }
}

/** A gateway decides about a statement that it receives. */
function follow(gateway: Gateway | undefined, { keyIds, number, signer }: Statement): void {
  if (!gateway || gateway.isOld || !gateway.trust.keyIds.includes(signer)) return
  if (checkStatement(gateway.trust, { keyIds, number }, signer) !== 'follow') return
  for (const keyId of gateway.trust.keyIds) if (!keyIds.includes(keyId)) gateway.dropped.add(keyId)
  gateway.trust = { number, keyIds }
}

function house(clouds: number, gateways: number, oldOnes: number) {
  let seeds = 1
  let nowMs = 1_000
  const seed = () => new Uint8Array(32).fill(seeds++)
  let file = `${Buffer.from(seed()).toString('base64url')}\n`
  const all = furnish(clouds, gateways, oldOnes, read(file))
  const isEverywhere = () =>
    all.clouds.every(({ held }) => signingFingerprint(held) === signingFingerprint(read(file)))
  const newest = () => idsOf(read(file)).at(-1) ?? ''

  const deliver = (statement: Statement) => follow(all.gateways[statement.to], statement)

  return {
    ...all,
    current: () => read(file),
    rotate() {
      nowMs += 1
      if (isEverywhere()) file = withNewKey(file, seed(), nowMs) ?? file
    },
    forget() {
      nowMs += 1
      const isTrusted = all.gateways.every(({ said }) => said?.keyIds.includes(newest()))
      if (isEverywhere() && isTrusted) file = withNewestAlone(file, nowMs) ?? file
    },
    setClockBack: () => {
      nowMs -= 500
    },
    takeUp(place: number) {
      const cloud = all.clouds[place % clouds] as Cloud
      const next = read(file)
      if (signingFollows(cloud.held, next)) cloud.held = next
    },
    restart(place: number) {
      all.clouds[place % clouds] = { held: read(file), heard: new Map() }
    },
    /** Every cloud receives the beat, and one of them answers the gateway. The answer may be lost; a thief records it. */
    beat(place: number, isLost: boolean) {
      const to = place % gateways
      const gateway = all.gateways[to] as Gateway
      const said = gateway.isOld ? undefined : gateway.trust
      gateway.said = said
      for (const { heard } of all.clouds) heard.set(to, said)
      const { held } = all.clouds[to % clouds] as Cloud
      const trust = trustOf(held, beatOf(said))
      if (trust.kind !== 'tell') return
      const statement = { to, number: held.number, keyIds: idsOf(held), signer: trust.by.keyId }
      all.recorded.push(statement)
      if (!isLost) deliver(statement)
    },
    /** All clouds check the file, and all gateways beat. */
    settle() {
      for (const place of all.clouds.keys()) this.takeUp(place)
      for (const place of all.gateways.keys()) this.beat(place, false)
      for (const place of all.gateways.keys()) this.beat(place, false)
    },
    replay(place: number) {
      const statement = all.recorded[place % Math.max(1, all.recorded.length)]
      if (statement) deliver(statement)
    },
    /** The thief signs with any key but the newest that the gateway trusts. */
    steal(place: number) {
      const to = place % gateways
      const { keyIds, number } = (all.gateways[to] as Gateway).trust
      const known = [...new Set(all.recorded.flatMap(statement => statement.keyIds))]
      for (const signer of known.filter(keyId => keyId !== keyIds.at(-1)))
        deliver({ to, number: number + 1_000_000, keyIds: [signer, thiefKey], signer })
    },
  }
}

const place = fc.nat(20)
const action = fc.oneof(
  fc.constant({ do: 'rotate' as const }),
  fc.constant({ do: 'forget' as const }),
  fc.constant({ do: 'setClockBack' as const }),
  fc.constant({ do: 'settle' as const }),
  fc.record({
    do: fc.constantFrom('takeUp' as const, 'restart' as const, 'replay' as const, 'steal' as const),
    place,
  }),
  { weight: 4, arbitrary: fc.record({ do: fc.constant('beat' as const), place, isLost: fc.boolean() }) },
)

it('of several clouds: every gateway understands every cloud at each moment, and nothing restores an old key', () => {
  let finished = 0
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 1, max: 4 }),
      fc.constantFrom(false, false, false, true),
      fc.array(action, { minLength: 20, maxLength: 120 }),
      (clouds, gateways, hasOld, actions) => {
        const model = house(clouds, gateways, hasOld ? 1 : 0)
        for (const one of actions) {
          if (one.do === 'beat') model.beat(one.place, one.isLost)
          else if ('place' in one) model[one.do](one.place)
          else model[one.do]()
          for (const { heard, held } of model.clouds)
            for (const [to, trusts] of heard) {
              const { trust } = model.gateways[to] as Gateway
              expect(trust.keyIds).toContain(keyFor(held, beatOf(trusts)).keyId)
            }
          for (const { dropped, trust } of model.gateways) {
            expect(trust.keyIds.some(keyId => dropped.has(keyId) || keyId === thiefKey)).toBe(false)
            expect(trust.keyIds.length).toBeLessThanOrEqual(2)
          }
        }
        if (model.gateways.some(({ dropped }) => dropped.size > 0)) finished++
      },
    ),
    { numRuns: 200 },
  )
  // Some of the runs contained whole rotations.
  expect(finished).toBeGreaterThan(50)
})

it('ends as soon as all gateways have sent beats and all clouds have checked', () => {
  const model = house(2, 3, 0)
  for (let rotation = 0; rotation < 3; rotation++) {
    model.rotate()
    model.forget()
    expect(model.current().keys).toHaveLength(2)
    model.settle()
    model.forget()
    expect(model.current().keys).toHaveLength(1)
    model.settle()
    for (const { trust } of model.gateways) expect(trust.keyIds).toEqual(idsOf(model.current()))
  }
})
