// Replayed reports: the driver that made a recording judges it as before, a changed one is found, and every fixture holds.

import { callModes, callProfile } from '@callgate/contract/call/callProfile'
import { createModem, type Modem, type ModemOptions } from '@callgate/modem/modem'
import { NumberMasks } from '@callgate/modem/record/maskNumber'
import { maskRecording } from '@callgate/modem/record/maskRecording'
import type { RecordedCall } from '@callgate/modem/record/recording'
import { type FarEndName, farEndNames } from '@callgate/simulator/presets'
import { lineTo, phoneNumber, usualSimulator } from '@callgate/simulator/usual.kit'
import { fakeWorld } from '@callgate/world/fake'
import type { World } from '@callgate/world/world'
import { beforeAll, describe, expect, it } from 'vitest'
import { pageModels } from '../truth/calls.ts'
import { fittingMode, isFalseReport } from '../truth/criteria.ts'
import { type Replayed, replayCall } from './replayCall.ts'
import { failedSetUpText, readCheckedReport, replayAll, replayText } from './replayReport.ts'
import { fixtureNames, fixtureText, readFixture, sourceOf, withMoves } from './reportFixtures.ts'
import { recordedTurn, simulatedFixtures } from './simulatedReports.ts'

const said = (replayed: Replayed) => ('verdict' in replayed ? replayed.verdict.reason : replayed.why)

describe('a call that was recorded at the simulator', () => {
  it.each(pageModels)('on %s is judged as then, at every far end', async model => {
    const others: string[] = []
    for (const farEnd of farEndNames) {
      const mode = fittingMode(farEnd) ?? 'reject'
      const { calls } = await recordedTurn({ model, seed: 1, gates: [{ mode, farEnd }] })
      expect(calls).toHaveLength(1)
      for (const call of calls) {
        const replayed = await replayCall(call)
        if (replayed.result !== 'same') others.push(`${farEnd} ${mode}: ${said(replayed)}`)
      }
    }
    expect(others).toEqual([])
  })

  it.each([
    ['late_ok', 2],
    ['dial_error_771', 2],
    ['brownout_on_tx', 2],
    ['reg_lost_mid_call', 2],
    ['sim_removed', 1],
    ['urc_before_response', 2],
    ['clcc_unanswered_once', 2],
  ] as const)('with the fault %s is judged as then', async (fault, count) => {
    const gates = callModes.slice(0, count).map(mode => ({ mode, farEnd: 'reject_busy' as const }))
    const { calls } = await recordedTurn({ model: 'sim800', seed: 2, faults: [fault], gates })
    expect(calls).toHaveLength(count)
    for (const call of calls) expect(said(await replayCall(call))).toBe(call.verdict.reason)
  })
})

/** A call by a driver on a busy machine: each timer is up to `mostLateMs` late, and once it stands still for `stallMs`. */
async function recordedLate(farEnd: FarEndName, seed: number, mostLateMs: number, stallMs: number) {
  const world = fakeWorld(seed, 1)
  const late: World = {
    ...world,
    after: (delayMs, then) => world.after(delayMs + world.randomInt(0, delayMs > 0 ? mostLateMs : 0), then),
  }
  const simulator = usualSimulator({ world, seed, network: 'normal', gates: [{ phoneNumber, farEnd }] })
  const modem = createModem({ world: late, baudRate: 115_200, openLine: lineTo(simulator) })
  modem.start()
  await world.until(() => modem.status().state === 'ready')
  const profile = callProfile({ mode: fittingMode(farEnd) ?? 'reject' })
  let isOver = false
  void modem
    .reserve()
    .then(() => modem.dial({ phoneNumber, profile, mayDial: () => true, onProgress() {} }))
    .then(() => (isOver = true))
  await world.advance(world.randomInt(500, 9_000))
  world.stall(stallMs)
  await world.until(() => isOver)
  simulator.stop()
  return maskRecording(modem.recording(), { numbers: new NumberMasks(), secrets: [] })
}

