// The judge of the cloud: the real exchange on a real database, with guests and gateways that are played.

import { createExchange } from '@callgate/cloud/opening/exchange'
import { type ExchangeRig, exchangeRig, type Guest, said } from '@callgate/cloud/opening/exchange.kit'
import type { Report } from '@callgate/contract/wire/messages'
import { newId } from '@callgate/world/ids'
import { isoTime, moment } from '@callgate/world/world'
import { isBroken } from '../promise.ts'

const bootOf = (letter: string) => letter.repeat(22)

/** A Space with one gate and one guest of it. */
async function played(rig: ExchangeRig, maxUsage?: number) {
  const gateId = await rig.addGate()
  return { gateId, guest: await rig.addGuest(gateId, maxUsage === undefined ? {} : { maxUsage }) }
}

async function secondGateway({ database, spaceId, world }: ExchangeRig): Promise<string> {
  const id = newId(world, 'gw')
  const keys = { publicKey: 'k', passwordHash: 'p' }
  await database
    .knex('gateways')
    .insert({ id, spaceId, name: 'Pi 2', bootId: bootOf('A'), ...keys, createdAt: isoTime(world.nowMs()) })
  return id
}

async function grants(rig: ExchangeRig, openingId: string, more: Partial<Record<string, string>> = {}) {
  const by = {
    gatewayId: rig.gatewayId,
    bootId: bootOf('A'),
    nonce: bootOf('N'),
    openingId,
    sinceBootMs: rig.world.sinceBootMs(),
  }
  return (await rig.exchange.claim({ ...by, ...more })).granted
}

function reportBy(rig: ExchangeRig, gatewayId: string, openingId: string, report: Report, seq: number) {
  const sent = { body: JSON.stringify(report), signature: 's', bootId: bootOf('A'), seq }
  return rig.exchange.report({ ...sent, gatewayId, openingId, report })
}

const broken = (isBroken: boolean, what: string) => (isBroken ? [what] : [])

async function change(rig: ExchangeRig, table: string, id: string, to: object) {
  await rig.database.knex(table).where({ id }).update(to)
}

async function openCount(rig: ExchangeRig, gateId: string): Promise<number> {
  return Number((await rig.database.knex('gates').where({ id: gateId }).first()).openCount)
}

const usageOf = async (rig: ExchangeRig, guest: Guest) => Number((await rig.access(guest)).usageCount)

type Scenario = (rig: ExchangeRig) => Promise<readonly string[]>

