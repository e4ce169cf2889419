import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { listedCallOf, readLine } from '../core/lines.ts'
import { isSameNumber, messageOf } from '../core/message.ts'
import { isFullNumber } from '../core/phoneNumber.ts'
import { settingsReading } from '../core/readings.ts'
import { learnedProfile } from '../scriptedModem.kit.ts'
import { NumberMasks } from './maskNumber.ts'
import { maskRecording } from './maskRecording.ts'
import { evidence, verdict } from './recording.kit.ts'
import type { RecordedCall, WireEvent } from './recording.ts'

const callOf = (events: readonly WireEvent[], changed: Partial<RecordedCall> = {}): RecordedCall => ({
  nowMs: 0,
  phoneNumber: '+40721000456',
  profile: learnedProfile,
  verdict,
  evidence,
  setUp: null,
  before: [],
  events,
  isCut: false,
  ...changed,
})

const heardIn = (chunks: readonly string[]): WireEvent[] =>
  chunks.map((text, place) => ({ atMs: place * 100, kind: 'from', text }))

/** The masked lines of a modem, and of a call's other parts. */
function masked(
  lines: readonly string[],
  secrets: readonly string[] = [],
  changed: Partial<RecordedCall> = {},
) {
  const call = callOf(heardIn(lines.map(line => `\r\n${line}\r\n`)), changed)
  const numbers = new NumberMasks()
  const recording = maskRecording({ setUp: null, failedSetUp: null, calls: [call] }, { numbers, secrets })
  const [given] = recording.calls
  if (!given) throw new Error('no call')
  return { call: given, lines: given.events.map(({ text }) => text.trim()) }
}

describe('the mask of a number', () => {
  it('is the same for the same number, of the same length, and can be dialled', () => {
    const numbers = new NumberMasks()
    expect(numbers.within('+40721000456')).toBe('+83050000001')
    expect(numbers.within('+40721000457')).toBe('+83050000002')
    expect(numbers.within('0721000456')).toBe('0050000001')
    expect(numbers.within('+40 721 000 456')).toBe('+83 050 000 001')
    expect(numbers.within('+83050000001')).toBe('+83050000001')
    expect(numbers.of('867200030000001')).toBe('830000050000003')
    expect(numbers.of('123456')).toBe('500004')
    expect(numbers.of('7')).toBe('5')
    expect(numbers.count).toBe(5)
  })

  it('keeps lengths, dialling and the comparison of two notations, for any numbers', () => {
    const number = fc.stringMatching(/^[1-9][0-9]{7,14}$/)
    fc.assert(
      fc.property(fc.array(number, { minLength: 1, maxLength: 20 }), all => {
        const numbers = new NumberMasks()
        for (const digits of all) {
          const mask = numbers.within(`+${digits}`)
          expect(mask).toHaveLength(digits.length + 1)
          expect(isFullNumber(mask)).toBe(true)
          expect(isSameNumber(numbers.of(`0${digits.slice(-9)}`), mask)).toBe(
            isSameNumber(`0${digits.slice(-9)}`, digits),
          )
        }
      }),
    )
  })
})

