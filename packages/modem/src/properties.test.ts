// Properties of the driver for any bytes, any order of lines and any phone number; a failure prints its seed.

import { fakeWorld } from '@callgate/world/fake'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mebibyte, parseAnyBytes } from './anyBytes.kit.ts'
import { commands, dialVoice } from './commands.ts'
import { type Answer, type Command, type Dialogue, newDialogue, stepDialogue } from './core/dialogue.ts'
import { cleanLine, maxLineLength, readLine } from './core/lines.ts'
import { learnedProfile as profile, readyModem } from './scriptedModem.kit.ts'

describe('any bytes', () => {
  it('never make the driver throw, and make no line of more than 4 KiB and no OK that was not sent', async () => {
    let bytes = 0
    let oks = 0
    await fc.assert(
      fc.asyncProperty(fc.integer(), async seed => {
        const heard = await parseAnyBytes(seed)
        expect(heard.longestLine).toBeLessThanOrEqual(maxLineLength)
        expect(heard.oks).toBe(heard.oksSaid)
        bytes += mebibyte
        oks += heard.oks
      }),
      { numRuns: 10 },
    )
    expect(bytes).toBeGreaterThanOrEqual(10 ** 7)
    // The bytes contained enough of the modem's words for the counts to go wrong.
    expect(oks).toBeGreaterThan(1_000)
  })
})

const urcs = [
  '+CREG: 5',
  '+CREG: 1,"1816","F9A1"',
  '+CLCC: 1,0,3,0,0,"+40721000456",145,""',
  '+CLCC: 1,0,6,0,0,"+40721000456",145,""',
  'MO RING',
  'MO CONNECTED',
  'BUSY',
  'NO CARRIER',
  'NO ANSWER',
  '+CDRIND: 0',
  '+CSSI: 2',
  '+CPIN: NOT READY',
  'RING',
  '+CLIP: "+40721000999",145',
  '+CMTI: "SM",3',
  'UNDER-VOLTAGE WARNNING',
  'VOICE CALL: BEGIN',
  'VOICE CALL:END: 000041',
  '+QIND: "ccinfo",1,0,-1,0,0,"+40721000456",145',
  '^DSCI: 1,0,7,0,+40721000456,145',
  'Call Ready',
  'SMS DONE',
  '+QIND: PB DONE',
]
const noise = ['*PSUTTZ: 2026,1,5', '+CGEV: NW ACT 8,10', '', '\xff\xff', 'AT+CSQ']

const asked: readonly (readonly [Command, readonly string[]])[] = [
  [commands.signal, ['+CSQ: 20,0']],
  [commands.registration, ['+CREG: 2,1,"1816","F9A1"']],
  [commands.calls, ['+CLCC: 1,0,2,0,0,"+40721000456",145,""']],
  [commands.sim, ['+CPIN: READY']],
  [commands.model, ['SIMCOM_SIM800L']],
  [commands.operator, ['+COPS: 0,0,"ORANGE"']],
  [commands.cause, ['+CEER: Cause:17']],
  [commands.attention, []],
]

/** Lines that are unsolicited or part of a reply: they stay in the reply, in their place. */
const isAmbiguous = ({ reply }: Command, urc: string) => urc.startsWith('+') && reply?.test(urc) === true

