import { isSignedBy, verifyingKey } from '@callgate/contract/wire/signature'
import { topicOf } from '@callgate/contract/wire/topics'
import { settle } from '@callgate/world/fake'
import { newId } from '@callgate/world/ids'
import { moment } from '@callgate/world/world'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DatabaseError } from '../database/databaseError.ts'
import { cloudKey, gatewayKey, random, strangerKey, type WireRig, wireRig } from './gatewayWire.kit.ts'

let rig: WireRig

beforeEach(async () => {
  rig = await wireRig()
  rig.start()
})
afterEach(() => rig.close())

const logged = () =>
  rig.world.lines.map(({ fields, message }) => `${message}: ${fields['why'] ?? fields['error']}`)

describe('the wire to the gateways', () => {
  it('answers a claim with a signed grant that repeats the fields of the claim', async () => {
    await rig.say('claim', rig.claim())
    const [grant] = rig.answers('grant')
    const key = verifyingKey(cloudKey.publicKey)
    if (!grant || !key) throw new Error('no grant or no key')
    expect(isSignedBy(grant, [key])).toBe(true)
    expect(grant).toMatchObject({ ...rig.header, nonce: random('N'), body: JSON.stringify(rig.says.claim) })
    expect(grant.seq).toBeUndefined()
  })

  it('A3: acknowledges a report once it is committed', async () => {
    await rig.say('report', rig.report(7))
    expect(rig.answers('ack')).toEqual([])
    await rig.commit()
    expect(rig.answers('ack')).toMatchObject([{ ...rig.header, seq: 7, body: '{"result":"applied"}' }])
  })

  it('knows by beats who is online, until the boot is refused', async () => {
    expect(rig.wire.online(rig.spaceId)).toEqual([])
    await rig.say('beat', rig.beat())
    expect(rig.wire.online(rig.spaceId)).toEqual([rig.gatewayId])
    expect(rig.sent).toEqual([])
    rig.says.isBootKnown = false
    await rig.say('beat', rig.beat({}, 2))
    expect(rig.wire.online(rig.spaceId)).toEqual([])
    const [ack] = rig.answers('ack')
    expect(ack).toMatchObject({
      bootId: rig.header.bootId,
      body: '{"result":"refused","reason":"superseded"}',
    })
    expect(ack?.openingId).toBeUndefined()
  })

  it('challenges a boot that it does not know, shows it as offline, and says when it was taken up', async () => {
    rig.says.challenge = random('Q')
    rig.says.claim = { granted: false, challenge: random('Q') }
    await rig.say('beat', rig.beat({}, 3))
    await rig.say('claim', rig.claim())
    expect(rig.wire.online(rig.spaceId)).toEqual([])
    expect(rig.answers('grant')).toEqual([])
    const { bootId } = rig.header
    const [ofBeat, ofClaim] = rig.answers('ack')
    expect(ofBeat).toMatchObject({ bootId, seq: 3, nonce: random('Q'), body: '{"result":"challenge"}' })
    expect(ofClaim).toMatchObject({ bootId, nonce: random('Q'), body: '{"result":"challenge"}' })
    expect([ofClaim?.openingId, ofClaim?.seq]).toEqual([undefined, undefined])
    delete rig.says.challenge
    await rig.say('beat', rig.beat({}, 4, { nonce: random('Q') }))
    await rig.say('beat', rig.beat({}, 5))
    expect(rig.answers('ack').slice(2)).toMatchObject([{ bootId, seq: 4, body: '{"result":"taken_up"}' }])
    expect(rig.wire.online(rig.spaceId)).toEqual([rig.gatewayId])
  })

  it('lets an old beat end its connection, and do nothing else', async () => {
    await rig.say('beat', rig.beat())
    rig.says.isBeatOld = true
    await rig.say('beat', rig.beat({ queueLength: 5 }))
    expect(rig.wire.online(rig.spaceId)).toEqual([rig.gatewayId])
    await rig.say('beat', rig.beat({ online: false }))
    expect([rig.wire.online(rig.spaceId), rig.sent]).toEqual([[], []])
  })

  it('ignores the messages of a gateway that is cut off', async () => {
    rig.says.isCutOff = true
    await rig.say('report', rig.report(1))
    await rig.say('beat', rig.beat())
    expect([rig.heard, rig.sent]).toEqual([[], []])
  })

  describe('while the database is away', () => {
    const isOnline = () => rig.wire.online(rig.spaceId).length > 0
    const beatFor = async (count: number, from: number, more: object = {}) => {
      for (let seq = from; seq < from + count; seq++) {
        await rig.world.advance(10_000)
        await rig.say('beat', rig.beat(more, seq))
      }
    }

    it('takes a gateway that goes on sending beats for online', async () => {
      await rig.say('beat', rig.beat())
      rig.says.beatFault = new DatabaseError('unreachable', 'away')
      await beatFor(5, 2)
      expect(isOnline()).toBe(true)
      await rig.say('beat', rig.beat({ online: false }, 7))
      expect(isOnline()).toBe(false)
      await rig.say('beat', rig.beat({ connectionId: random('D') }, 8))
      expect(isOnline()).toBe(true)
      await rig.world.advance(30_000)
      expect(isOnline()).toBe(false)
    })

    it.each(['refused', 'challenge'])('takes a boot for offline after the answer %s', async kind => {
      await rig.say('beat', rig.beat())
      if (kind === 'refused') rig.says.isBootKnown = false
      else rig.says.challenge = random('Q')
      await beatFor(1, 2)
      expect(isOnline()).toBe(false)
      rig.says.beatFault = new DatabaseError('unreachable', 'away')
      await beatFor(1, 3)
      expect(isOnline()).toBe(false)
    })

    it('does not know who is online after it could not read the beat of an unknown gateway', async () => {
      rig.handlers()?.onConnect()
      await rig.world.advance(10_001)
      expect(rig.wire.knowsOnline()).toBe(true)
      rig.says.beatFault = new Error('a row that no beat can change')
      await rig.say('beat', rig.beat())
      expect(rig.wire.knowsOnline()).toBe(true)
      rig.says.beatFault = new DatabaseError('unreachable', 'away')
      await rig.say('beat', rig.beat({}, 2))
      expect(rig.wire.knowsOnline()).toBe(false)
      delete rig.says.beatFault
      await beatFor(1, 3)
      await rig.world.advance(1)
      expect([isOnline(), rig.wire.knowsOnline()]).toEqual([true, true])
      rig.says.beatFault = new DatabaseError('unreachable', 'away')
      await beatFor(1, 4)
      expect(rig.wire.knowsOnline()).toBe(true)
    })
  })

  it('knows the tasks of a gateway while it sends beats, sends it tasks, and passes its answers on', async () => {
    const task = { taskId: newId(rig.world, 'task'), kind: 'ussd', code: '*100#' } as const
    expect(rig.wire.currentBoot(rig.gatewayId)).toBeUndefined()
    await rig.say('beat', rig.beat({ can: ['ussd', 'newer'] }, 7))
    const currentBoot = rig.wire.currentBoot(rig.gatewayId)
    expect(currentBoot).toMatchObject({ bootId: rig.header.bootId, seq: 7, can: ['ussd', 'newer'] })
    if (currentBoot) rig.wire.ask(rig.gatewayId, currentBoot, task)
    const [asked] = rig.answers('task')
    expect(asked).toMatchObject({ bootId: rig.header.bootId, seq: 7, body: JSON.stringify(task) })
    const key = verifyingKey(cloudKey.publicKey)
    expect(asked && key && isSignedBy(asked, [key])).toBe(true)
    const told = { taskId: task.taskId, state: 'not_done', reason: 'busy' }
    const { bootId } = rig.header
    const body = JSON.stringify(told)
    await rig.say('told', rig.sealed({ type: 'told', bootId, body }, strangerKey))
    await rig.say('told', rig.sealed({ type: 'told', body }, gatewayKey))
    await rig.say('told', rig.sealed({ type: 'told', bootId, body: '{}' }, gatewayKey))
    expect(rig.told).toEqual([])
    await rig.say('told', rig.sealed({ type: 'told', bootId, body }, gatewayKey))
    expect(rig.told).toEqual([{ gatewayId: rig.gatewayId, bootId, told }])
    await rig.world.advance(30_000)
    expect(rig.wire.currentBoot(rig.gatewayId)).toBeUndefined()
  })

  it('uses the facts that the exchange has of a gateway, and tells it whether they are known', async () => {
    const { bootId } = rig.header
    rig.says.facts = { can: ['ussd'], answer: 'facts_known' }
    await rig.say('beat', rig.beat({ facts: 1 }))
    rig.says.facts = { can: ['ussd'], answer: undefined }
    await rig.say('beat', rig.beat({ facts: 1 }, 2))
    rig.says.facts = { can: ['ussd'], answer: 'facts_wanted' }
    await rig.say('beat', rig.beat({ facts: 1 }, 3))
    expect(rig.wire.currentBoot(rig.gatewayId)).toMatchObject({ seq: 3, can: ['ussd'] })
    expect(rig.answers('ack').map(({ body, seq }) => [seq, body])).toEqual([
      [1, '{"result":"facts_known"}'],
      [3, '{"result":"facts_wanted"}'],
    ])
    expect(rig.answers('ack')[0]).toMatchObject({ bootId })
  })

  it('confirms that it knows the facts only after their part on an update is written down', async () => {
    const last = { taskId: null, version: '0.2.0', state: 'taken_back', why: null } as const
    const update = { architecture: 'arm64', last } as const
    rig.says.facts = { update, answer: 'facts_known' }
    rig.says.updateFault = new DatabaseError('refused', 'the database is locked')
    await rig.say('beat', rig.beat({ facts: 1, update }))
    await settle()
    expect(rig.answers('ack')).toEqual([])
    expect(rig.wire.online(rig.spaceId)).toEqual([rig.gatewayId])
    rig.says.updateFault = undefined
    await rig.say('beat', rig.beat({ facts: 2, update }, 2))
    await settle()
    expect(rig.answers('ack').map(({ body, seq }) => [seq, body])).toEqual([[2, '{"result":"facts_known"}']])
    // A beat that does not carry it any more: another process may have heard the beat that did.
    rig.says.facts = { update, answer: undefined }
    await rig.say('beat', rig.beat({ facts: 2 }, 3))
    await settle()
    expect(rig.updates).toEqual([update, update])
  })

  it('does not answer the goodbye of a boot that is refused', async () => {
    rig.says.isBootKnown = false
    await rig.say('beat', rig.beat({ online: false }))
    expect(rig.sent).toEqual([])
  })

  it('ignores a beat that is late or replayed', async () => {
    const isOnline = () => rig.wire.online(rig.spaceId).length > 0
    const say = async (more: object, seq: number) => rig.say('beat', rig.beat(more, seq))
    await say({}, 1)
    await rig.world.advance(29_000)
    await say({}, 1)
    await rig.world.advance(1_000)
    expect(isOnline()).toBe(false)
    await say({}, 3)
    expect(isOnline()).toBe(true)
    await say({ online: false }, 5)
    await say({}, 4)
    expect(isOnline()).toBe(false)
    await say({ connectionId: random('D') }, 6)
    expect(isOnline()).toBe(true)
  })

  it("knows what a gateway's clock showed at a press, by the fastest beat that came before it", async () => {
    const { gatewayId, spaceId, world } = rig
    const hear = async (seq: number, sinceBootMs?: number) =>
      rig.say('beat', rig.beat(sinceBootMs === undefined ? {} : { sinceBootMs }, seq))
    const clock = () => rig.wire.clocks(spaceId, moment(world)).get(gatewayId)
    const wholeClock = () => ({ ...clock(), atPressMs: Math.floor(clock()?.atPressMs ?? 0) })
    // A daemon of an earlier release sends no clock; it is online all the same.
    await hear(1)
    await world.advance(1_000)
    expect([rig.wire.online(spaceId), clock()]).toEqual([[gatewayId], undefined])
    await hear(2, 500_000)
    expect(clock()).toBeUndefined()
    await world.advance(10_000)
    await hear(3, 509_000)
    await world.advance(5_000)
    const bootId = rig.header.bootId
    expect(wholeClock()).toEqual({ bootId, atPressMs: 515_000 })
    expect(rig.wire.clocks(newId(world, 'space'), moment(world)).size).toBe(0)
    await world.advance(25_000)
    expect(clock()).toBeUndefined()
  })

  it('drops the claim of a daemon that does not send its clock', async () => {
    const body = JSON.stringify({ modemId: 'm' })
    const claim = { type: 'claim', ...rig.header, nonce: random('N'), body } as const
    await rig.say('claim', rig.sealed(claim, gatewayKey))
    expect([rig.heard, rig.sent]).toEqual([[], []])
    const why = 'sinceBootMs is required'
    expect(rig.world.lines.at(-1)).toMatchObject({ message: 'a message was dropped', fields: { why } })
  })

  it.each<[string, () => Promise<void>]>([
    ['its signature does not hold', () => rig.say('claim', rig.claim(strangerKey))],
    ['it belongs to another topic', () => rig.say('report', rig.claim())],
    ['it belongs to another topic', () => rig.say('claim', rig.claim(), newId(rig.world, 'gw'))],
    ['a claim without openingId, nonce or bootId', () => sayWithout('claim', 'openingId')],
    ['a claim without openingId, nonce or bootId', () => sayWithout('claim', 'nonce')],
    ['a claim without openingId, nonce or bootId', () => sayWithout('claim', 'bootId')],
    ['a report without openingId, bootId or seq', () => sayWithout('report', 'openingId')],
    ['a report without openingId, bootId or seq', () => sayWithout('report', 'bootId')],
    ['a report without openingId, bootId or seq', () => sayWithout('report', 'seq')],
    ['a beat without bootId or seq', () => sayWithout('beat', 'bootId')],
    ['a beat without bootId or seq', () => sayWithout('beat', 'seq')],
  ])('G2: drops a message and logs that %s', async (why, say) => {
    await say()
    expect(rig.heard).toEqual([])
    expect(rig.sent).toEqual([])
    expect(logged()[0]).toBe(`a message was dropped: ${why}`)
  })

  /** The message as its gateway would sign it without the field. */
  function sayWithout(kind: 'claim' | 'report' | 'beat', field: 'openingId' | 'nonce' | 'bootId' | 'seq') {
    const { keyId: _, signature: __, ...message } = JSON.parse(rig[kind]())
    delete message[field]
    return rig.say(kind, rig.sealed(message, gatewayKey))
  }

  it.each(['claim', 'report', 'beat'] as const)('drops a %s without a valid body', async kind => {
    const { keyId: _, signature: __, ...message } = JSON.parse(rig[kind]())
    await rig.say(kind, rig.sealed({ ...message, body: '[]' }, gatewayKey))
    await rig.world.advance(1_000)
    await rig.say(kind, 'no JSON')
    expect(rig.heard).toEqual([])
    expect(logged()).toHaveLength(kind === 'beat' ? 3 : 2)
  })

  it('ignores other topics, and gateways that do not exist', async () => {
    rig.handlers()?.onMessage('elsewhere', Buffer.from(rig.claim()))
    const unknown = newId(rig.world, 'gw')
    await rig.say(
      'claim',
      rig.sealed({ ...JSON.parse(rig.claim()), gatewayId: unknown }, gatewayKey),
      unknown,
    )
    expect(rig.heard).toEqual([])
    expect(logged()).toEqual(['a message was dropped: its signature does not hold'])
  })

  it('logs the bad messages of one gateway once a second, however many come', async () => {
    for (let count = 0; count < 1_000; count++) await rig.say('claim', rig.claim(strangerKey))
    await rig.world.advance(1_000)
    await rig.say('claim', rig.claim(strangerKey))
    expect(rig.world.lines.map(({ fields }) => fields['leftOut'])).toEqual([undefined, 999])
  })

  it('handles 64 messages of a gateway at once, and more when those are done', async () => {
    for (let seq = 1; seq <= 65; seq++) await rig.say('report', rig.report(seq))
    expect(rig.heard).toHaveLength(64)
    expect(logged()).toEqual(['a message was dropped: too many at once'])
    await rig.commit()
    await rig.say('report', rig.report(65))
    expect(rig.heard).toHaveLength(65)
  })

  it('goes on when messages cannot be handled, and logs that once a second, however many come', async () => {
    rig.says.fails = true
    for (let count = 0; count < 100; count++) await rig.say('claim', rig.claim())
    await rig.world.advance(1_000)
    await rig.say('claim', rig.claim())
    rig.says.fails = false
    await rig.say('claim', rig.claim())
    expect(rig.answers('grant')).toHaveLength(1)
    const line = 'a message could not be worked on: Error: the disk is full'
    expect(logged()).toEqual([line, line])
    expect(rig.world.lines.map(({ fields }) => fields['leftOut'])).toEqual([undefined, 99])
  })

  it('hints a gateway, and logs it when it cannot', () => {
    rig.wire.hint(rig.gatewayId, rig.header.openingId)
    expect(rig.sent).toEqual([
      { topic: topicOf(rig.gatewayId, 'hint'), payload: JSON.stringify({ openingId: rig.header.openingId }) },
    ])
    rig.broker.isConnected = false
    rig.wire.hint(rig.gatewayId, rig.header.openingId)
    expect(rig.sent).toHaveLength(1)
    expect(logged()).toEqual(['not sent: no connection to the broker: undefined'])
  })
})