describe('a masked line', () => {
  it.each([
    ['+CLCC: 1,0,3,0,0,"+40721000456",145,""', '+CLCC: 1,0,3,0,0,"+83050000001",145,""'],
    ['+CLCC: 1,1,4,0,0,"0721000456",129,"Ana Pop"', '+CLCC: 1,1,4,0,0,"0050000001",129,"xxx xxx"'],
    ['+CLIP: "12345",129,"",0,"Poarta\xe9",0', '+CLIP: "50002",129,"",0,"xxxxxxx",0'],
    ['^DSCI: 1,0,2,0,10086,129,0', '^DSCI: 1,0,2,0,50002,129,0'],
    ['+QIND: "ccinfo",2,0,3,0,0,"+40721000456",145', '+QIND: "ccinfo",2,0,3,0,0,"+83050000001",145'],
    ['MISSED_CALL: 11:53AM 0721000456', 'MISSED_CALL: 11:53AM 0050000001'],
    ['+COLP: "40721000456",161', '+COLP: "83050000001",161'],
    ['867200030000001', '830000050000002'],
    ['8940100000000000001f', '8300000000050000002f'],
    ['+CREG: 2,1,"1816","F9A1"', '+CREG: 2,1,"0000","0000"'],
    ['+CEREG: 2,1,1816,F9A1B2C,7', '+CEREG: 2,1,0000,0000000,7'],
    ['+COPS: 0,0,"ORANGE"', '+COPS: 0,0,"ORANGE"'],
    ['+CUSD: 0,"Credit 12 lei, Ana",15', '+CUSD: 0,"xxxxxx xx xxxx xxx",15'],
    ['AT+CPIN="1234"', 'AT+CPIN="0000"'],
    ['+IPR: 115200', '+IPR: 115200'],
    ['VOICE CALL: END: 000041', 'VOICE CALL: END: 000041'],
    ['Revision:20190612SIM800', 'Revision:20190612SIM800'],
    ['+CPSI: LTE,Online,226-10,0x230A,175499523,318', '+CPSI: LTE,Online,226-10,0x0000,000000000,318'],
    ['+CPSI: GSM,Online,226-10,0x182d,12401,27 EGSM', '+CPSI: GSM,Online,226-10,0x0000,00000,27 EGSM'],
    ['+CNAP: "Ion Popescu"', '+CNAP: "xxx xxxxxxx"'],
    ['+CLIP: "",128,"",0,"ion",0', '+CLIP: "",128,"",0,"xxx",0'],
    ['\x00+CLIP: "",128,"",0,"Ion",0', '\x00+CLIP: "",128,"",0,"xxx",0'],
    ['?+CL\x00IP: "",128,"",0,"Ion",0', '?+CL\x00IP: "",128,"",0,"xxx",0'],
    ['\x00+CREG: 2,1,"18\x0016","F9A1"', '\x00+CREG: 2,1,"00\x0000","0000"'],
    ['\xff^DSCI: 1,0,2,0,10086,129,0', '\xff^DSCI: 1,0,2,0,50002,129,0'],
    ['svc_live_0123456789abcdefghijklmnopqrst', 'x'.repeat(39)],
    ['say canary/pass', 'say xxxxxxxxxxx'],
  ])('of %s is %s', (line, expected) => {
    expect(masked([line], ['canary/pass']).lines).toEqual([expected])
  })

  it('hides the text of a message, and nothing that follows it', () => {
    const { lines } = masked([
      '+CMT: "+40721000456",,"26/11/27,15:04:00+08"\r\nHello Ana\r\n\r\nAt 5\xe9',
      'BUSY',
      'plain',
      '+CMGR: "REC READ","Ana"\r\nSee you',
      '+CSQ: 20,0',
      'plain',
      '+CMGL: 1,1,,23\r\n07910427214365F7040B9104',
      'plain',
    ])
    expect(lines).toEqual([
      '+CMT: "+83050000001",,"xxxxxxxxxxxxxxxxxxxx"\r\nxxxxx xxx\r\n\r\nxx xx',
      'BUSY',
      'plain',
      '+CMGR: "xxx xxxx","xxx"\r\nxxx xxx',
      '+CSQ: 20,0',
      'plain',
      `+CMGL: 1,1,,23\r\n${'0'.repeat(24)}`,
      'plain',
    ])
  })

  it('has nothing left where its beginning is lost', () => {
    const before = heardIn(['45678",145,"Ion Popescu"\r\n+CSQ: 20,0\r\n'])
    expect(masked([], [], { before }).call.before[0]?.text).toBe('xxxxx"xxxxx"xxx xxxxxxx"\r\n+CSQ: 20,0\r\n')
    const whole = heardIn(['+COPS: 0,0,"ORANGE"\r\n'])
    expect(masked([], [], { before: whole }).call.before).toEqual(whole)
  })

  it('hides a network text of several lines', () => {
    const { lines } = masked(['+CUSD: 1,"Hello Ana\r\nyour code 7391\r\n1 more",15\r\n+CSQ: 20,0'])
    expect(lines).toEqual(['+CUSD: 1,"xxxxx xxx\r\nxxxx xxxx xxxx\r\nx xxxx",15\r\n+CSQ: 20,0'])
  })

  it('says the same to the driver', () => {
    const said = [
      '+CLCC: 1,0,3,0,0,"+40721000456",145,"Ana"',
      '+CREG: 1,"1816","F9A1"',
      '^DSCI: 1,0,7,0,10086,129,0',
      '+QIND: "ccinfo",2,0,-1,0,0,"+40721000456",145',
      '+CMTI: "SM",3',
      'MO RING',
      'BUSY',
      '+CME ERROR: SIM busy',
    ]
    const { lines } = masked(said)
    expect(lines.map(readLine)).toEqual(said.map(readLine))
    expect(listedCallOf(lines[0] ?? '')).toEqual(listedCallOf(said[0] ?? ''))
    expect(settingsReading(masked(['+CREG: 2,1,"1816","F9A1"']).lines[0])).toBe(true)
  })
})

