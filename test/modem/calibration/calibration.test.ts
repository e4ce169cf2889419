// Calibration on the simulator: three test calls by the modem's own code, then the cloud's proposal.

import { type Proposal, proposalOf, type TestCall } from '@callgate/cloud/core/profileProposal'
import { type CallProfile, callProfile } from '@callgate/contract/call/callProfile'
import { type ModelName, modelNames } from '@callgate/simulator/core/model'
import { gateModels } from '@callgate/simulator/gateModels'
import { type FarEndName, farEndNames, type ModemFaultName } from '@callgate/simulator/presets'
import { describe, expect, it } from 'vitest'
import { fittingMode } from '../truth/criteria.ts'
import { variationOf } from '../truth/variation.ts'
import { callGate, type TestHouseOptions, testCall, testHouse } from './testCalls.ts'

const before = callProfile({ mode: 'unverified' })
const moduleNames = Object.keys(gateModels) as (keyof typeof gateModels)[]

interface Calibrated {
  readonly calls: readonly TestCall[]
  readonly proposal: Proposal
}

async function calibrate(options: TestHouseOptions, counts = true): Promise<Calibrated> {
  const house = await testHouse(options)
  const calls: TestCall[] = []
  for (let place = 0; place < 3; place++) calls.push(await testCall(house, { counts }))
  house.simulator.stop()
  return { calls, proposal: proposalOf(before, calls) }
}

/** The result of a calibration, in a word. */
const said = (proposal: Proposal) =>
  proposal.kind === 'proposed'
    ? proposal.profile.mode
    : proposal.kind === 'cannot_tell'
      ? proposal.why
      : 'more'

describe('calibration of each gate module', () => {
  it('finds how it takes a call on a SIM800', async () => {
    const found: Record<string, string> = {}
    for (const farEnd of moduleNames) found[farEnd] = said((await calibrate({ farEnd, seed: 3 })).proposal)
    expect(found).toEqual({
      king_pigeon_rtu5024: 'reject',
      jablotron_gd04: 'reject',
      tell_gate_control_20: 'reject',
      eldes_esim120: 'reject',
      satel_gsm4: 'reject_delayed',
      satel_gsm4_voicemail: 'reject_delayed',
      videx_gsm_activate: 'reject',
      advent_a302: 'ring',
      // Every second call is taken in another way.
      advent_a302_reject_open: 'differs',
      advent_a302_connect: 'answer_release',
      estom_as1: 'reject',
    })
  })

  const routes: readonly (readonly [ModelName, readonly ModemFaultName[]])[] = [
    ...modelNames.filter(model => model !== 'listless').map(model => [model, []] as const),
    ['sim800', ['silent_alerting']],
    ['sim7600', ['silent_alerting']],
    ['sim7600', ['csfb_slow']],
    ['a7672', ['false_active_csfb']],
    ['a7672', ['reject_unseen']],
    ['a7672', ['early_no_carrier_csfb']],
    ['standard', ['false_active_csfb']],
    ['standard', ['reject_unseen']],
    ['sim800', ['clcc_always_empty']],
  ]
  it.each(routes)(
    'finds the mode on %s %j, or reports that it cannot be determined',
    async (model, faults) => {
      for (const farEnd of moduleNames) {
        const { proposal } = await calibrate({ farEnd, seed: 5, model, faults })
        expect(proposal.kind).not.toBe('more_calls')
        if (proposal.kind === 'proposed') expect(proposal.profile.mode, farEnd).toBe(fittingMode(farEnd))
      }
    },
  )

  it('proposes a profile for every module on a SIM800 but the one that changes its way', async () => {
    for (const seed of [1, 2, 3, 4]) {
      const kinds = await Promise.all(
        moduleNames.map(async farEnd => [farEnd, (await calibrate({ farEnd, seed })).proposal.kind] as const),
      )
      const untold = kinds.filter(([, kind]) => kind !== 'proposed').map(([farEnd]) => farEnd)
      expect(untold).toEqual(['advent_a302_reject_open'])
    }
  })
})