const claims: Record<string, Scenario> = {
  async 'claims for one opening'(rig) {
    const { guest } = await played(rig)
    const openingId = await rig.press(guest)
    const first = await grants(rig, openingId)
    const again = await grants(rig, openingId)
    const others = [
      await grants(rig, openingId, { gatewayId: await secondGateway(rig) }),
      await grants(rig, openingId, { nonce: bootOf('M') }),
      await grants(rig, openingId, { bootId: bootOf('B') }),
    ]
    // A restart in the call: the later boot still has to report it, and asks again.
    const beat = { gatewayId: rig.gatewayId, bootId: bootOf('B'), journalId: bootOf('J'), isOnline: true }
    const says = { ...beat, toReport: [openingId], body: '{}' }
    const asked = await rig.exchange.beat({ ...says, seq: 1 })
    await rig.exchange.beat({ ...says, seq: 2, nonce: asked.kind === 'challenge' ? asked.nonce : '' })
    others.push(await grants(rig, openingId, { bootId: bootOf('B') }))
    return [
      ...broken(!first || !again, 'A2: the claim was refused, or not answered again'),
      ...broken(others.includes(true), `P1: a second claim was granted: ${others}`),
    ]
  },
  async 'a claim that comes late'(rig) {
    const { guest } = await played(rig)
    const openingId = await rig.press(guest)
    rig.world.jumpWallClock(-3_600_000)
    await rig.world.advance(13_000)
    // As if the end at 12 s could not be written: the age alone has to do.
    await change(rig, 'openings', openingId, { status: 'initiated', completedAt: null })
    const late = await grants(rig, openingId)
    return broken(late, 'P2: granted 13 s after the press')
  },
  async 'a claim after a restart of the cloud'(rig) {
    const { guest } = await played(rig)
    const openingId = await rig.press(guest)
    rig.exchange.stop()
    const { database, door, gatewayId, world } = rig
    await world.advance(20_000)
    const next = createExchange({ world, database, door })
    const sinceBootMs = world.sinceBootMs()
    const by = { gatewayId, bootId: bootOf('A'), nonce: bootOf('N'), openingId, sinceBootMs }
    const early = await next.claim(by)
    await next.start()
    const late = await next.claim(by)
    const { status } = await rig.opening(openingId)
    next.stop()
    return [
      ...broken(
        early.granted || late.granted,
        'P2: granted 20 s after the press, by another run of the cloud',
      ),
      ...broken(status === 'initiated', 'A2: what a former run left never ends'),
    ]
  },
  async 'a restart of the cloud with its wall clock an hour ahead'(rig) {
    const { guest } = await played(rig)
    const [over, running] = [guest, (await played(rig)).guest]
    await rig.run(over, said.completed)
    const { database, door, spaceId, world } = rig
    await grants(rig, await rig.press(running))
    rig.exchange.stop()
    world.jumpWallClock(3_600_000)
    const next = createExchange({ world, database, door })
    await next.start()
    const pressAgain = async ({ token: _, gateId, ...actor }: Guest) => {
      const pressed = await next.press({ spaceId, gateId, actor, since: moment(world) })
      return (await rig.opening(pressed?.openingId ?? '')).status === 'initiated'
    }
    const isMoving = await pressAgain(over)
    await world.advance(99_000)
    const isRinging = await pressAgain(running)
    next.stop()
    return [
      ...broken(isMoving, 'P5: called again within the cool-down, after a restart'),
      ...broken(isRinging, 'P5: called again while a call may still be running, after a restart'),
    ]
  },
  async 'a boot that another has followed'(rig) {
    const { guest } = await played(rig)
    const { gateId } = guest
    await grants(rig, await rig.press(guest))
    const by = { gatewayId: rig.gatewayId, journalId: bootOf('J'), isOnline: true, body: '{}' }
    const beat = { ...by, bootId: bootOf('B'), toReport: [] }
    const asked = await rig.exchange.beat({ ...beat, seq: 1 })
    const nonce = asked.kind === 'challenge' ? asked.nonce : ''
    const guessed = await rig.exchange.beat({ ...beat, seq: 2, nonce: bootOf('M') })
    const answered = await rig.exchange.beat({ ...beat, seq: 3, nonce })
    const other = await rig.addGuest(await rig.addGate(), { of: guest })
    const isGranted = await grants(rig, await rig.press(other))
    const first = await rig.database.knex('openings').where({ gateId }).first()
    const back = await rig.exchange.beat({ ...beat, seq: 4, bootId: bootOf('A') })
    // As after more starts than are remembered.
    await rig.database.knex('supersededBoots').delete()
    const late = await rig.exchange.beat({ ...beat, seq: 5, bootId: bootOf('A'), wasTakenUp: true })
    return [
      ...broken(asked.kind === 'current', 'G2: a boot was taken up without a challenge'),
      ...broken(guessed.kind === 'current', 'G2: a boot was taken up that has not answered its challenge'),
      ...broken(answered.kind !== 'current', 'A2: a boot that has answered was not taken up'),
      ...broken(back.kind !== 'refused', 'G2: a superseded boot is not refused'),
      ...broken(late.kind !== 'refused', 'G2: a superseded boot is forgotten, and may begin anew'),
      ...broken(isGranted, 'G2: a superseded boot was granted'),
      ...broken(first.status === 'initiated', 'A2: what the lost journal knew never ends'),
      ...broken(first.lockedNumber === null, 'P5: the number is free while the older boot may dial'),
    ]
  },
  async 'a permission lost in flight'(rig) {
    const found: string[] = []
    for (const table of ['accesses', 'members', 'gates', 'gateways']) {
      const { gateId, guest } = await played(rig)
      const openingId = await rig.press(guest)
      const id = { accesses: guest.accessId, members: guest.memberId, gates: gateId }[table] ?? rig.gatewayId
      await change(rig, table, id, table === 'gateways' ? { revokedAt: isoTime(0) } : { isActive: false })
      found.push(...broken(await grants(rig, openingId), `P3: granted although ${table} lost it`))
    }
    return found
  },
  async 'a number changed in flight'(rig) {
    const { gateId, guest } = await played(rig)
    const openingId = await rig.press(guest)
    await change(rig, 'gates', gateId, { phoneNumber: '+40722999999' })
    return broken(await grants(rig, openingId), 'P4: granted for a number that is no longer the gate’s')
  },
}