describe('a masked message', () => {
  // Of +40722000000, "Gate opened" in UCS2; the service centre is +40721234567.
  const pdu =
    '07910427214365F7040B910427020000F00008621050800031001600470061007400650020006F00700065006E00650064'

  it('has other numbers and letters, and stays a message of the called number', () => {
    const { lines } = masked(['+CMGR: 0,"Ana",41', pdu], [], { phoneNumber: '+40722000000' })
    expect(lines[0]).toBe('+CMGR: 0,"xxx",41')
    expect(lines[1]).toHaveLength(pdu.length)
    expect(messageOf(lines[1] ?? '')).toEqual({ from: '+83050000001', text: 'Xxxx xxxxxx', part: null })
    expect(lines[1]).not.toContain('0427214365')
  })

  it('keeps the word by which the gate confirms', () => {
    const profile = {
      ...learnedProfile,
      confirm: { kind: 'sms', from: '+40733333333', pattern: 'OPENED', withinMs: 9_000 },
    } as const
    const { call, lines } = masked([pdu], [], { profile })
    expect(messageOf(lines[0] ?? '')?.text).toBe('Xxxx opened')
    expect(call.profile.confirm).toMatchObject({ from: '+83050000002', pattern: 'OPENED' })
  })

  it('of seven bits, and of a sender with a name, has no letter left', () => {
    // "hellohello" of the sender "Orange" (3GPP TS 23.040 9.1.2.5).
    const named = '00040CD0CFB2985E2E03000062105080003100 0AE8329BFD4697D9EC37'.replace(' ', '')
    const before = messageOf(named)
    expect(before?.text).toBe('hellohello')
    const { lines } = masked([named])
    expect(messageOf(lines[0] ?? '')?.text).toBe('xxxxxxxxxx')
    expect(messageOf(lines[0] ?? '')?.from).toBe(
      (before?.from ?? '').replace(/[A-Z]/g, 'X').replace(/[a-z]/g, 'x'),
    )
  })

  it('is whole where a PIN stands in it by chance, as is a number; a PIN alone is hidden', () => {
    const before = masked([pdu]).lines
    for (const pin of ['8005', '0047', '00610074']) expect(masked([pdu], [pin]).lines).toEqual(before)
    const lines = [
      'ATD+40712345678;',
      '+CREG: 2,1,"1234","F9A1"',
      'AT+CPIN="1234"',
      'PIN 1234 is wrong',
      '12\x0034',
    ]
    expect(masked(lines, ['1234']).lines).toEqual([
      'ATD+83050000002;',
      '+CREG: 2,1,"0000","0000"',
      'AT+CPIN="0000"',
      'PIN xxxx is wrong',
      'xx\x00xx',
    ])
    expect(masked(['12345678', 'ATD+40712345678;'], ['12345678']).lines).toEqual([
      'xxxxxxxx',
      'ATD+83050000002;',
    ])
    expect(masked(['say abcdef'], ['abc', 'abcdef']).lines).toEqual(['say xxxxxx'])
  })

  it('that cannot be read becomes zeros', () => {
    expect(masked(['0891FFFFFFFFFFFFFFFFFFFFFF']).lines).toEqual(['0'.repeat(26)])
  })
})

it('masks a number that comes in two chunks, and leaves the chunks as they were', () => {
  const events = heardIn(['\r\n+CLIP: "+4072', '1000456",145,"",0,"An', 'a",0\r\n'])
  const calls = [callOf(events)]
  const { calls: given } = maskRecording(
    { setUp: null, failedSetUp: null, calls },
    { numbers: new NumberMasks(), secrets: [] },
  )
  expect(given[0]?.events.map(({ text }) => text)).toEqual([
    '\r\n+CLIP: "+8305',
    '0000001",145,"",0,"xx',
    'x",0\r\n',
  ])
})

