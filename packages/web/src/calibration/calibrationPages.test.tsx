import type { Calibration, CalibrationAnswer, CalibrationCall } from '@callgate/contract/app/calibration'
import { refuse } from '@callgate/contract/app/refusals'
import { type CallProfile, exampleProfile } from '@callgate/contract/call/callProfile'
import { exampleEvidence, exampleOpening } from '@callgate/contract/rest/opening'
import { cleanup, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { Answers } from '../client/fakeCloud.kit.ts'
import { another, calibrationOf, gateOf, ids, pathOf, sessionOf } from '../client/spaceData.kit.ts'
import { dashboardPages, expectAccessible, on } from '../pages.kit.tsx'

const pages = dashboardPages()
const page = on()
const gatePath = pathOf(`gates/${ids.gateId}`)

const long = '2099-01-01T00:00:00.000Z'

type TestCallOutcome = Pick<CalibrationCall, 'end' | 'ringMs'>
type Proposal = NonNullable<Calibration['proposal']>

/** A call with the hidden number that rang like the others cannot be told apart from them. */
const propose = (calls: readonly CalibrationCall[]): Proposal => ({
  profile: { ...exampleProfile, discriminating: !calls.some(call => call.isHidden) },
  why: null,
})

/** A calibration whose calls end at once, unless `isRunning`; each then waits for the person's answer. */
function calibrating(
  name: string,
  { isRunning = false, proposing = propose }: { isRunning?: boolean; proposing?: typeof propose } = {},
) {
  let calls: readonly CalibrationCall[] = []
  let isHidden = false
  let calibration: Calibration | null = null
  const become = (changed: Partial<Calibration>) => {
    const fresh = { startedAt: long, expiresAt: long, restMs: 0, calls: [], proposal: null }
    calibration = { ...fresh, step: 'call', callsLeft: 3, ...calibration, ...changed }
    return { status: 200, body: calibrationOf({ calibration }) } as const
  }
  const end = (seen: TestCallOutcome) => {
    calls = calls.map(call => (call.end === null ? { ...call, ...seen } : call))
    become({ step: 'answer', calls: [...calls] })
  }
  const answers = {
    getGate: () => ({ status: 200, body: { gate: gateOf({ name }) } }),
    getCalibration: () => ({ status: 200, body: calibrationOf({ calibration }) }),
    getOpening: () => ({ status: 200, body: { opening: exampleOpening, evidence: exampleEvidence } }),
    startCalibration: () => become({}),
    prepareTestCall({ body }) {
      isHidden = body.isHidden ?? false
      return become({})
    },
    openGate() {
      const openingId = another(ids.openingId, calls.length + 10)
      const call = { openingId, isHidden, end: null, setupMs: 4_000, ringMs: null, talkMs: null } as const
      calls = [...calls, { ...call, hasMoved: null, afterS: null }]
      become({ step: 'calling', calls: [...calls] })
      if (!isRunning) end({ end: 'rejected', ringMs: 2_000 })
      return { status: 202, body: { opened: false, openingId } }
    },
    answerTestCall({ body: { afterS = null, hasMoved, openingId } }) {
      calls = calls.map(call => (call.openingId === openingId ? { ...call, hasMoved, afterS } : call))
      const open = calls.filter(call => !call.isHidden)
      const isOver = open.length === 3
      return become({
        step: isOver ? 'decide' : 'call',
        calls: [...calls],
        callsLeft: 3 - open.length,
        proposal: isOver ? proposing(calls) : null,
      })
    },
    endCalibration() {
      calibration = null
      return { status: 200, body: calibrationOf() }
    },
  } satisfies Answers
  return { answers, end }
}

it('shows first what may spoil the calls at the gateway, and lets them be made', async () => {
  const { answers } = calibrating('Cellar gate')
  const gateway = { id: ids.gatewayId, name: 'Attic' }
  let warnings: CalibrationAnswer['checks']['warnings'] = ['signal_weak']
  const read = () => ({ ...answers.getCalibration().body, checks: { gateway, warnings } })
  const cloud = await pages.open(gatePath, sessionOf(), {
    ...answers,
    getCalibration: () => ({ status: 200, body: read() }),
    startCalibration: () => ({ status: 200, body: { ...answers.startCalibration().body, ...read() } }),
  })
  await page.follow('Calibrate')
  await page.says('Cellar gate has not been called yet.')
  await page.says('Look first at Attic.')
  await page.says('Its signal is weak. Put the antenna outside, or higher.')
  await expectAccessible()
  await page.press('Start')
  await page.says('Call 1 of 3')
  await page.says('Look first at Attic.')
  await page.button('Call the gate')
  warnings = []
  cloud.tell('gateway.changed', ids.gatewayId)
  await page.saysNot('Look first at Attic.')
})

/** Proposes nothing while the gate has moved only after some of the calls. */
const proposeFromAll = (calls: readonly CalibrationCall[]): Proposal =>
  calls.every(call => call.hasMoved)
    ? { profile: { ...exampleProfile, reactMinMs: 1_000, reactMaxMs: 7_500 }, why: null }
    : { profile: null, why: 'moved_sometimes' }

/** Changes how long the gate may take, with three mistakes first. */
async function changeWindow() {
  await page.press('Change it')
  const within = 'Takes the call within (seconds)'
  for (const [typed, text] of [
    ['50', 'Seconds from 0 to 45, such as 2.5.'],
    ['2.5', 'At least one of the test calls took another time.'],
    ['0.5', 'The second time must not be before the first.'],
  ] as const) {
    await page.fill(within, typed)
    await page.says(text)
  }
  await expectAccessible()
  // The cloud refuses a profile that would read a test call wrongly.
  await page.fill(within, '2.5')
  await page.press('Save')
  await page.says('With this profile one of the test calls would be read wrongly.')
  await page.fill(within, '9')
  await page.says('It does so after it has rung for 1.0 s to 9.0 s.')
}

/** The proposal, the calls that show it, and a pause of what was seen. */
async function showsProposal() {
  await page.says('Rejects the call, and opens.')
  await page.says('It does so after it has rung for 1.0 s to 7.5 s.')
  await page.of('img', 'Call 1 rang for 2.0 s. Call 2 rang for 3.0 s. Call 3 rang for 2.5 s.')
  // It moved 8 s after the press, 2 s after its call.
  expect(await page.typed('Do not call again for (seconds)')).toBe('7')
  await expectAccessible()
}

/** A gate whose calls run until a test ends them. It is measured once the proposal is accepted. */
function measuring() {
  const { answers, end } = calibrating('Courtyard gate', { isRunning: true, proposing: proposeFromAll })
  let profile: CallProfile = { ...exampleProfile, mode: 'unverified' }
  const learnedFrom = {
    at: new Date().toISOString(),
    gatewayId: ids.gatewayId,
    modem: 'SIM800C',
    operator: 'Orange RO',
  }
  const isMeasured = () => profile.mode !== 'unverified'
  const here: Answers = {
    ...answers,
    getGateProfile: () => ({
      status: 200,
      body: { profile, calibration: isMeasured() ? 'measured' : 'none' },
    }),
    getCalibration: () =>
      isMeasured() ? { status: 200, body: calibrationOf({ learnedFrom }) } : answers.getCalibration(),
    acceptCalibration({ body }) {
      if (body.profile?.reactMaxMs === 2_500) return refuse('calibration_misread')
      profile = { ...exampleProfile, reactMinMs: 1_000, ...body.profile }
      return { status: 200, body: calibrationOf({ learnedFrom }) }
    },
  }
  return { here, end }
}

it('calibrates a gate: three calls, three answers, and the saved profile', async () => {
  const { end, here } = measuring()
  let cloud = await pages.open(gatePath, sessionOf(), here)
  const call = async (seen: TestCallOutcome) => {
    await page.press('Call the gate')
    await page.button('It moves now')
    end(seen)
    cloud.tell('gate.updated', ids.gateId)
    await page.of('heading', /^Call . of 3: did it move\?$/)
  }
  await page.says('Three test calls show how it takes a call.')
  await page.follow('Calibrate')
  await page.says('A real gate will move.')
  await expectAccessible()
  await page.press('Start')
  await page.says('Call 1 of 3')
  await expectAccessible()
  await page.press('Call the gate')
  await page.button('It moves now')
  await expectAccessible()
  await page.press('It moves now')
  await page.button(/^Moved after \d+ s$/)
  // After a reload during the call, it continues.
  cleanup()
  cloud = await pages.open(location.pathname, sessionOf(), here)
  await page.says('Let it end by itself.')
  end({ end: 'rejected', ringMs: 2_000 })
  cloud.tell('gate.updated', ids.gateId)
  await page.press('It moved')
  await page.fill('After how many seconds?', 'soon')
  await page.press('Next')
  await page.says('A whole number from 0 to 120, or empty.')
  await expectAccessible()
  await page.fill('After how many seconds?', '8')
  await page.press('Next')
  await page.says('Rejected after 2.0 s of ringing')
  await page.says('Call 2 of 3')
  await call({ end: 'rejected', ringMs: 3_000 })
  await page.press('It stood still')
  await page.says('stood still')
  await call({ end: 'rejected', ringMs: 2_500 })
  await page.press('It moved')
  await page.press('Next')
  await page.says('The gate moved after some calls only.')
  await expectAccessible()
  // A mistake in the second answer is corrected.
  await page.press('Change what you saw after call 2')
  await page.press('It moved')
  await page.press('Next')
  await showsProposal()
  await changeWindow()
  await page.fill('Do not call again for (seconds)', '20')
  await page.press('Save')
  await page.says('Saved. The gate is calibrated.')
  await page.follow('To the gate')
  await page.says(/^Measured on .*, by SIM800C · Orange RO\./)
  expect(cloud.bodies('answerTestCall').map(({ afterS, hasMoved }) => [hasMoved, afterS])).toEqual([
    [true, 8],
    [false, null],
    [true, null],
    [true, null],
  ])
  expect(cloud.bodies('acceptCalibration').at(-1)).toEqual({
    profile: { reactMaxMs: 9_000, coolDownMs: 20_000 },
  })
  await expectAccessible()
})

it('asks for a call with a hidden number only when it can show something, and warns before', async () => {
  const cloud = await pages.open(gatePath, sessionOf(), {
    ...calibrating('Yard barrier').answers,
    getGateProfile: () => ({
      status: 200,
      body: { profile: { ...exampleProfile, mode: 'unverified' }, calibration: 'none' },
    }),
  })
  await page.follow('Calibrate')
  await page.press('Start')
  for (const call of [1, 2, 3]) {
    await page.button('Call the gate')
    expect(screen.queryByRole('button', { name: 'Call with the number hidden' })).toBeNull()
    await page.press('Call the gate')
    await page.of('heading', /^Call . of 3: did it move\?$/)
    await page.press('It moved')
    await page.press('Next')
    await expect.poll(() => cloud.count('answerTestCall')).toBe(call)
  }
  await page.says('Some modules open for a hidden caller, so the gate may move.')
  await page.press('Call with the number hidden')
  await page.of('heading', 'The call with the number hidden: did it move?')
  await page.press('It stood still')
  await page.says('A call that opens and one that does not look the same')
  expect(cloud.bodies('prepareTestCall').at(-1)).toEqual({ isHidden: true })
  await page.press('Do not save')
  await page.of('heading', 'Yard barrier')
  await page.says('Three test calls show how it takes a call.')
})

it('shows why no test call came, and continues', async () => {
  const { answers } = calibrating('Garden gate')
  const reason = { reason: 'gate_inactive', openingId: ids.openingId, safeToRetry: true }
  const cloud = await pages.open(gatePath, sessionOf({ language: 'ro' }), {
    ...answers,
    openGate: () => ({ problem: 'open_failed', message: 'The gate is switched off.', extra: reason }),
  })
  await page.follow('Calibrează')
  await page.press('Începe')
  await page.press('Sună poarta')
  await page.says('Refuzată: poarta este oprită')
  cloud.answer({ openGate: answers.openGate })
  await page.press('Sună poarta')
  await page.of('heading', 'Apelul 1 din 3: s-a mișcat?')
})

it('reports on the page of a gate that its calls no longer fit', async () => {
  const learnedFrom = {
    at: new Date().toISOString(),
    gatewayId: ids.gatewayId,
    modem: 'SIM800C',
    operator: null,
  }
  await pages.open(gatePath, sessionOf(), {
    getCalibration: () => ({ status: 200, body: calibrationOf({ learnedFrom, doubts: ['answers_now'] }) }),
    getGateProfile: () => ({ status: 200, body: { profile: exampleProfile, calibration: 'measured' } }),
  })
  await page.says('Something answers its calls now. Calibrate again.')
  await expectAccessible()
})
