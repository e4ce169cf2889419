import { PassThrough } from 'node:stream'
import { readConsoleLine } from '@callgate/modem/core/consoleLine'
import { realWorld } from '@callgate/world/real'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { AtAnswer } from '../local/localMessages.ts'
import type { ModemAccess } from './modemAccess.ts'
import { serveConsole } from './modemConsole.ts'
import { shownAnswer, shownLine } from './shownAnswer.ts'

const world = realWorld({ logLevel: 'silent' })

/** The output of a console for the input `typed`, and the lines that it sends. */
async function shown(typed: string, answer: AtAnswer = { result: 'ok', lines: ['+CSQ: 20,0'], why: null }) {
  const asked: string[] = []
  const access: ModemAccess = {
    async ask(line) {
      asked.push(line)
      return answer
    },
    listen: onLine => onLine('RING'),
    close: async () => {},
  }
  const input = new PassThrough()
  const output = new PassThrough()
  const served = serveConsole({ world, input, output, isTerminal: false }, access)
  input.end(typed)
  await served
  const text = String(output.read() ?? '')
  return { asked, text, rows: text.split('\n').map(row => row.replace(/^\d\d:\d\d:\d\d\.\d{3} {2}/, '')) }
}

it('sends the typed line, and shows the answer and unsolicited lines with the time', async () => {
  const { asked, rows, text } = await shown('at+csq\n\n')
  expect(asked).toEqual(['AT+CSQ'])
  expect(rows).toEqual(['unasked: RING', 'modem> at+csq', '+CSQ: 20,0', 'OK', ''])
  expect(text).toMatch(/\n\d\d:\d\d:\d\d\.\d{3} {2}OK\n/)
})

it('shows an error, a timeout and a refusal differently', async () => {
  const error = await shown('AT\n', { result: 'error', lines: [], why: '+CME ERROR: SIM busy' })
  expect(error.rows).toContain('+CME ERROR: SIM busy')
  const silent = await shown('AT', { result: 'silent', lines: [], why: 'No answer within 3 s' })
  expect(silent.rows).toContain('No answer within 3 s.')
  const { asked, rows } = await shown('ATD+40722123456;\nquit\nAT\n')
  expect(asked).toEqual([])
  expect(rows.find(row => row.startsWith('Not sent'))).toContain('never calls')
})

it('lists all its commands', async () => {
  const { text } = await shown('help\n?\n')
  expect(text.match(/AT\+CREG\?/g)).toHaveLength(2)
  expect(Math.max(...text.split('\n').map(row => row.length))).toBeLessThanOrEqual(101)
})

it('limits a line without an end, and sends the line after it', async () => {
  const { asked, rows } = await shown(`${'AT'.repeat(100_000)}\nAT\n`)
  expect(rows.filter(row => row.startsWith('Not sent'))).toEqual(['Not sent: No command is as long as this.'])
  expect(asked).toEqual(['AT'])
})

it('sends nothing but listed commands, whatever is piped in, and prints no terminal control characters', async () => {
  const piece = fc.constantFrom(
    'AT',
    'ATD1;',
    'AT+CSQ',
    ';',
    '\n',
    '\r',
    '\x1b[2J',
    '\x9b',
    'A/',
    '+++',
    '\x1a',
    'x',
    'é',
  )
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 20 }), async pieces => {
      const { asked, text } = await shown(pieces.join(''))
      for (const line of asked)
        expect(readConsoleLine(line)).toMatchObject({ ok: true, command: { text: line } })
      expect(text).not.toMatch(/[^\x20-\x7e\n]/)
    }),
    { numRuns: 100 },
  )
})

it("cuts the modem's output, and removes terminal control characters", () => {
  expect(shownLine(`\x9b2J${'x'.repeat(400)}`)).toBe(`?2J${'x'.repeat(297)}`)
  expect(shownAnswer({ result: 'error', lines: ['é'], why: '\x1b' })).toEqual({
    result: 'error',
    lines: ['?'],
    why: '?',
  })
})
