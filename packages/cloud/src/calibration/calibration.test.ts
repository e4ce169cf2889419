// A calibration from its start to the stored profile, with a real exchange and a gateway that the test plays.

import type { CalibrationAnswer } from '@callgate/contract/app/calibration'
import { type CallProfile, callProfile } from '@callgate/contract/call/callProfile'
import { isProblem } from '@callgate/contract/rest/problem'
import type { Report } from '@callgate/contract/wire/messages'
import { moment } from '@callgate/world/world'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { gateHandlers } from '../gate/gates.ts'
import { gateFiguresHandlers } from '../history/gateFigureReader.ts'
import { adminRequest } from '../http/requests.kit.ts'
import { type ExchangeRig, exchangeRig, said } from '../opening/exchange.kit.ts'
import { newUser, type SignedInBrowser } from '../user/user.kit.ts'
import { addCall, putCalibration, rejectedReport } from './calibration.kit.ts'
import { calibrationHandlers } from './calibrationHandlers.ts'

let rig: ExchangeRig
let gateId: string
let user: SignedInBrowser

beforeEach(async () => {
  rig = await exchangeRig()
  gateId = await rig.addGate()
  const unverified = JSON.stringify(callProfile({ mode: 'unverified' }))
  await rig.database.knex('gates').update({ callProfile: unverified })
  user = await newUser(rig, { email: 'olga@example.com', spaceId: rig.spaceId, role: 'admin' })
})
afterEach(() => rig.close())

type Handler = keyof ReturnType<typeof calibrationHandlers>

async function ask(
  name: Handler,
  body?: object,
  who = user,
  spaceId = rig.spaceId,
): Promise<CalibrationAnswer | string> {
  const { userId, sessionId } = who
  const request = adminRequest(rig.database, spaceId, { params: { gateId }, body })
  const principal = { ...request.principal, identity: { kind: 'user', userId, sessionId } }
  const answer = await calibrationHandlers(rig)[name]({ ...request, principal } as never)
  if (isProblem(answer)) return `${answer.problem}: ${answer.message}`
  return (answer as { readonly body: CalibrationAnswer }).body
}
const calibration = async () => {
  const answer = await ask('getCalibration')
  return typeof answer === 'string' ? null : answer.calibration
}

async function press(who = user, at = gateId): Promise<string> {
  const { email, sessionId, userId } = who
  const actor = { actorType: 'owner', actorName: 'Olga', actorEmail: email, userId, sessionId } as const
  const pressed = await rig.exchange.press({
    spaceId: rig.spaceId,
    gateId: at,
    actor,
    since: moment(rig.world),
  })
  if (!pressed) throw new Error('no such gate')
  return pressed.openingId
}

/** A prepared press with its grant. */
async function grantedCall(body: object = {}): Promise<{ openingId: string; profile: CallProfile }> {
  expect(await ask('prepareTestCall', body)).not.toBeTypeOf('string')
  const openingId = await press()
  const grant = await rig.claim(openingId)
  if (!grant || !('callProfile' in grant)) throw new Error('not granted')
  return { openingId, profile: grant.callProfile }
}

async function testCall(report: Report, answer: object): Promise<string> {
  const { openingId } = await grantedCall()
  await rig.world.advance(9_000)
  await rig.report(openingId, report)
  await ask('answerTestCall', { openingId, ...answer })
  await rig.world.advance(31_000)
  return openingId
}