const digits = (least: number, most = least) =>
  fc.stringMatching(new RegExp(`^[1-9][0-9]{${least - 1},${most - 1}}$`))
const word = fc.stringMatching(/^[A-Z][a-z]{5,11}$/)
/** Every kind of private text, in every kind of line that a modem prints it in. */
const privateLine = fc.oneof(
  digits(10, 14).map(number => ({ canary: number, line: `+CLCC: 1,0,3,0,0,"+${number}",145,""` })),
  digits(10, 14).map(number => ({ canary: number, line: `+CLIP: "${number}",161,"",0,"",0` })),
  digits(10, 12).map(number => ({ canary: number, line: `^DSCI: 1,0,2,0,+${number},145` })),
  digits(9).map(number => ({ canary: number, line: `MISSED_CALL: 11:53AM 0${number}` })),
  digits(9).map(number => ({ canary: number, line: `+CNUM: "","0${number}",129,7,4` })),
  digits(6, 8).map(number => ({ canary: number, line: `RING from ${number}!` })),
  digits(15).map(imei => ({ canary: imei, line: imei })),
  digits(15).map(imsi => ({ canary: imsi, line: `+CIMI: ${imsi}` })),
  digits(19, 20).map(iccid => ({ canary: iccid, line: `+ICCID: ${iccid}` })),
  fc.stringMatching(/^[\w-]{43}$/).map(key => ({ canary: key, line: `key ${key} ` })),
  fc.stringMatching(/^svc_live_[0-9A-Za-z]{36}$/).map(key => ({ canary: key, line: key })),
  word.map(name => ({ canary: name, line: `+CLCC: 1,1,4,0,0,"",128,"${name}"` })),
  word.map(name => ({ canary: name, line: `+CUSD: 0,"${name} 12",15` })),
  word.map(name => ({ canary: name, line: `+CNAP: "${name}",0` })),
  word.map(name => ({ canary: name, line: `\x00+CLIP: "",128,"",0,"${name}",0` })),
  word.map(name => ({ canary: name, line: `+CMGR: "REC READ","",,""\r\nDear ${name}\r\n\r\nOK` })),
  word.map(name => ({ canary: name, line: `+CMT: "",,""\r\n${name} is here` })),
  digits(5).map(cell => ({ canary: `,${cell},`, line: `+CPSI: GSM,Online,226-10,0x182d,${cell},27 EGSM` })),
)

it('lets no number, IMEI, IMSI, ICCID, key or name through, however it is cut into chunks; every length stays', () => {
  fc.assert(
    fc.property(
      fc.array(privateLine, { minLength: 1, maxLength: 6 }),
      fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 12 }),
      digits(10, 14),
      word,
      digits(4, 5),
      (lines, cuts, dialled, lost, pin) => {
        const all = lines.map(({ line }) => `\r\n${line}\r\n`).join('')
        const text = `${lost}",145,"${lost}"${all}`
        const chunks: string[] = []
        let from = 0
        for (const cut of cuts) {
          chunks.push(text.slice(from, from + cut))
          from += cut
        }
        chunks.push(text.slice(from))
        const dial: WireEvent = { atMs: 0, kind: 'to', text: `ATD+${dialled};\r` }
        const events = [dial, ...heardIn(chunks)]
        const call = callOf(events, {
          phoneNumber: `+${dialled}`,
          evidence: { ...evidence, events: [{ atMs: 1, event: `+CME ERROR: +${dialled}` }] },
        })
        const recording = { setUp: { events, isCut: false }, failedSetUp: null, calls: [call] }
        // A PIN that is a part of the number.
        const secrets = [pin, dialled.slice(2, 6)]
        const given = maskRecording(recording, { numbers: new NumberMasks(), secrets })
        const shown = JSON.stringify(given)
        const heard = (given.calls[0]?.events ?? []).map(event => event.text).join('')
        for (const canary of [dialled, lost, ...lines.map(one => one.canary)]) {
          expect(shown).not.toContain(canary)
          expect(heard).not.toContain(canary)
        }
        expect(given.calls[0]?.events[0]?.text).toMatch(/^ATD\+830*5\d{7};\r$/)
        expect(given.calls[0]?.events.map(event => event.text.length)).toEqual(
          events.map(event => event.text.length),
        )
      },
    ),
    { numRuns: 300 },
  )
})