const presses: Record<string, Scenario> = {
  async 'two press at once'(rig) {
    const { gateId, guest } = await played(rig)
    const other = await rig.addGuest(gateId)
    const [first, second] = await Promise.all([
      rig.press(guest).catch(() => 'none'),
      rig.press(other).catch(() => 'none'),
    ])
    const isGranted = [await grants(rig, first), await grants(rig, second)]
    if (isGranted.filter(Boolean).length !== 1 || first === 'none' || second === 'none')
      return [`P5: two presses on a number were granted ${isGranted}`]
    await rig.report(first, said.completed)
    const { status } = await rig.opening(second)
    const counted = (await openCount(rig, gateId)) === 1 && (await usageOf(rig, other)) === 0
    return [
      ...broken(status !== 'completed', `A2: whoever joined is ${status} when the call has completed`),
      ...broken(!counted, 'A6: whoever joined is counted'),
    ]
  },
  async 'a press just after a call'(rig) {
    const { guest } = await played(rig)
    await rig.run(guest, said.completed)
    await rig.world.advance(2_000)
    return broken(await grants(rig, await rig.press(guest)), 'P5: called again within the cool-down')
  },
  async 'a press when the cloud has given up on a call'(rig) {
    const { guest } = await played(rig)
    await grants(rig, await rig.press(guest))
    await rig.world.advance(97_000)
    return broken(await grants(rig, await rig.press(guest)), 'P5: called while a call may still be running')
  },
  async 'a press by who may not'(rig) {
    const { gateId, guest } = await played(rig)
    const other = await rig.addGuest(gateId)
    const leading = await rig.press(guest)
    await change(rig, 'accesses', other.accessId, { isActive: false })
    const { joinedOpeningId } = await rig.opening(await rig.press(other))
    await grants(rig, leading)
    return broken(joinedOpeningId !== null, 'P3: who may not open joined a call')
  },
  async 'a leader that was not dialled'(rig) {
    const { gateId, guest } = await played(rig)
    const [leading, joined] = [await rig.press(guest), await rig.press(await rig.addGuest(gateId))]
    await grants(rig, leading)
    await rig.world.advance(5_000)
    await rig.report(leading, said.notDialled)
    const isHeir = (await rig.opening(joined)).status === 'initiated' && (await grants(rig, joined))
    return broken(!isHeir, 'A2: a joiner in time did not take over')
  },
  async 'nobody claims'(rig) {
    const { guest } = await played(rig)
    const openingId = await rig.press(guest)
    await rig.world.advance(3_000)
    const rung = rig.hints.length
    await rig.world.advance(10_000)
    const { status } = await rig.opening(openingId)
    return [
      ...broken(rung < 2, 'A2: a hint that was lost is not said again'),
      ...broken(status !== 'failed', 'A2: what nobody claims does not end'),
    ]
  },
}