describe('a calibration', () => {
  it('makes three test calls, proposes the profile, and stores it as measured', async () => {
    expect(await ask('startCalibration')).toMatchObject({ calibration: { step: 'call', callsLeft: 3 } })
    for (const ringMs of [2_000, 3_000, 2_500])
      await testCall(rejectedReport(ringMs), { hasMoved: true, afterS: 8 })
    const proposal = { profile: { mode: 'reject', learned: true, reactMinMs: 1_000, reactMaxMs: 7_500 } }
    expect(await calibration()).toMatchObject({ step: 'decide', callsLeft: 0, proposal })
    expect(await ask('acceptCalibration')).toMatchObject({
      calibration: null,
      learnedFrom: { gatewayId: rig.gatewayId, modem: 'SIM800C', operator: 'Orange RO' },
      doubts: [],
    })
    const gate = await rig.database.knex('gates').where({ id: gateId }).first()
    expect(JSON.parse(gate.callProfile)).toMatchObject(proposal.profile)
    expect(JSON.parse(gate.callers)[rig.gatewayId]).toMatchObject({ numberKnown: 'yes' })
    const activity = await rig.database
      .knex('activity')
      .where({ targetType: 'gate' })
      .orderBy('timestamp')
      .select('action', 'actor', 'details')
    expect(activity.map(({ action }) => action)).toEqual(['gate.calibration_started', 'gate.calibrated'])
    expect(JSON.parse(activity[1].details)).toMatchObject({
      modem: 'SIM800C',
      changes: { callProfile: { from: { mode: 'unverified' }, to: { mode: 'reject' } } },
    })
  })

  it('has a profile in the grant that observes: it rings for 45 s, and follows an answer', async () => {
    await ask('startCalibration')
    const { openingId, profile } = await grantedCall()
    expect(profile).toMatchObject({ mode: 'answer_release', maxRingMs: 45_000, answerNotAfterMs: null })
    expect(profile).toMatchObject({ callerId: 'show', learned: false, discriminating: false })
    expect(await calibration()).toMatchObject({ step: 'calling', calls: [{ openingId, end: null }] })
  })

  it("C1: grants the press after next as usual, and another user's press", async () => {
    const other = await newUser(rig, { email: 'ion@example.com', spaceId: rig.spaceId, role: 'admin' })
    await ask('startCalibration')
    await ask('prepareTestCall')
    const byOther = await press(other)
    expect(await rig.claim(byOther)).toMatchObject({ callProfile: { mode: 'unverified' } })
    await rig.report(byOther, said.completed)
    await rig.world.advance(10_000)
    await rig.report((await grantedCall()).openingId, rejectedReport(2_000))
    await rig.world.advance(10_000)
    expect(await rig.claim(await press())).toMatchObject({ callProfile: { mode: 'unverified' } })
    expect((await calibration())?.calls).toHaveLength(1)
  })

  it('P5: lets nobody call within the cool-down after a test call that rang on, even when the calibration was ended', async () => {
    const rang = { status: 'timeout', reason: 'no_reaction', opened: 'no', confidence: 'likely' } as const
    await ask('startCalibration')
    const { openingId } = await grantedCall()
    await ask('endCalibration')
    await rig.report(openingId, rejectedReport(45_000, { verdict: rang }))
    const readOpening = (id: string) => rig.database.knex('openings').where({ id }).first()
    expect(await readOpening(openingId)).toMatchObject({ reason: 'no_reaction', opened: 'unknown' })
    await rig.world.advance(4_900)
    expect(await readOpening(await press())).toMatchObject({ joinedOpeningId: openingId })
    await rig.world.advance(100)
    expect(await readOpening(await press())).toMatchObject({ joinedOpeningId: null, status: 'initiated' })
  })

  it('forgets a prepared press after a minute', async () => {
    await ask('startCalibration')
    await ask('prepareTestCall')
    await rig.world.advance(61_000)
    expect(await rig.claim(await press())).toMatchObject({ callProfile: { mode: 'unverified' } })
  })

  it('hides the number only in the call that is prepared for that, after a proposal', async () => {
    await ask('startCalibration')
    const early = 'conflict: The call with the hidden number comes after a proposal.'
    expect(await ask('prepareTestCall', { isHidden: true })).toBe(early)
    await ask('endCalibration')
    // Until then, a call that ended before this process began may still move the gate.
    await rig.world.advance(60_000)
    await putCalibration(
      rig,
      { spaceId: rig.spaceId, gateId, gatewayId: rig.gatewayId },
      [2_000, 3_000, 2_500],
    )
    const { openingId, profile } = await grantedCall({ isHidden: true })
    expect(profile.callerId).toBe('hide')
    await rig.report(openingId, rejectedReport(2_200))
    await ask('answerTestCall', { openingId, hasMoved: false })
    expect(await calibration()).toMatchObject({ proposal: { profile: { discriminating: false } } })
    const again = 'conflict: The call with the hidden number was made already.'
    expect(await ask('prepareTestCall', { isHidden: true })).toBe(again)
  })

  it('is kept over a restart of the cloud, and ends 30 minutes after its start', async () => {
    await ask('startCalibration')
    await rig.world.advance(29 * 60_000)
    expect(await calibration()).toMatchObject({ step: 'call' })
    await rig.world.advance(61_000)
    expect(await calibration()).toBeNull()
    expect(await ask('prepareTestCall')).toBe(
      'conflict: No calibration of this gate goes on. Start one first.',
    )
    expect(await ask('startCalibration')).toMatchObject({ calibration: { calls: [] } })
  })
})

