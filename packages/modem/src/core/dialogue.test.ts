// The dialogue: each reply goes to its command, whatever lines come between and however late the reply is.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Answer,
  type Command,
  type Dialogue,
  type DialogueEffect,
  type DialogueEvent,
  newDialogue,
  stepDialogue,
} from './dialogue.ts'

const command = (text: string, over: Partial<Command> = {}): Command => ({
  text,
  timeoutMs: 3_000,
  reply: /^\+ID: /,
  ...over,
})

/** A dialogue in its own time, with a record of everything that it did. */
function talk(state: Dialogue = { ...newDialogue, owed: null }) {
  const effects: DialogueEffect[] = []
  const self = {
    nowMs: 0,
    effects,
    give(event: DialogueEvent) {
      const step = stepDialogue(state, event, self.nowMs)
      state = step.state
      effects.push(...step.effects)
      return step.effects
    },
    say: (...lines: string[]) => lines.flatMap(raw => self.give({ kind: 'line', raw })),
    ask: (id: number, asked: Command) => self.give({ kind: 'asked', id, command: asked }),
    answers: () =>
      new Map<number, Answer>(effects.flatMap(e => (e.kind === 'answer' ? [[e.id, e.answer]] : []))),
    written: () => effects.flatMap(e => (e.kind === 'write' ? [e.text] : [])),
    deadlineMs: () => state.running?.deadlineMs,
  }
  return self
}