describe('unsolicited lines', () => {
  it('are ambiguous only inside the two replies that look like them', () => {
    const pairs = asked.flatMap(([command]) =>
      urcs.filter(urc => isAmbiguous(command, urc)).map(urc => `${command.text} ${urc.slice(0, 12)}`),
    )
    expect(pairs).toEqual(['AT+CLCC +CLCC: 1,0,3', 'AT+CPIN? +CPIN: NOT R'])
    for (const urc of urcs) expect(readLine(cleanLine(urc)).kind).toBe('urc')
  })

  it('change no reply at any place between a command and its OK, and none is lost', () => {
    const place = fc.record({ line: fc.constantFrom(...urcs, ...noise), before: fc.nat(20) })
    fc.assert(
      fc.property(fc.shuffledSubarray([...asked]), fc.array(place, { maxLength: 30 }), (order, places) => {
        let state: Dialogue = { ...newDialogue, owed: null }
        const answers = new Map<number, Answer>()
        const heard: string[] = []
        const give = (event: Parameters<typeof stepDialogue>[1]) => {
          const step = stepDialogue(state, event, 0)
          state = step.state
          for (const effect of step.effects) {
            if (effect.kind === 'answer') answers.set(effect.id, effect.answer)
            else if (effect.kind === 'urc') heard.push(JSON.stringify(effect.urc))
          }
        }
        for (const [id, [command]] of order.entries()) give({ kind: 'asked', id, command })
        const said: string[] = []
        let position = 0
        const replies: string[][] = []
        for (const [command, lines] of order) {
          const replied: string[] = []
          for (const reply of [...lines, 'OK']) {
            for (const { line, before } of places)
              if (before === position) {
                give({ kind: 'line', raw: `${line}\r` })
                if (isAmbiguous(command, line)) replied.push(line)
                else if (urcs.includes(line)) said.push(line)
              }
            give({ kind: 'line', raw: `${reply}\r` })
            if (reply !== 'OK') replied.push(reply)
            position += 1
          }
          replies.push(replied.slice(0, 16))
        }
        expect(order.map((_, id) => answers.get(id))).toEqual(replies.map(lines => ({ result: 'ok', lines })))
        const expected = said
          .map(line => readLine(line))
          .map(read => JSON.stringify(read.kind === 'urc' && read.urc))
        expect(heard).toEqual(expected)
      }),
      { numRuns: 300 },
    )
  })
})

const phoneText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.stringMatching(/^[+0-9;,*#@iITWP>\r\n ]{0,20}$/),
  fc.stringMatching(/^\+[0-9]{1,18}$/),
  fc
    .tuple(fc.stringMatching(/^\+[1-9][0-9]{7,14}$/), fc.constantFrom('', ';', '\r', 'i', ' ', '٣', '\0'))
    .map(parts => parts.join('')),
)
const callerIds = ['show', 'show_forced', 'hide'] as const

describe('any phone number', () => {
  it('makes a command of ATD, E.164, i or I and a semicolon, or none', () => {
    let dialled = 0
    fc.assert(
      fc.property(phoneText, fc.constantFrom(...callerIds), (text, callerId) => {
        const command = dialVoice(text, callerId)
        if (!command) return
        dialled += 1
        const suffix = { show: '', show_forced: 'i', hide: 'I' }[callerId]
        expect(command.text).toBe(`ATD${text}${suffix};`)
        expect(text).toMatch(/^\+[1-9][0-9]{7,14}$/)
      }),
      { numRuns: 100_000 },
    )
    expect(dialled).toBeGreaterThan(10_000)
  })

  it('makes the driver write exactly that command, or no byte of it', async () => {
    const { far, modem, reserve, written, world } = await readyModem(fakeWorld())
    far.script = [[10, 'NO DIALTONE']]
    await fc.assert(
      fc.asyncProperty(phoneText, async phoneNumber => {
        await world.until(() => modem.status().state === 'ready')
        expect(await reserve()).toEqual({ ok: true })
        const before = written.length
        const request = { phoneNumber, profile, mayDial: () => true, onProgress: () => {} }
        let result: Awaited<ReturnType<typeof modem.dial>> | undefined
        void modem.dial(request).then(given => (result = given))
        await world.until(() => result !== undefined)
        // A modem that has not answered recently is asked first.
        const first = written.slice(before).find(text => text !== 'AT')
        if (result?.dialled) expect(first).toMatch(/^ATD\+[1-9][0-9]{7,14};$/)
        else {
          // The reservation is over then, so health questions may follow.
          const dialled = written.slice(before).filter(text => text.startsWith('ATD'))
          expect([dialled, result]).toEqual([[], { dialled: false, why: 'bad_number' }])
        }
      }),
      { numRuns: 100 },
    )
  })
})