describe('a calibration refuses', () => {
  const refusals = (name: Handler, body?: object) => ask(name, body)

  it('C1: a second one at the same gate', async () => {
    await ask('startCalibration')
    const again = await refusals('startCalibration')
    expect(again).toEqual(expect.stringContaining('conflict: This gate is being calibrated already.'))
  })

  it('C1: a call while one runs, before the answer, and within 30 s of the last one', async () => {
    await ask('startCalibration')
    const { openingId } = await grantedCall()
    expect(await refusals('prepareTestCall')).toBe('conflict: The last test call still runs.')
    expect(await refusals('answerTestCall', { openingId, hasMoved: true })).toMatch(
      'conflict: This test call still',
    )
    await rig.report(openingId, rejectedReport(2_000))
    expect(await refusals('prepareTestCall')).toMatch('conflict: Say first whether the gate moved')
    await ask('answerTestCall', { openingId, hasMoved: true })
    await rig.world.advance(29_000)
    expect(await refusals('prepareTestCall')).toBe('conflict: The gate has to come to rest: wait 1 s more.')
    await rig.world.advance(1_000)
    expect(await ask('prepareTestCall')).not.toBeTypeOf('string')
  })

  it('C1: a call while one of an ended calibration runs, and within 30 s of it', async () => {
    await ask('startCalibration')
    const { openingId } = await grantedCall()
    await ask('endCalibration')
    expect(await ask('startCalibration')).toMatchObject({ calibration: { step: 'calling', calls: [] } })
    expect(await refusals('prepareTestCall')).toBe('conflict: The last test call still runs.')
    await rig.report(openingId, rejectedReport(2_000))
    await ask('endCalibration')
    await rig.world.advance(29_000)
    expect(await ask('startCalibration')).toMatchObject({ calibration: { step: 'call', restMs: 1_000 } })
    expect(await refusals('prepareTestCall')).toBe('conflict: The gate has to come to rest: wait 1 s more.')
    await rig.world.advance(1_000)
    expect(await ask('prepareTestCall')).not.toBeTypeOf('string')
  })

  it('an answer to a call that is not its own', async () => {
    await ask('startCalibration')
    const openingId = await press()
    expect(await refusals('answerTestCall', { openingId, hasMoved: true })).toMatch('not_found: ')
  })

  it('to store what the calls do not show, and what would misread one of them', async () => {
    await ask('startCalibration')
    expect(await refusals('acceptCalibration')).toMatch('conflict: Make the test calls first')
    await ask('endCalibration')
    const still = { hasMoved: false, afterS: null }
    await putCalibration(
      rig,
      { spaceId: rig.spaceId, gateId, gatewayId: rig.gatewayId },
      [2_000, 3_000, 2_500],
      still,
    )
    expect(await refusals('acceptCalibration')).toMatch('conflict: The test calls do not tell')
    await putCalibration(
      rig,
      { spaceId: rig.spaceId, gateId, gatewayId: rig.gatewayId },
      [2_000, 3_000, 2_500],
    )
    expect(await refusals('acceptCalibration', { profile: { reactMaxMs: 2_600 } })).toMatch(
      'conflict: With this profile one of the test calls would be read wrongly.',
    )
    expect(await refusals('acceptCalibration', { profile: { reactMinMs: 9_000 } })).toMatch(
      'conflict: reactMinMs',
    )
    const kept = { profile: { coolDownMs: 20_000, learned: false } }
    expect(await ask('acceptCalibration', kept)).toMatchObject({ calibration: null })
    const { callProfile: stored } = await rig.database.knex('gates').where({ id: gateId }).first()
    expect(JSON.parse(stored)).toMatchObject({ mode: 'reject', coolDownMs: 20_000, learned: true })
  })

  it('to ring a gate for a shorter time than it took to move', async () => {
    await putCalibration(
      rig,
      { spaceId: rig.spaceId, gateId, gatewayId: rig.gatewayId },
      [20_000, 21_000, 20_500],
      { hasMoved: true, afterS: 13 },
    )
    expect(await calibration()).toMatchObject({ proposal: { profile: { mode: 'ring' } } })
    expect(await refusals('acceptCalibration', { profile: { ringHangupMs: 1_000 } })).toMatch(
      'conflict: ringHangupMs is shorter than the gate rang',
    )
    expect(await ask('acceptCalibration')).toMatchObject({ calibration: null })
  })

  it('any access to a gate of another Space', async () => {
    await ask('startCalibration')
    for (const name of ['getCalibration', 'startCalibration', 'prepareTestCall', 'endCalibration'] as const)
      expect(await ask(name, {}, user, 'space_other')).toMatch('not_found: ')
  })
})