it('tells whether it is connected, from its start to its stop', async () => {
  const { broker, wire } = rig
  const idle = await wireRig()
  expect(idle.wire.isConnected()).toBe(false)
  idle.wire.hint(idle.gatewayId, idle.header.openingId)
  expect(idle.sent).toEqual([])
  await idle.wire.stop()
  await idle.close()
  expect(wire.isConnected()).toBe(true)
  rig.handlers()?.onConnect()
  rig.handlers()?.onRefused({ kind: 'login', message: 'not authorized' })
  rig.handlers()?.onDisconnect()
  expect(rig.world.lines.map(({ message }) => message)).toEqual([
    'connected to the broker',
    'the cloud is not connected to the broker',
    'lost the broker',
  ])
  await wire.stop()
  expect([broker.isConnected, wire.isConnected()]).toEqual([false, false])
})

it('names the reason while there is no connection to the broker, and none while there is one', async () => {
  const idle = await wireRig()
  expect(idle.wire.brokerFault()).toMatch(/has not answered yet/)
  await idle.close()
  const { broker, wire } = rig
  expect(wire.brokerFault()).toBeUndefined()
  broker.isConnected = false
  rig.handlers()?.onDisconnect()
  expect(wire.brokerFault()).toMatch(/is lost/)
  rig.handlers()?.onRefused({ kind: 'network', message: 'no route' })
  expect(wire.brokerFault()).toMatch(/cannot be reached/)
  rig.handlers()?.onRefused({ kind: 'login', message: 'not authorized' })
  expect(wire.brokerFault()).toMatch(/does not let the cloud in/)
  broker.isConnected = true
  expect(wire.brokerFault()).toBeUndefined()
})

it('names the present reason why it is not connected', () => {
  const { broker, wire } = rig
  expect(wire.brokerFault()).toBeUndefined()
  broker.isConnected = false
  expect(wire.brokerFault()).toBe('The broker has not answered yet.')
  rig.handlers()?.onDisconnect()
  expect(wire.brokerFault()).toMatch(/is lost; it is tried again/)
  for (const [kind, said] of [
    ['network', /cannot be reached/],
    ['login', /does not let the cloud in/],
    ['topics', /does not let the cloud read/],
  ] as const) {
    rig.handlers()?.onRefused({ kind, message: 'at 192.0.2.1' })
    expect(wire.brokerFault()).toMatch(said)
    expect(wire.brokerFault()).not.toContain('192')
  }
})
