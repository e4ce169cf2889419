import { fakeWorld } from '@callgate/world/fake'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { consoleLines } from './core/consoleLine.ts'
import type { ConsoleAnswer, Modem } from './modem.ts'
import {
  clcc,
  phoneNumber,
  learnedProfile as profile,
  readyModem,
  ringing,
  startedModem,
} from './scriptedModem.kit.ts'

/** What the modem answers to the typed line, in fake time. */
async function typed(
  world: { until(fact: () => boolean, withinMs?: number): Promise<void> },
  modem: Modem,
  text: string,
): Promise<ConsoleAnswer> {
  let answer: ConsoleAnswer | undefined
  void modem.ask(text).then(given => (answer = given))
  await world.until(() => answer !== undefined, 60_000)
  if (!answer) throw new Error('no answer')
  return answer
}

it('answers a question with the lines of the modem or its error, and says which lines it does not send', async () => {
  const { far, modem, world, written } = await readyModem(fakeWorld())
  far.replies.set('ATI', 'SIM800 R14.18|OK')
  far.replies.set('AT+CIMI', '+CME ERROR: SIM busy')
  expect(await typed(world, modem, 'ati')).toEqual({ result: 'ok', lines: ['SIM800 R14.18'], why: null })
  expect(await typed(world, modem, 'AT+CREG?')).toMatchObject({ lines: ['+CREG: 2,1,"1816","F9A1"'] })
  expect(await typed(world, modem, 'AT+CIMI')).toEqual({
    result: 'error',
    lines: [],
    why: '+CME ERROR: SIM busy',
  })
  const before = written.length
  expect(await typed(world, modem, 'ATD+40721000456;')).toMatchObject({ result: 'refused', lines: [] })
  expect(written.slice(before)).toEqual([])
})

it('says within 3 s that nothing answers, and limits an answer without an end', async () => {
  const { far, modem, world } = await readyModem(fakeWorld())
  far.replies.set('AT+CIMI', null)
  expect(await typed(world, modem, 'AT+CIMI')).toEqual({
    result: 'silent',
    lines: [],
    why: 'No answer within 3 s',
  })
  far.replies.set('ATI', `${'line|'.repeat(500)}OK`)
  const { lines, result } = await typed(world, modem, 'ATI')
  expect(result).toBe('ok')
  expect(lines).toHaveLength(16)
})

it('P5: asks nothing while the line is reserved or a call runs, and does not disturb the call', async () => {
  const { dial, far, modem, reserve, world, written } = await readyModem(fakeWorld())
  await reserve()
  expect(await typed(world, modem, 'AT+CSQ')).toMatchObject({
    result: 'refused',
    why: expect.stringContaining('The cloud uses the modem just now'),
  })
  modem.release()
  far.script = [...ringing, [8_000, 'BUSY'], [8_100, clcc(6)]]
  let answer: ConsoleAnswer | undefined
  world.after(6_000, () => void modem.ask('ATI').then(given => (answer = given)))
  expect(await dial()).toMatchObject({ dialled: true, verdict: { reason: 'rejected_after_ring' } })
  expect(answer).toMatchObject({
    result: 'refused',
    why: expect.stringContaining('An opening is being served'),
  })
  expect(written).not.toContain('ATI')
})

it('asks a modem without a SIM card, and none that is being set up or has no port', async () => {
  const world = fakeWorld()
  const { far, modem } = startedModem(world, {}, { 'AT+CPIN?': '+CME ERROR: SIM not inserted' })
  expect(await typed(world, modem, 'AT+CPIN?')).toMatchObject({ result: 'refused' })
  await world.until(() => modem.status().state === 'sim_error', 30_000)
  expect(await typed(world, modem, 'AT+CPIN?')).toEqual({
    result: 'error',
    lines: [],
    why: '+CME ERROR: SIM not inserted',
  })
  const gone = startedModem(world, {
    openLine: async () => ({ ok: false, code: 'port_missing', message: '' }),
  })
  await world.until(() => gone.modem.status().state === 'lost')
  expect(await typed(world, gone.modem, 'AT')).toMatchObject({ why: expect.stringContaining('port') })
  far.isOff = true
})

it('passes on every line that is no answer, until nobody listens', async () => {
  const { far, modem, world } = await readyModem(fakeWorld())
  const heard: string[] = []
  const stop = modem.onUnasked(line => heard.push(line))
  far.replies.set('ATI', 'SIM800 R14.18|+CMTI: "SM",3|RING|OK')
  expect(await typed(world, modem, 'ATI')).toMatchObject({ lines: ['SIM800 R14.18'] })
  far.line.say('\r\nUNDER-VOLTAGE WARNNING\r\n\r\nsomething new\r\n')
  await world.until(() => heard.includes('something new'))
  expect(heard).toEqual(['+CMTI: "SM",3', 'RING', 'UNDER-VOLTAGE WARNNING', 'something new'])
  stop()
  far.line.say('\r\nRING\r\n')
  await world.advance(1_000)
  expect(heard).toHaveLength(4)
})

it('reports each fact of a call to whoever watches', async () => {
  const { far, modem, reserve, world } = await readyModem(fakeWorld())
  far.script = [...ringing, [8_000, 'BUSY'], [8_100, clcc(6)]]
  await reserve()
  const facts: string[] = []
  let isOver = false
  void modem
    .dial({
      phoneNumber,
      profile,
      mayDial: () => true,
      onProgress() {},
      onFact: ({ fact }) => facts.push(fact),
    })
    .then(() => (isOver = true))
  await world.until(() => isOver, 90_000)
  expect(facts[0]).toBe('accepted')
  expect(facts).toContain('token')
})

it('writes no dial, whatever is typed between the commands of the driver', async () => {
  const piece = fc.constantFrom(
    'ATD',
    'D+40722123456',
    ';',
    'A/',
    '\r',
    '\n',
    '\x1a',
    '\x1b',
    '+++',
    'ATA',
    'AT+CSQ',
    '=',
  )
  const lines = fc.array(
    fc.oneof(
      fc.constantFrom(...consoleLines),
      fc
        .tuple(fc.constantFrom(...consoleLines), fc.array(piece, { maxLength: 4 }))
        .map(parts => parts.flat().join('')),
      fc.array(piece, { maxLength: 5 }).map(pieces => pieces.join('')),
    ),
    { minLength: 1, maxLength: 6 },
  )
  await fc.assert(
    fc.asyncProperty(lines, async texts => {
      const { modem, world, written } = await readyModem(fakeWorld())
      const before = written.length
      for (const text of texts) await typed(world, modem, text)
      await modem.close()
      const sent = written.slice(before)
      for (const text of sent) {
        expect(text).not.toMatch(/^AT[ST]?D|^A\/|^ATA$|;|[\x00-\x1f]/)
        expect([...consoleLines, 'AT+CREG?', 'AT+COPS?', 'AT+CPMS?']).toContain(text)
      }
    }),
    { numRuns: 60 },
  )
})