it('C2: a proposal from two calls, and one where the gate moved only after some', async () => {
  await ask('startCalibration')
  for (const hasMoved of [true, true]) await testCall(rejectedReport(2_000), { hasMoved })
  expect(await calibration()).toMatchObject({ step: 'call', callsLeft: 1, proposal: null })
  await testCall(rejectedReport(2_000), { hasMoved: false })
  const proposal = { profile: null, why: 'moved_sometimes' }
  expect(await calibration()).toMatchObject({ step: 'decide', proposal })
})

describe('an unclear call', () => {
  it('is repeated, and nobody is asked about it', async () => {
    await ask('startCalibration')
    const lost: Report = rejectedReport(2_000, {
      verdict: { reason: 'modem_lost_after_ring' },
      events: [{ atMs: 6_000, event: 'modem lost, restarted' }],
    })
    const { openingId } = await grantedCall()
    await rig.report(openingId, lost)
    expect(await calibration()).toMatchObject({ step: 'call', callsLeft: 3, calls: [{ end: 'unclear' }] })
    // The number is held for 100 s, because no beat says that the modem answers.
    await rig.world.advance(101_000)
    await testCall(rejectedReport(2_000), { hasMoved: true })
    expect(await calibration()).toMatchObject({ step: 'call', callsLeft: 2 })
  })
})