describe('a call that was recorded on a busy machine', () => {
  const farEnds = [
    'reject_busy',
    'answer_release_2s',
    'answer_hold',
    'ring_forever',
    'busy_before_alert',
  ] as const
  const cases = farEnds.flatMap((farEnd, place) => [
    [farEnd, 60, 0, 11 + place] as const,
    [farEnd, 20, 2_600, 21 + place] as const,
  ])

  it.each(cases)(
    '%s, up to %i ms late, with a stall of %i ms, is judged as then (seed %i)',
    async (...of) => {
      const [farEnd, mostLateMs, stallMs, seed] = of
      const { calls } = await recordedLate(farEnd, seed, mostLateMs, stallMs)
      expect(calls).toHaveLength(1)
      for (const call of calls) {
        const all = await replayAll({ setUp: null, failedSetUp: null, calls: [call] })
        expect(all[0]?.replayed.result, replayText(all)).toBe('same')
      }
    },
  )
})

/** A driver that never hears what fits: as if a change had made it deaf to that. */
const deafTo =
  (form: RegExp) =>
  (options: ModemOptions): Modem =>
    createModem({
      ...options,
      async openLine(silentLines) {
        const opened = await options.openLine(silentLines)
        if (!opened.ok) return opened
        const { line } = opened
        const onBytes: typeof line.onBytes = listener =>
          line.onBytes(bytes =>
            listener(Buffer.from(Buffer.from(bytes).toString('latin1').replace(form, ''), 'latin1')),
          )
        return { ok: true, line: { ...line, onBytes } }
      },
    })

/** A driver that writes another command in the place of one. */
const writing =
  (command: string, instead: string) =>
  (options: ModemOptions): Modem =>
    createModem({
      ...options,
      async openLine(silentLines) {
        const opened = await options.openLine(silentLines)
        if (!opened.ok) return opened
        const { line } = opened
        const write = (bytes: Uint8Array) =>
          line.write(Buffer.from(Buffer.from(bytes).toString('latin1').replace(command, instead), 'latin1'))
        return { ok: true, line: { ...line, write } }
      },
    })

describe('a changed driver', () => {
  let call: RecordedCall
  beforeAll(async () => {
    const gates = [{ mode: 'reject', farEnd: 'reject_busy' }] as const
    const { calls } = await recordedTurn({ model: 'sim800', seed: 1, gates })
    if (!calls[0]) throw new Error('no call')
    call = calls[0]
  })

  it('is found where it judges otherwise, with both verdicts and the line at which they part', async () => {
    const recording = { setUp: call.setUp, failedSetUp: null, calls: [call] }
    const all = await replayAll(recording, { createModem: deafTo(/\r\n(?:BUSY|\+CLCC: 1,0,6[^\r]*)\r\n/g) })
    expect(all[0]?.replayed).toMatchObject({
      result: 'differs',
      parting: {
        recorded: expect.stringMatching(/^\d+ < .*(?:BUSY|\+CLCC: 1,0,6)/),
        line: expect.any(Number),
      },
    })
    const text = replayText(all)
    expect(text).toMatch(
      /DIFFERS\n {2}recorded completed, rejected_after_ring[^\n]*\n[^\n]*\n {2}today {4}\w+/,
    )
    expect(text).toMatch(/They part at line \d+: \d+ < /)
    expect(text).toMatch(/1 calls: 0 the same, 1 different, 0 not replayed$/)
  })

  it('that only asks in other words is the same where its verdict is', async () => {
    const replayed = await replayCall(call, { createModem: writing('AT+CBC', 'AT+CMUT?') })
    expect(replayed).toMatchObject({ result: 'same' })
  })

  it('that hangs up by another command hears what followed the recorded hang-up', async () => {
    const gates = [{ mode: 'answer_hold', farEnd: 'answer_hold' }] as const
    const { calls } = await recordedTurn({ model: 'sim7600', seed: 1, gates })
    const [held] = calls
    if (!held) throw new Error('no call')
    const replayed = await replayCall(held, { createModem: writing('AT+CHUP', 'ATH') })
    expect(said(replayed)).toBe(held.verdict.reason)
  })

  it('that refuses the modem is no difference of a verdict, and says why nothing was replayed', async () => {
    const replayed = await replayCall(call, { createModem: deafTo(/\+CREG: 2,1[^\r]*/g) })
    expect(replayed).toMatchObject({ result: 'notReplayed', why: expect.stringContaining('no_network') })
    expect(await replayCall({ ...call, isCut: true })).toMatchObject({ result: 'notReplayed' })
    expect(await replayCall({ ...call, setUp: null })).toMatchObject({ result: 'notReplayed' })
  })
})