describe('the dialogue', () => {
  it('asks one command at a time, and takes unsolicited lines and echo out of a reply', () => {
    const line = talk()
    line.ask(1, command('AT+A'))
    line.ask(2, command('AT+B'))
    expect(line.written()).toEqual(['AT+A'])
    line.say('AT+A\r\r', '\r', '+ID: 1\r', '+CLCC: 1,0,3,0,0\r', 'BUSY\r', '*PSUTTZ: 1\r', 'OK\r')
    expect(line.answers().get(1)).toEqual({ result: 'ok', lines: ['+ID: 1'] })
    expect(line.effects.flatMap(e => (e.kind === 'urc' ? [e.urc.urc] : []))).toEqual(['call', 'token'])
    expect(line.written()).toEqual(['AT+A', 'AT+B'])
  })

  it('keeps 16 lines of a reply, and does nothing before a deadline is due', () => {
    const line = talk()
    expect(line.give({ kind: 'time' })).toEqual([])
    line.ask(1, command('AT+A'))
    expect(line.give({ kind: 'time' })).toEqual([])
    line.say(...Array.from({ length: 20 }, (_, index) => `+ID: ${index}`), 'OK')
    const answer = line.answers().get(1)
    expect(answer?.result === 'ok' && answer.lines).toHaveLength(16)
  })

  it('does not take an error for the answer to a marker', () => {
    const line = talk(newDialogue)
    line.ask(1, command('AT+A'))
    const asked = line.written()
    expect(line.say('ERROR')).toEqual([])
    expect([line.written(), line.answers().size]).toEqual([asked, 0])
  })

  it('writes a hang-up without waiting for the answer to a marker', () => {
    const line = talk(newDialogue)
    line.ask(1, command('AT+A'))
    expect(line.written()).toEqual(['AT+CSQ'])
    line.ask(2, command('ATH', { hangsUp: true, urgent: true }))
    expect(line.written()).toEqual(['AT+CSQ', 'ATH'])
    line.say('OK')
    expect([...line.answers()]).toEqual([[2, { result: 'ok', lines: [] }]])
  })

  it('ends ATD with NO DIALTONE, and with no token that may belong to an earlier call', () => {
    const line = talk()
    line.give({ kind: 'dialled', id: 1, command: command('ATD+40721000456;', { dials: true }) })
    expect(line.say('NO CARRIER')).toEqual([{ kind: 'urc', urc: { urc: 'token', token: 'NO CARRIER' } }])
    expect(line.answers().size).toBe(0)
    line.say('NO DIALTONE')
    expect(line.answers().get(1)).toEqual({ result: 'token', token: 'NO DIALTONE' })
  })

  it('lets only a hang-up interrupt an ATD', () => {
    const line = talk()
    line.give({ kind: 'dialled', id: 1, command: command('ATD+40721000456;', { dials: true }) })
    line.ask(2, command('AT+CSQ'))
    expect(line.written()).toEqual([])
    line.ask(3, command('ATH', { hangsUp: true, urgent: true }))
    expect(line.written()).toEqual(['ATH'])
    expect(line.answers().get(1)).toEqual({ result: 'dropped', why: 'aborted' })
  })

  it('drops what was asked before a restart', () => {
    const line = talk()
    line.ask(1, command('AT+A'))
    line.ask(2, command('AT+B'))
    line.say('RDY')
    expect([...line.answers().values()]).toEqual(Array(2).fill({ result: 'dropped', why: 'restarted' }))
  })

  it('limits the commands that wait', () => {
    const line = talk()
    for (let id = 0; id < 40; id++) line.ask(id, command('AT+A'))
    expect(line.answers().get(39)).toEqual({ result: 'dropped', why: 'crowded' })
  })

  const modemReply = fc.record({
    delayMs: fc.oneof(fc.integer({ min: 5, max: 500 }), fc.integer({ min: 500, max: 25_000 })),
    isLost: fc.nat(5).map(draw => draw === 0),
    noise: fc.array(fc.constantFrom('+CREG: 5', 'BUSY', '+CLCC: 1,0,6,0,0', 'MO RING', '', '\xff'), {
      maxLength: 3,
    }),
  })

  it('gives no command the reply to another, on a modem that answers in order, late or never', () => {
    fc.assert(
      fc.property(fc.array(modemReply, { minLength: 8, maxLength: 40 }), replies => {
        const line = talk(newDialogue)
        const due: { atMs: number; text: string }[] = []
        let freeMs = 0
        let seen = 0
        const answerWrites = () => {
          for (const text of line.written().slice(seen)) {
            const { delayMs, isLost, noise } = replies[seen++ % replies.length] ?? {}
            if (isLost) continue
            freeMs = Math.max(freeMs, line.nowMs) + (delayMs ?? 0)
            const reply = text.startsWith('AT+ID') ? `+ID: ${text}` : `${text.slice(2).replace('?', '')}: 1,1`
            for (const said of [...(noise ?? []), reply, 'OK']) due.push({ atMs: freeMs, text: said })
          }
        }
        for (let id = 0; id < 12; id++) {
          line.ask(id, command(`AT+ID${id}`))
          for (let turn = 0; turn < 500 && !line.answers().has(id); turn++) {
            answerWrites()
            const deadlineMs = line.deadlineMs() ?? Number.POSITIVE_INFINITY
            const next = due[0]
            if (next && next.atMs < deadlineMs) {
              due.shift()
              line.nowMs = Math.max(line.nowMs, next.atMs)
              line.say(next.text)
            } else {
              line.nowMs = deadlineMs
              line.give({ kind: 'time' })
            }
          }
          const answer = line.answers().get(id)
          expect(answer).toBeDefined()
          if (answer?.result === 'ok') expect(answer.lines).toEqual([`+ID: AT+ID${id}`])
        }
      }),
      { numRuns: 40 },
    )
  })

  const anyLine = fc.oneof(
    fc.uint8Array({ maxLength: 40 }).map(bytes => Buffer.from(bytes).toString('latin1')),
    fc.constantFrom(
      '+A: 1',
      'AT+A',
      'O K',
      'OK.',
      '+CLCC: 1,0,',
      '+CME',
      '+CREG: 1',
      'NO CARRIER',
      'A'.repeat(5_000),
    ),
  )

  it('takes any bytes as a line without a throw, and answers OK only to an OK', () => {
    fc.assert(
      fc.property(fc.array(anyLine, { maxLength: 30 }), raws => {
        const line = talk()
        line.ask(1, command('AT+A', { reply: /^\+A: / }))
        line.say(...raws)
        expect(line.answers().get(1)?.result).not.toBe('ok')
        line.say('OK\r')
        expect(line.answers().get(1)?.result).toMatch(/ok|error|dropped/)
      }),
      { numRuns: 100 },
    )
  })
})

describe('a command that is answered by an unsolicited line', () => {
  const said = '+CUSD: 0,"Credit",15'
  const asked = { ...command('AT+CUSD=1,"*100#",15'), answeredBy: 'ussd' } as const
  const heard = (line: ReturnType<typeof talk>) =>
    line.effects.flatMap(e => (e.kind === 'urc' ? [e.urc.urc] : []))

  it('T2: is not answered by one that comes while it waits for its turn, and one before its OK is marked', () => {
    const line = talk()
    line.say(said)
    expect(heard(line)).toEqual(['ussd'])
    line.ask(1, command('AT+A'))
    line.ask(2, asked)
    line.say(said, '+ID: 1', 'OK')
    line.say(said, 'RING', '+CLCC: 1,0,3,0,0')
    expect(heard(line)).toEqual(['ussd', 'ussd', 'ring', 'call'])
    line.say('OK', said)
    expect(heard(line)).toEqual(['ussd', 'ussd', 'ring', 'call', 'ussd'])
    const marks = line.effects.flatMap(e => (e.kind === 'urc' && e.urc.urc === 'ussd' ? [e.urc.isEarly] : []))
    expect(marks).toEqual([undefined, true, undefined])
  })
})