const reports: Record<string, Scenario> = {
  async 'a report that comes twice'(rig) {
    const { gateId, guest } = await played(rig)
    const openingId = await rig.press(guest)
    await grants(rig, openingId)
    const answers = []
    const sent = [
      [said.completed, 7],
      [said.notDialled, 7],
      [said.completed, 8],
    ] as const
    for (const [what, seq] of sent)
      answers.push(
        await reportBy(rig, rig.gatewayId, openingId, what, seq).then(
          ack => ack.result,
          () => 'none',
        ),
      )
    const kept = Number((await rig.database.knex('openingReports').count({ count: '*' }).first())?.['count'])
    return [
      ...broken((await openCount(rig, gateId)) !== 1, 'A6: one call was counted more than once'),
      ...broken(
        answers[1] !== 'duplicate' || kept !== 1,
        `A3: a report that came twice was answered by ${answers}, and ${kept} are kept`,
      ),
    ]
  },
  async 'a report by another gateway'(rig) {
    const { guest } = await played(rig)
    const other = await secondGateway(rig)
    const openingId = await rig.press(guest)
    await grants(rig, openingId)
    await reportBy(rig, other, openingId, said.completed, 1)
    const { status } = await rig.opening(openingId)
    return broken(status !== 'initiated', 'A3: another gateway ended the opening')
  },
  async 'truth that comes late'(rig) {
    const { guest } = await played(rig)
    const openingId = await rig.press(guest)
    await grants(rig, openingId)
    await rig.world.advance(91_000)
    const gaveUp = (await rig.opening(openingId)).status
    await rig.report(openingId, said.completed)
    const corrected = (await rig.opening(openingId)).status
    await rig.report(openingId, said.busy)
    const { status } = await rig.opening(openingId)
    return [
      ...broken(gaveUp !== 'timeout', `A2: ${gaveUp} 91 s after the press`),
      ...broken(corrected !== 'completed', 'A3: the late verdict was refused'),
      ...broken(status !== corrected, 'A2: a terminal state was left'),
    ]
  },
  async 'ringing after the end'(rig) {
    const { guest } = await played(rig)
    const openingId = await rig.run(guest, said.completed)
    await rig.report(openingId, { phase: 'ringing', sinceClaimMs: 50 })
    const { status } = await rig.opening(openingId)
    return broken(status !== 'completed', 'A2: a terminal state was left for ringing')
  },
  async 'uses that are given back'(rig) {
    const { guest } = await played(rig, 2)
    await rig.run(guest, said.notDialled)
    const undialled = await usageOf(rig, guest)
    await rig.run(guest, said.unclear)
    const unclear = await usageOf(rig, guest)
    await rig.world.advance(60_000)
    await rig.run(guest, said.completed)
    await rig.world.advance(60_000)
    const isGranted = await grants(rig, await rig.press(guest))
    return [
      ...broken(undialled !== 0, 'L1: a use was kept although nothing was dialled'),
      ...broken(unclear !== 1, 'L1: a use was given back although the gate may have moved'),
      ...broken(isGranted || (await usageOf(rig, guest)) !== 2, 'L1: more uses than the cap'),
    ]
  },
  async 'a use given back while another is taken'(rig) {
    const { guest } = await played(rig, 2)
    const unheard = await rig.press(guest)
    await grants(rig, unheard)
    // The cloud gives it up at 90 s and frees its number at 100 s; the gateway's word comes with the next claim.
    await rig.world.advance(170_000)
    const next = await rig.press(guest)
    await Promise.all([grants(rig, next), rig.report(unheard, said.notDialled)])
    const uses = await usageOf(rig, guest)
    return broken(uses !== 1, `L1: ${uses} uses are counted of one`)
  },
  async 'the last use, taken in flight'(rig) {
    const { guest } = await played(rig, 1)
    const openingId = await rig.press(guest)
    await change(rig, 'accesses', guest.accessId, { usageCount: 1 })
    const isGranted = await grants(rig, openingId)
    return broken(isGranted || (await usageOf(rig, guest)) > 1, 'L1: granted beyond the cap')
  },
}

export async function judge(sought: string | undefined): Promise<readonly string[]> {
  const found: string[] = []
  for (const [name, run] of Object.entries({ ...claims, ...presses, ...reports })) {
    const rig = await exchangeRig()
    // A failure is no proof of a broken promise: another scenario has to show the one that is sought.
    const violations = await run(rig).catch((error: unknown) => [`failed: ${error}`])
    found.push(...violations.map(violation => `${violation} (${name})`))
    await rig.close()
    if (sought && isBroken(sought, found)) break
  }
  return found
}
