import { fakeWorld } from '@callgate/world/fake'
import { expect, it } from 'vitest'
import { memoryLine } from '../memoryLine.kit.ts'
import { clcc, learnedProfile, phoneNumber, readyModem, ringing, startedModem } from '../scriptedModem.kit.ts'
import { evidence, verdict } from './recording.kit.ts'
import type { WireEvent } from './recording.ts'
import { eventLine } from './recordingText.ts'
import { WireRecorder } from './wireRecorder.ts'

const shown = (events: readonly WireEvent[] = []) => events.map(eventLine)

const judged = { verdict, evidence }

/** A recorder whose port the test moves, in a call that has begun. */
async function inCall() {
  const world = fakeWorld()
  const recorder = new WireRecorder(world)
  const far = memoryLine(() => {})
  const opened = await recorder.open(far.openLine, 0)
  if (!opened.ok) throw new Error(opened.code)
  const { line } = opened
  line.onBytes(() => {})
  line.onClose(() => {})
  const write = (text: string) => line.writeNow(Buffer.from(text))
  const end = recorder.dialling({ phoneNumber, profile: learnedProfile })
  return { world, recorder, far, line, write, end: () => end(judged) }
}

it('keeps what a call wrote and heard, with the set-up before it', async () => {
  const world = fakeWorld()
  const { far, modem, verdict: judge } = await readyModem(world)
  far.script = [...ringing, [8_000, 'BUSY'], [8_100, clcc(6)]]
  const said = await judge()
  const { calls, failedSetUp, setUp } = modem.recording()
  expect(failedSetUp).toBe(null)
  expect(shown(setUp?.events).slice(0, 4)).toEqual([
    '0 > ATH\\r',
    '10 < \\r\\nOK\\r\\n',
    expect.anything(),
    expect.anything(),
  ])
  expect(shown(setUp?.events)).toContain('10 < \\r\\nOK\\r\\n')
  const [call] = calls
  expect(call).toMatchObject({ phoneNumber, verdict: said, setUp, isCut: false })
  expect(shown(call?.before).at(-1)).toMatch(/^-?\d+ < .*OK\\r\\n$/)
  expect(shown(call?.before).filter(line => line.includes('ATD'))).toEqual([])
  expect(shown(call?.events).slice(0, 2)).toEqual([`0 > ATD${phoneNumber};\\r`, '200 < \\r\\nOK\\r\\n'])
  expect(shown(call?.events)).toContain('8000 < \\r\\nBUSY\\r\\n')
  expect(shown(call?.events).some(line => / > AT\+CEER\\r$/.test(line))).toBe(true)
})

it('keeps the last set-up that failed beside the last one that did not', async () => {
  const world = fakeWorld()
  const { far, modem } = startedModem(world, {}, { 'AT+CPIN?': '+CME ERROR: SIM not inserted' })
  await world.until(() => modem.status().state === 'sim_error')
  expect(shown(modem.recording().failedSetUp?.events).at(-1)).toContain('SIM not inserted')
  far.replies.set('AT+CPIN?', '+CPIN: READY|OK')
  await world.until(() => modem.status().state === 'ready')
  expect(modem.recording()).toMatchObject({ failedSetUp: null, setUp: { isCut: false } })
})

it('keeps calls of one set-up with that one, and no more than twenty', async () => {
  const { far, modem, dial } = await readyModem(fakeWorld())
  far.script = [[100, 'BUSY|ERROR']]
  for (let call = 0; call < 22; call++) await dial()
  const { calls, setUp } = modem.recording()
  expect(calls).toHaveLength(20)
  expect(new Set(calls.map(call => call.setUp))).toEqual(new Set([setUp]))
})

it('keeps two chunks of a line apart, unless a slow line has cut it', async () => {
  const { world, recorder, far, write, end } = await inCall()
  write('ATD+40721000456;\r')
  far.say('\r\n+CLCC: 1,0,')
  await world.advance(100)
  far.say('3,0,0\r')
  await world.advance(5)
  far.say('\n')
  await world.advance(5)
  far.say('OK\r\n')
  end()
  expect(shown(recorder.recording().calls[0]?.events)).toEqual([
    '0 > ATD+40721000456;\\r',
    '0 < \\r\\n+CLCC: 1,0,',
    '105 < 3,0,0\\r\\n',
    '110 < OK\\r\\n',
  ])
})