describe('a command with a body', () => {
  const sending = command('AT+CMGS=23', { reply: /^\+CMGS: /, body: { text: 'PDU\x1a', timeoutMs: 60_000 } })
  const bare = (line: ReturnType<typeof talk>) =>
    line.effects.flatMap(e => (e.kind === 'writeBare' ? [e.text] : []))

  it('writes the body once, when the modem prompts, with a time limit of its own', () => {
    const line = talk()
    line.ask(1, sending)
    expect(bare(line)).toEqual([])
    line.nowMs = 200
    line.give({ kind: 'prompt' })
    line.give({ kind: 'prompt' })
    expect(bare(line)).toEqual(['PDU\x1a'])
    expect(line.deadlineMs()).toBe(60_200)
    line.say('> ', '+CMGS: 4', 'OK')
    expect(line.answers().get(1)).toEqual({ result: 'ok', lines: ['+CMGS: 4'], bodyMs: 200 })
    line.give({ kind: 'prompt' })
    expect(bare(line)).toEqual(['PDU\x1a'])
  })

  it('leaves a prompt that comes late or never, and does not write the body then', () => {
    const line = talk()
    line.ask(1, sending)
    line.ask(2, command('AT+B'))
    line.nowMs = 3_000
    line.give({ kind: 'time' })
    expect(line.answers().get(1)).toEqual({ result: 'unprompted' })
    expect([bare(line), line.written()]).toEqual([['\x1b'], ['AT+CMGS=23', 'AT+CSQ']])
    line.give({ kind: 'prompt' })
    expect(bare(line)).toEqual(['\x1b', '\x1b'])
    line.say('+CSQ: 20,0', 'OK')
    expect(line.written().at(-1)).toBe('AT+B')
    line.give({ kind: 'prompt' })
    expect(bare(line)).toEqual(['\x1b', '\x1b'])
  })

  it('is silent where the body was written and not answered, so it is not taken for unwritten', () => {
    const line = talk()
    line.ask(1, sending)
    line.give({ kind: 'prompt' })
    line.nowMs = 60_000
    line.give({ kind: 'time' })
    expect(line.answers().get(1)).toEqual({ result: 'silent', bodyMs: 0 })
    expect(bare(line)).toEqual(['PDU\x1a'])
  })

  it('does not take an OK before the prompt for its own, and leaves a prompt that follows an error', () => {
    const line = talk()
    line.ask(1, sending)
    line.say('OK')
    expect(line.answers().size).toBe(0)
    line.give({ kind: 'prompt' })
    expect(bare(line)).toEqual(['PDU\x1a'])
    const refused = talk()
    refused.ask(1, sending)
    refused.say('ERROR')
    expect(refused.answers().get(1)?.result).toBe('error')
    refused.give({ kind: 'prompt' })
    expect(bare(refused)).toEqual(['\x1b'])
    refused.ask(2, command('AT+B'))
    refused.say('+CSQ: 20,0', 'OK')
    expect(refused.written().at(-1)).toBe('AT+B')
    refused.give({ kind: 'prompt' })
    expect(bare(refused)).toEqual(['\x1b'])
  })

  it('ignores a prompt without a command, above all during a dial', () => {
    const line = talk()
    expect(line.give({ kind: 'prompt' })).toEqual([])
    line.give({ kind: 'dialled', id: 1, command: command('ATD', { dials: true }) })
    expect(line.give({ kind: 'prompt' })).toEqual([])
  })

  it('writes the body at most once, whatever comes in whatever order', () => {
    const event = fc.oneof(
      fc.constant({ kind: 'prompt' } as const),
      fc.constant({ kind: 'time' } as const),
      fc
        .constantFrom('OK', 'ERROR', '+CMGS: 1', '+CSQ: 1,0', '> ', 'RING', '+CMS ERROR: 38')
        .map(raw => ({ kind: 'line', raw }) as const),
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(event, fc.nat(10_000)), { maxLength: 30 }), events => {
        const line = talk()
        line.ask(1, sending)
        for (const [one, ms] of events) {
          line.nowMs += ms
          line.give(one)
        }
        const bodies = bare(line).filter(text => text !== '\x1b')
        expect(bodies.length).toBeLessThanOrEqual(1)
        // The answer says that nothing was sent, so nothing was.
        if (line.answers().get(1)?.result === 'unprompted') expect(bodies).toEqual([])
        if (line.answers().get(1)?.result === 'ok') expect(bodies).toHaveLength(1)
      }),
    )
  })
})