describe('the fixture', () => {
  const names = fixtureNames()

  it.each(names)('A3: %s names its source, and gives the verdicts that it expects', async name => {
    const text = readFixture(name)
    expect(sourceOf(text)).toMatch(/^[A-Z].{10,}\.$/)
    const read = readCheckedReport(text)
    if (!read.ok) throw new Error(read.message)
    const all = await replayAll(read.recording)
    expect(
      all.map(({ replayed }) => replayed.result),
      replayText(all),
    ).toEqual(all.map(() => 'same'))
  })

  it.each(names)('%s says of no gate more than somebody saw', name => {
    const read = readCheckedReport(readFixture(name))
    if (!read.ok) throw new Error(read.message)
    for (const { hasMoved, profile, verdict } of read.recording.calls) {
      if (hasMoved === undefined) continue
      const { mode, noAnswerOpens = false } = profile
      expect(isFalseReport({ hasMoved, mode, noAnswerOpens, verdict }, true)).toBe(false)
    }
  })

  it.each(names)('%s holds no number that a mask did not make', name => {
    const text = readFixture(name).replace(/^(?:at|profile|verdict) .*$/gm, '')
    const numbers = (text.match(/\d{7,}/g) ?? []).filter(digits => !/^(?:83|0*|)0*5\d{7}$|^0+$/.test(digits))
    expect(numbers).toEqual([])
  })

  it('of the simulator is the one that `pnpm replay --simulated` writes', async () => {
    for (const [name, text] of await simulatedFixtures()) expect(readFixture(name)).toBe(text)
  })

  it('of a report has what a person saw of the gates', async () => {
    const gates = [
      { mode: 'reject', farEnd: 'reject_busy' },
      { mode: 'reject', farEnd: 'ring_forever' },
    ] as const
    const recording = await recordedTurn({ model: 'sim800', seed: 1, gates })
    const plain = recording.calls.map(({ hasMoved, ...call }) => call)
    const calls = withMoves(plain, '1=yes, 2=no')
    expect(calls?.map(({ hasMoved }) => hasMoved)).toEqual([true, false])
    expect(withMoves(plain, '3=yes')).toBe(undefined)
    expect(withMoves(plain, '1=maybe')).toBe(undefined)
    const read = readCheckedReport(fixtureText('A modem on a bench.', { ...recording, calls: calls ?? [] }))
    expect(read.ok && read.recording.calls.map(({ hasMoved }) => hasMoved)).toEqual([true, false])
  })
})

it('says what today makes of a set-up that failed', async () => {
  const { setUp } = await recordedTurn({
    model: 'sim800',
    seed: 1,
    gates: [{ mode: 'reject', farEnd: 'reject_busy' }],
  })
  if (!setUp) throw new Error('no set-up')
  const none = { setUp: null, failedSetUp: null, calls: [] }
  expect(await failedSetUpText(none)).toBe('')
  const events = setUp.events.map(event => ({
    ...event,
    text: event.text.replace('+CPIN: READY', '+CPIN: SIM PUK'),
  }))
  const failed = { ...none, failedSetUp: { events, isCut: false } }
  expect(await failedSetUpText(failed)).toMatch(/ends at: sim_puk\n$/)
})

it('refuses a report whose verdict or profile the contract does not know', () => {
  const text = readFixture('simulated-sim800')
  expect(readCheckedReport(text.replace('"status":"completed"', '"status":"opened"'))).toMatchObject({
    ok: false,
    message: expect.stringContaining('Call 1'),
  })
  expect(readCheckedReport(text.replace('"mode":"reject"', '"mode":"reject","more":1'))).toMatchObject({
    ok: false,
  })
})
