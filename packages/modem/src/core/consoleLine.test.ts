import fc from 'fast-check'
import { expect, it } from 'vitest'
import { consoleLines, readConsoleLine } from './consoleLine.ts'

const lines = new Set(consoleLines)

it('takes the questions of its list, in any case and with spaces around them', () => {
  for (const line of consoleLines)
    expect(readConsoleLine(` ${line.toLowerCase()} `)).toMatchObject({ ok: true, command: { text: line } })
})

it('has nothing in its list that dials, answers, sets, sends or joins commands', () => {
  for (const line of consoleLines) {
    expect(line).toMatch(/^AT(?:I|[+^][A-Z]+(?:\?|=\?)?)?$/)
    expect(line).not.toMatch(/^AT[\^+](?:CMG[SWCLRD]|CMSS|CUSD|CPWD|CLCK|CPOWD|QPOWD|CHUP|CHLD)/)
  }
  expect(lines.has('AT+COPS=?')).toBe(false)
})

it('P4: writes nothing but a line of its list, whatever is typed', () => {
  const piece = fc.constantFrom(
    ...[
      'AT',
      'at+csq',
      'AT+CSQ',
      'ATD',
      'D',
      '+40722123456',
      ';',
      'A/',
      'a/',
      '+++',
      'ATA',
      'ATH',
      '\r',
      '\n',
      '\r\n',
    ],
    ...[
      '\x1a',
      '\x1b',
      '\x00',
      '\x08',
      '\x7f',
      '\u2028',
      ' ',
      '\t',
      '?',
      '=?',
      '=1',
      '"',
      'AT+CMGS=',
      'AT+CUSD=1',
      'AT+CPIN=',
    ],
    ...['AT+CPOWD=1', 'ＡＴＤ', 'ſ', 'ı', '&F', 'Z', 'S3=59'],
  )
  const typed = fc.oneof(
    fc.array(piece, { maxLength: 8 }).map(pieces => pieces.join('')),
    fc.tuple(fc.constantFrom(...consoleLines), piece, fc.string()).map(parts => parts.join('')),
    fc.tuple(piece, fc.constantFrom(...consoleLines)).map(parts => parts.join('')),
    fc.string({ unit: 'binary', maxLength: 60 }),
  )
  fc.assert(
    fc.property(typed, text => {
      const read = readConsoleLine(text)
      // The test above checks the list itself: nothing in it calls.
      if (read.ok) expect(lines.has(read.command.text)).toBe(true)
      else expect(read.why).not.toBe('')
    }),
    { numRuns: 600 },
  )
})

it.each([
  'ATD+40722123456;',
  'atd112;',
  ' AtDT112;',
  'ATDL',
  'A/',
  'a/',
  'AT+CSQ;D112;',
  'AT+CSQ;',
  'ATD>1;',
])('P4: sends nothing where %s is typed', typed => {
  expect(readConsoleLine(typed)).toEqual({ ok: false, why: expect.any(String) })
})

it('says for each kind of refused line what to use instead', () => {
  const whys: readonly (readonly [string, RegExp])[] = [
    ['ATD+40722123456;', /never calls.*callgate-gateway call/],
    ['atdt112;', /never calls/],
    ['AT+CSQ;D+40722123456;', /One command a line/],
    ['AT+CSQ\rATD1;', /no printable ASCII/],
    ['AT+CMGS="+40722123456"\x1a', /no printable ASCII/],
    ['A/', /repeats the last command/],
    ['+++', /how the modem takes commands/],
    ['ATA', /alone answers/],
    ['ATH', /alone answers/],
    ['AT+CHUP', /alone answers/],
    ['AT+CMGS="+40722123456"', /messages/],
    ['AT+CMGR=1', /messages/],
    ['AT+CUSD=1,"*100#"', /service codes/],
    ['AT+CPIN="1234"', /no PIN/],
    ['AT+CLCK="SC",0,"1234"', /no PIN/],
    ['AT+CPOWD=1', /away for a while/],
    ['AT+CFUN=1,1', /away for a while/],
    ['AT+COPS=?', /every network/],
    ['ATZ', /away for a while/],
    ['AT+IPR=9600', /changes the modem/],
    ['ATE1', /changes the modem/],
    ['AT+CMGF', /none of the commands/],
    ['hello', /none of the commands/],
    ['', /none of the commands/],
  ]
  for (const [typed, why] of whys)
    expect(readConsoleLine(typed), typed).toMatchObject({ ok: false, why: expect.stringMatching(why) })
})

it('takes a line for an answer where it has the name of the command, or no name', () => {
  const replyOf = (typed: string) => {
    const read = readConsoleLine(typed)
    return read.ok ? read.command.reply : undefined
  }
  expect(replyOf('AT+CREG?')?.test('+CREG: 0,1')).toBe(true)
  expect(replyOf('AT+CREG?')?.test('+CMTI: "SM",3')).toBe(false)
  expect(replyOf('AT+CICCID')?.test('+ICCID: 8940')).toBe(true)
  expect(replyOf('AT^DSCI?')?.test('^DSCI: 1')).toBe(true)
  expect(replyOf('ATI')?.test('SIM800 R14.18')).toBe(true)
})
