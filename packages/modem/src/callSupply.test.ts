// The supply voltage in a call, against a scripted modem in fake time.

import { fakeWorld } from '@callgate/world/fake'
import { expect, it, vi } from 'vitest'
import { CallSupply, SupplyAnswers } from './callSupply.ts'
import { clcc, readyModem, ringing } from './scriptedModem.kit.ts'

const voltage = (mv: number) => `+CBC: 0,95,${mv}|OK`

/** A modem that rings until we hang up, 12 s later at most. */
async function ringingModem(changed: Readonly<Record<string, string>> = {}) {
  const rig = await readyModem(fakeWorld(), {}, changed)
  await rig.world.advance(10_000)
  rig.far.script = ringing
  const questions = () => rig.sinceDial().filter(text => text === 'AT+CBC').length
  const call = () => rig.dial({ mode: 'ring', ringHangupMs: 6_000 })
  return { ...rig, call, questions }
}

it('notes the lowest one of the last call, and keeps it where the next call is not measured', async () => {
  const { call, far, modem, world } = await ringingModem()
  world.after(3_000, () => far.replies.set('AT+CBC', voltage(3_710)))
  world.after(6_000, () => far.replies.set('AT+CBC', voltage(3_905)))
  await call()
  expect(modem.status().lowestInCallMv).toBe(3_710)
  far.replies.set('AT+CBC', 'ERROR')
  await call()
  expect(modem.status().lowestInCallMv).toBe(3_710)
  far.replies.set('AT+CBC', voltage(4_010))
  await call()
  expect(modem.status().lowestInCallMv).toBe(4_010)
})

it('asks only after a list that shows the call', async () => {
  const { call, questions, sinceDial } = await ringingModem()
  await call()
  expect(questions()).toBeGreaterThan(5)
  const texts = sinceDial()
  for (const [place, text] of texts.entries()) if (text === 'AT+CBC') expect(texts[place - 1]).toBe('AT+CLCC')
  expect(texts.slice(texts.indexOf('ATH'))).not.toContain('AT+CBC')
})

it.each([
  ['the OK of ATD does not come', [[500, clcc(2)]]],
  ['the list is empty', [[200, 'OK']]],
] as const)('does not ask where %s', async (_, script) => {
  const { call, far, questions } = await ringingModem()
  far.script = script
  await call()
  expect(questions()).toBe(0)
})

it('asks only once in a call where the modem refuses', async () => {
  const { call, far, questions } = await ringingModem()
  far.replies.set('AT+CBC', 'ERROR')
  await call()
  expect(questions()).toBe(1)
})

it('delays no hang-up by more than a second', async () => {
  const { call, far, questions, world } = await ringingModem()
  far.replies.set('AT+CBC', null)
  const beganMs = world.monotonicMs()
  await call()
  // 5 s to the ringing, 6 s of it, and the end.
  expect(world.monotonicMs() - beganMs).toBeLessThan(13_500)
  expect(questions()).toBe(1)
})

it.each([
  ['is silent', null, 'assumed'],
  ['refuses', 'ERROR', 'likely'],
] as const)(
  'where the modem %s, keeps the confidence that the verdict allows',
  async (_, reply, confidence) => {
    const { far, verdict, world } = await ringingModem()
    far.script = [...ringing, [9_000, `BUSY|${clcc(6)}`]]
    world.after(5_900, () => far.replies.set('AT+CBC', reply))
    expect(await verdict()).toMatchObject({ reason: 'rejected_after_ring', opened: 'likely', confidence })
  },
)

it('asks a modem that never answers in three calls, reports that once, and names the question in the evidence', async () => {
  const { dial, far, modem, world } = await ringingModem()
  const warn = vi.spyOn(world.log, 'warn')
  async function hasGap(): Promise<boolean> {
    far.replies.set('AT+CBC', null)
    const result = await dial({ mode: 'ring', ringHangupMs: 6_000 })
    // Outside calls it answers.
    far.replies.set('AT+CBC', voltage(4_100))
    await world.until(() => modem.status().state === 'ready', 90_000)
    await world.advance(10_000)
    return result.dialled && result.evidence.events.some(({ event }) => event === 'no answer to CBC')
  }
  const gaps: boolean[] = []
  for (let turn = 0; turn < 5; turn++) gaps.push(await hasGap())
  expect(gaps).toEqual([true, true, true, false, false])
  expect(warn.mock.calls.filter(([message]) => message.includes('AT+CBC'))).toHaveLength(1)
})

it('starts again for another modem, and resets the count of unanswered calls after an answer', () => {
  const answers = new SupplyAnswers(fakeWorld().log)
  const silent = (times: number) => {
    for (let turn = 0; turn < times; turn++) answers.note(true)
  }
  silent(2)
  answers.note(false)
  silent(2)
  expect(answers.mayAsk()).toBe(true)
  silent(1)
  expect(answers.ofModem(null).mayAsk()).toBe(false)
  expect(answers.ofModem('867200030000001').mayAsk()).toBe(true)
})

it('does not ask a modem that took more than a second for its list', async () => {
  const asked: string[] = []
  const supply = new CallSupply(
    {
      async ask({ text }) {
        asked.push(text)
        return { result: 'ok', lines: ['+CBC: 3.749V'] }
      },
    },
    new SupplyAnswers(fakeWorld().log),
  )
  await supply.check(1_001)
  expect([asked, supply.lowestMv]).toEqual([[], null])
  await supply.check(1_000)
  expect([asked, supply.lowestMv]).toEqual([['AT+CBC'], 3_749])
})