describe('calibration of every far end, with random networks', () => {
  const seeds = [1, 2, 3, 4, 6, 8, 10]

  /** A module that was programmed to let it ring for a few seconds looks like one that rejects at once. */
  function fitting(farEnd: FarEndName, ringMs: number | undefined) {
    const mode = fittingMode(farEnd)
    return mode === 'reject_delayed' && ringMs !== undefined && ringMs < 12_000 ? 'reject' : mode
  }

  it.each(seeds)('never proposes a mode that does not fit, seed %i', async seed => {
    for (const farEnd of farEndNames) {
      const { gate } = variationOf(farEnd, 'sim800', 'reject', seed)
      const { proposal } = await calibrate({ farEnd, seed, gate })
      if (proposal.kind !== 'proposed') continue
      expect(proposal.profile.mode, farEnd).toBe(fitting(farEnd, gate.ringMs))
    }
  })

  it.each([1, 2, 4])('reads later calls correctly, seed %i', async seed => {
    for (const farEnd of farEndNames) {
      const { gate } = variationOf(farEnd, 'sim800', 'reject', seed)
      const { proposal } = await calibrate({ farEnd, seed, gate })
      if (proposal.kind !== 'proposed') continue
      expect(await laterCalls({ farEnd, seed: seed + 100, gate }, proposal.profile), farEnd).toEqual([
        ['completed', true],
        ['completed', true],
      ])
    }
  })

  async function laterCalls(options: TestHouseOptions, profile: CallProfile) {
    const house = await testHouse(options)
    const calls: (readonly [string, boolean])[] = []
    for (let place = 0; place < 2; place++) {
      const { verdict } = await callGate(house, profile)
      const placed = house.simulator.state().calls.at(-1)
      calls.push([verdict.status, placed?.relayFired === true])
      await house.world.advance(30_000)
    }
    house.simulator.stop()
    return calls
  }
})

describe('the questions of a calibration to a person', () => {
  const nobodyCounts = (farEnd: FarEndName) => calibrate({ farEnd, seed: 3 }, false)

  it('need no seconds where the module rejects at once, or answers', async () => {
    expect(said((await nobodyCounts('king_pigeon_rtu5024')).proposal)).toBe('reject')
    expect(said((await nobodyCounts('advent_a302_connect')).proposal)).toBe('answer_release')
  })

  it('need them where the module lets it ring', async () => {
    expect(said((await nobodyCounts('advent_a302')).proposal)).toBe('seconds_missing')
    expect(said((await nobodyCounts('satel_gsm4')).proposal)).toBe('seconds_missing')
  })

  it('are not needed for an answered call, which is held as long as the test calls were', async () => {
    const { proposal } = await nobodyCounts('answer_hold_stay_2s')
    expect(proposal).toMatchObject({ profile: { mode: 'answer_hold', holdMs: 15_000 } })
  })
})

describe('the call with a hidden number', () => {
  async function withHidden(farEnd: FarEndName, gate: TestHouseOptions['gate'] = {}) {
    const house = await testHouse({ farEnd, seed: 3, gate })
    const calls: TestCall[] = []
    for (let place = 0; place < 3; place++) calls.push(await testCall(house))
    calls.push(await testCall(house, { isHidden: true }))
    house.simulator.stop()
    return { hidden: calls[3], proposal: proposalOf(before, calls) }
  }
  const callers = ['+40711111111']

  it('shows that an opening and a call without one differ where the module lets strangers ring', async () => {
    const { hidden, proposal } = await withHidden('eldes_esim120', { callers })
    expect(hidden).toMatchObject({ hasMoved: false, signs: { end: 'rang' } })
    expect(proposal).toMatchObject({ profile: { mode: 'reject', discriminating: true } })
  })

  it.each([
    ['a module that opens for everybody', 'king_pigeon_rtu5024', {}],
    ['a module that rejects strangers too', 'king_pigeon_rtu5024', { callers, strangers: 'reject' }],
    ['a module that moves another output for a hidden caller', 'tell_gate_control_20', { callers }],
  ] as const)('shows that they look the same at %s', async (_, farEnd, gate) => {
    const { proposal } = await withHidden(farEnd, gate)
    expect(proposal).toMatchObject({ profile: { mode: 'reject', discriminating: false } })
  })
})