describe('the doubts about a measured profile', () => {
  const place = () => ({ spaceId: rig.spaceId, gateId, gatewayId: rig.gatewayId })
  async function learn() {
    await putCalibration(rig, place(), [2_000, 3_000, 2_500])
    await ask('acceptCalibration')
    await rig.world.advance(60_000)
  }
  const doubts = async () => {
    const answer = await ask('getCalibration')
    return typeof answer === 'string' ? answer : answer.doubts
  }
  const drifted = () => rig.database.knex('activity').where({ action: 'gate.drifted' }).select('details')
  const call = (report: Report) => addCall(rig, place(), report, rig.world.nowMs())
  const opened = (ringMs: number, more: object = {}) =>
    rejectedReport(ringMs, { verdict: { status: 'completed', reason: 'rejected_after_ring' }, ...more })

  it('are none while calls fit, with the median of their times', async () => {
    await learn()
    for (const ringMs of [2_000, 2_600, 3_000]) await call(opened(ringMs))
    expect(await ask('getCalibration')).toMatchObject({ doubts: [], usualMs: 2_600 })
  })

  it('are recorded once in the activity, and change no profile', async () => {
    await learn()
    const before = (await rig.database.knex('gates').where({ id: gateId }).first()).callProfile
    const guest = await rig.addGuest(gateId)
    const answered = rejectedReport(2_000, { verdict: { reason: 'answered_unexpectedly', talkMs: 100 } })
    for (let place = 0; place < 2; place++) {
      await rig.run(guest, answered)
      await rig.world.advance(30_000)
    }
    expect(await doubts()).toEqual(['answers_now'])
    expect((await drifted()).map(({ details }) => JSON.parse(details).doubt)).toEqual(['answers_now'])
    expect((await rig.database.knex('gates').where({ id: gateId }).first()).callProfile).toBe(before)
  })

  it('need three calls outside of the measured times', async () => {
    await learn()
    const late = rejectedReport(9_000, { verdict: { reason: 'late_release' } })
    await call(late)
    await call(late)
    expect(await doubts()).toEqual([])
    await call(late)
    expect(await doubts()).toEqual(['other_times'])
  })

  it('C2: do not include the test calls of a later calibration', async () => {
    await learn()
    await ask('startCalibration')
    for (const ringMs of [2_000, 3_000, 2_500]) await testCall(rejectedReport(ringMs), { hasMoved: true })
    await ask('endCalibration')
    expect(await doubts()).toEqual([])
    expect(await drifted()).toEqual([])
  })

  it('include another modem, or another mobile network, but no other firmware', async () => {
    await learn()
    await call(opened(2_000, { modem: 'SIM800C 1418B07' }))
    expect(await doubts()).toEqual([])
    await rig.world.advance(1_000)
    await call(opened(2_000, { modem: 'SIM7600G-H LE20B04', operator: 'Vodafone RO' }))
    expect(await doubts()).toEqual(['other_modem', 'other_operator'])
  })

  it('end with another calibration, another mode by hand, and another number', async () => {
    await learn()
    for (let place = 0; place < 3; place++)
      await call(rejectedReport(9_000, { verdict: { reason: 'late_release' } }))
    expect(await doubts()).toEqual(['other_times'])
    const gates = gateHandlers(rig)
    const request = (body: object) =>
      adminRequest(rig.database, rig.spaceId, { params: { gateId }, body }) as never
    expect(await gates.updateGateProfile(request({ mode: 'ring' }))).toMatchObject({
      body: { calibration: 'declared' },
    })
    expect(await ask('getCalibration')).toMatchObject({ doubts: [], learnedFrom: null })
    await learn()
    await gates.updateGate(request({ phoneNumber: '+40722555555' }))
    expect(await ask('getCalibration')).toMatchObject({ doubts: [], learnedFrom: null })
  })
})

describe('a test call that ends without an answer', () => {
  it('is no miss of the gate, whatever the person saw, because the call itself does not show it', async () => {
    const rang = rejectedReport(45_000, { verdict: { status: 'timeout', reason: 'no_answer', opened: 'no' } })
    await ask('startCalibration')
    await testCall(rang, { hasMoved: true, afterS: 8 })
    const request = adminRequest<'getGateFigures'>(rig.database, rig.spaceId, { params: { gateId } })
    const figures = () => gateFiguresHandlers(rig).getGateFigures(request)
    expect(await figures()).toMatchObject({ body: { figures: { misses: 0 } } })
    await testCall(rang, { hasMoved: false })
    expect(await figures()).toMatchObject({ body: { figures: { misses: 0 } } })
  })
})
