// The judge of the cloud's wire and of signatures: who is heard, and what is said before the database has it.

import { type Database, migrate, openDatabase } from '@callgate/cloud/database'
import type { Exchange } from '@callgate/cloud/exchange'
import { createGatewayWire } from '@callgate/cloud/gatewayWire'
import type { Envelope } from '@callgate/contract/messages'
import type { MqttHandlers } from '@callgate/contract/mqttConnection'
import { isSignedBy, type SigningKey, seal, signingKey, verifyingKey } from '@callgate/contract/signature'
import { topicOf, type UpKind } from '@callgate/contract/topics'
import { fakeWorld, settle } from '@callgate/world/fake'
import { newId } from '@callgate/world/ids'
import { isoTime } from '@callgate/world/world'

const key = (byte: number) => signingKey(new Uint8Array(32).fill(byte))
const [cloud, own, stranger] = [key(1), key(2), key(3)]
const random = (letter: string) => letter.repeat(22)
const notDialled = JSON.stringify({ phase: 'not_dialled', sinceClaimMs: 1 })
const claimBody = JSON.stringify({ modemId: 'memory' })

async function playedWire(database: Database) {
  const world = fakeWorld(1)
  const [spaceId, gatewayId] = [newId(world, 'space'), newId(world, 'gw')]
  const createdAt = isoTime(world.nowMs())
  const zone = { country: 'RO', timezone: 'Europe/Bucharest', language: 'en' }
  await database.knex('spaces').insert({ id: spaceId, name: 'A', plan: 'free', ...zone, createdAt })
  const gateway = {
    id: gatewayId,
    spaceId,
    name: 'Pi',
    publicKey: own.publicKey,
    passwordHash: 'p',
    createdAt,
  }
  await database.knex('gateways').insert(gateway)
  const heard: string[] = []
  const sent: string[] = []
  let handlers: MqttHandlers | undefined
  const wire = createGatewayWire({
    world,
    database,
    signingKey: cloud,
    connect(given) {
      handlers = given
      const publish = (topic: string) => sent.push(topic) > 0
      return { isConnected: () => true, publish, close: async () => {} }
    },
  })
  let commit: () => void = () => {}
  const exchange: Pick<Exchange, 'claim' | 'report' | 'beat'> = {
    async claim() {
      heard.push('claim')
      return { granted: false, reason: 'refused' }
    },
    report() {
      heard.push('report')
      return new Promise(resolve => {
        commit = () => resolve({ result: 'applied' })
      })
    },
    async beat() {
      heard.push('beat')
      return undefined
    },
  }
  wire.start({ ...exchange } as Exchange)
  async function say(kind: UpKind, payload: string, topicOfId = gatewayId) {
    handlers?.onMessage(topicOf(topicOfId, kind), Buffer.from(payload))
    await settle()
  }
  const header = { gatewayId, openingId: newId(world, 'open'), bootId: random('B') }
  const claim = (by: SigningKey = own) =>
    seal(by, { type: 'claim', ...header, nonce: random('N'), body: claimBody })
  const report = seal(own, { type: 'report', ...header, seq: 1, body: notDialled })
  return { world, gatewayId, heard, sent, say, claim, report, commit: () => commit() }
}

async function whoIsHeard(database: Database): Promise<string[]> {
  const { claim, commit, gatewayId, heard, report, say, sent, world } = await playedWire(database)
  await say('claim', claim(stranger))
  if (heard.length > 0) return ['G2: a claim by a stranger was heard']
  await say('report', claim())
  await say('claim', claim(), newId(world, 'gw'))
  if (heard.length > 0) return ['G2: a claim on another topic was heard']
  await say('claim', claim())
  if (heard.length !== 1) return ['A2: a claim was not heard']
  await say('report', report)
  const early = sent.includes(topicOf(gatewayId, 'ack'))
  commit()
  await settle()
  const late = sent.includes(topicOf(gatewayId, 'ack'))
  return [
    ...(early ? ['A3: a report was acknowledged before it was committed'] : []),
    ...(late ? [] : ['A3: a report was never acknowledged']),
  ]
}

/** Each field of a signed message, put to another value that is as well formed. */
function whatIsSigned(): string[] {
  const world = fakeWorld(2)
  const verifying = verifyingKey(cloud.publicKey)
  if (!verifying) return ['G2: a key of ours cannot be read']
  const fresh = () => ({
    gatewayId: newId(world, 'gw'),
    openingId: newId(world, 'open'),
    seq: world.randomInt(1, 1e9),
  })
  const envelope: Envelope = JSON.parse(
    seal(cloud, { type: 'grant', ...fresh(), nonce: random('N'), bootId: random('B'), body: '{}' }),
  )
  const other = { ...fresh(), type: 'ack', nonce: random('M'), bootId: random('C'), body: '{ }' } as const
  const holds = isSignedBy(envelope, [verifying]) ? [] : ['A2: a true signature does not hold']
  const altered = Object.entries(other).filter(([field, value]) =>
    isSignedBy({ ...envelope, [field]: value }, [verifying]),
  )
  return [...holds, ...altered.map(([field]) => `G2: ${field} can be altered under a signature`)]
}

export async function judge(): Promise<readonly string[]> {
  const signed = whatIsSigned()
  if (signed.length > 0) return signed
  const database = await openDatabase({ url: ':memory:' })
  await migrate(database)
  const heard = await whoIsHeard(database)
  await database.close()
  return heard
}