it('keeps the last seconds before a call, however small the pieces of a slow line are, and no call in them', async () => {
  const { world, recorder, far, line, write, end } = await inCall()
  for (let second = 0; second < 30; second++) {
    line.write(Buffer.from('AT+CSQ\r'))
    for (const byte of '\r\n+CSQ: 20,0\r\n\r\nOK\r\n') {
      far.say(byte)
      await world.advance(1)
    }
    await world.advance(1_000)
  }
  write('ATD+40721000456;\r')
  far.say('\r\nOK\r\n')
  end()
  const next = recorder.dialling({ phoneNumber, profile: learnedProfile })
  await world.advance(5_000)
  write('ATD+40721000456;\r')
  next(judged)
  const [first, second] = recorder.recording().calls
  expect(first?.before.length).toBeGreaterThan(35)
  expect(shown(first?.before).slice(-5)).toEqual([
    '-1020 > AT+CSQ\\r',
    '-1019 < \\r\\n',
    '-1007 < +CSQ: 20,0\\r\\n',
    '-1005 < \\r\\n',
    '-1001 < OK\\r\\n',
  ])
  expect(shown(second?.before).some(text => text.includes('ATD'))).toBe(false)
  expect(shown(second?.before).at(-1)).toMatch(/^-6\d{3} < OK/)
})

it('goes on with an open call where a second one is refused', async () => {
  const { recorder, far, write, end } = await inCall()
  recorder.dialling({ phoneNumber: '+40733333333', profile: learnedProfile })(null)
  write(`ATD${phoneNumber};\r`)
  recorder.dialling({ phoneNumber: '+40733333333', profile: learnedProfile })(null)
  far.say('\r\nOK\r\n')
  end()
  const { calls } = recorder.recording()
  expect(calls).toMatchObject([{ phoneNumber }])
  expect(shown(calls[0]?.events)).toEqual([`0 > ATD${phoneNumber};\\r`, '0 < \\r\\nOK\\r\\n'])
})

it('keeps the call after one that a fault has ended', async () => {
  const { far, modem, dial } = await readyModem(fakeWorld())
  await modem.reserve()
  const mayDial = () => {
    throw new Error('a fault')
  }
  await expect(
    modem.dial({ phoneNumber, profile: learnedProfile, mayDial, onProgress() {} }),
  ).rejects.toThrow('a fault')
  modem.release()
  far.script = [[100, 'BUSY|ERROR']]
  await dial()
  expect(modem.recording().calls).toHaveLength(1)
})

it('keeps a write that the port took in part or not at all, and what became of the port', async () => {
  const { recorder, far, line, write, end } = await inCall()
  far.takes = 3
  write('ATD+40721000456;\r')
  far.takes = 0
  write('ATD')
  far.unplug()
  await recorder.open(async () => ({ ok: false, code: 'port_missing', message: '' }), 0)
  await line.close()
  end()
  expect(shown(recorder.recording().calls[0]?.events)).toEqual([
    '0 ! short ATD+40721000456;\\r',
    '0 ! refused ATD',
    '0 ! gone unplugged',
    '0 ! failed port_missing',
    '0 ! closed',
  ])
})

it('stays within its bounds, whatever the modem floods it with, and says that it was cut', async () => {
  const { recorder, far, world, write, end } = await inCall()
  write('ATD+40721000456;\r')
  for (let chunk = 0; chunk < 300; chunk++) {
    far.say(`${'\xfe'.repeat(5_000)}\r\n`)
    await world.advance(30)
  }
  end()
  const [call] = recorder.recording().calls
  expect(call?.isCut).toBe(true)
  const size = (call?.events ?? []).reduce((sum, { text }) => sum + text.length, 0)
  expect(size).toBeLessThan(100_000)
  expect(size).toBeGreaterThan(50_000)
})

it('keeps the calls together within half a megabyte: the oldest goes first', async () => {
  const { world, recorder, far, write, end } = await inCall()
  let ended: () => void = end
  for (let call = 0; call < 8; call++) {
    write(`ATD+4072100045${call};\r`)
    for (let chunk = 0; chunk < 90; chunk++) {
      far.say(`${'x'.repeat(1_000)}\n`)
      await world.advance(30)
    }
    ended()
    const next = recorder.dialling({ phoneNumber, profile: learnedProfile })
    ended = () => next(judged)
  }
  const { calls } = recorder.recording()
  expect(calls.length).toBeLessThan(7)
  expect(calls.at(-1)?.events[0]?.text).toContain('ATD+40721000457')
})
