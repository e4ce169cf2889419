import type { Calibration, CalibrationCall } from '@callgate/contract/app/calibration'
import { exampleProfile } from '@callgate/contract/call/callProfile'
import { exampleEvidence, exampleOpening } from '@callgate/contract/rest/opening'
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { Answers } from '../client/fakeCloud.kit.ts'
import { another, calibrationOf, gateOf, ids, pathOf, sessionOf } from '../client/spaceData.kit.ts'
import { dashboardPages, expectAccessible, on } from '../pages.kit.tsx'

const pages = dashboardPages()
const page = on()
const gatePath = pathOf(`gates/${ids.gateId}`)

/** A calibration whose calls end at once; each then waits for the person's answer. */
function calibrating(name: string) {
  let calls: readonly CalibrationCall[] = []
  let isHidden = false
  let calibration: Calibration | null = null
  const become = (changed: Partial<Calibration>) => {
    const at = '2099-01-01T00:00:00.000Z'
    const fresh = { startedAt: at, expiresAt: at, restMs: 0, calls: [], proposal: null }
    calibration = { ...fresh, step: 'call', callsLeft: 3, ...calibration, ...changed }
    return { status: 200, body: calibrationOf({ calibration }) } as const
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
      const call = {
        openingId,
        isHidden,
        end: 'rejected',
        setupMs: 4_000,
        ringMs: 2_000,
        talkMs: null,
      } as const
      calls = [...calls, { ...call, hasMoved: null, afterS: null }]
      become({ step: 'answer', calls: [...calls] })
      return { status: 202, body: { opened: false, openingId } }
    },
    answerTestCall({ body: { afterS = null, hasMoved, openingId } }) {
      calls = calls.map(call => (call.openingId === openingId ? { ...call, hasMoved, afterS } : call))
      const open = calls.filter(call => !call.isHidden)
      // A call with the hidden number that rang like the others cannot be told apart from them.
      const discriminating = !calls.some(call => call.isHidden)
      const proposal = { profile: { ...exampleProfile, discriminating }, why: null }
      const isOver = open.length === 3
      return become({
        step: isOver ? 'decide' : 'call',
        calls: [...calls],
        callsLeft: 3 - open.length,
        proposal: isOver ? proposal : null,
      })
    },
    endCalibration() {
      calibration = null
      return { status: 200, body: calibrationOf() }
    },
  } satisfies Answers
  return answers
}

it('asks for a call with a hidden number only when it can show something, and warns before', async () => {
  const cloud = await pages.open(gatePath, sessionOf(), {
    ...calibrating('Yard barrier'),
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
    await page.of('heading', 'Did the gate move?')
    await page.press('It moved')
    await page.press('Next')
    await expect.poll(() => cloud.count('answerTestCall')).toBe(call)
  }
  await page.says('Some modules open for a hidden caller, so the gate may move.')
  await page.press('Call with the number hidden')
  await page.press('It stood still')
  await page.says('A call that opens and one that does not look the same')
  expect(cloud.bodies('prepareTestCall').at(-1)).toEqual({ isHidden: true })
  await page.press('Do not save')
  await page.of('heading', 'Yard barrier')
  await page.says('Nobody has said how it takes a call.')
})

it('shows why no test call came, and continues', async () => {
  const answers = calibrating('Garden gate')
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
  await page.of('heading', 'S-a mișcat poarta?')
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
