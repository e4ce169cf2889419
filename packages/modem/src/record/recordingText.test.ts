import fc from 'fast-check'
import { expect, it } from 'vitest'
import { learnedProfile } from '../scriptedModem.kit.ts'
import { evidence, verdict } from './recording.kit.ts'
import { type RecordedCall, type Recording, wireEventKinds } from './recording.ts'
import { eventLine, invisible, recordingLines, visible } from './recordingText.ts'
import { framed, readReport } from './reportFile.ts'

const bytes = fc.uint8Array({ maxLength: 80 }).map(all => Buffer.from(all).toString('latin1'))
const event = fc.record({
  atMs: fc.integer({ min: -30_000, max: 90_000 }),
  kind: fc.constantFrom(...wireEventKinds),
  text: bytes,
})
const setUp = fc.record({ events: fc.array(event, { maxLength: 5 }), isCut: fc.boolean() })

/** A recording of any bytes; its last call shares the set-up of the first one. */
const recording: fc.Arbitrary<Recording> = fc
  .tuple(setUp, fc.option(setUp), fc.array(event, { maxLength: 6 }), fc.boolean())
  .map(([given, failedSetUp, events, isCut]) => {
    const call: RecordedCall = {
      nowMs: 1_764_000_000_000,
      phoneNumber: '+83050000001',
      profile: learnedProfile,
      verdict,
      evidence,
      setUp: given,
      before: [{ atMs: -900, kind: 'to', text: 'ATD+83050000009;\r' }],
      events: [
        { atMs: 0, kind: 'to', text: 'ATD+83050000001;\r' },
        ...events.map(one => ({ ...one, atMs: Math.abs(one.atMs) })),
      ],
      isCut,
    }
    return { setUp: given, failedSetUp, calls: [call, { ...call, hasMoved: isCut }] }
  })

const withoutLines = (read: unknown) =>
  JSON.parse(JSON.stringify(read, (name, value) => (name === 'line' ? undefined : value)))

it('shows any bytes in visible characters, and reads them again', () => {
  fc.assert(
    fc.property(bytes, text => {
      expect(visible(text)).toMatch(/^(?:[\x20-\x7e]*[\x21-\x7e])?$/)
      expect(invisible(visible(text))).toBe(text)
    }),
  )
  expect(eventLine({ atMs: 12, kind: 'from', text: '\r\n> \xfe\\' })).toBe('12 < \\r\\n> \\xfe\\\\')
})

it('reads what it has written, also where a program has changed the line ends or added a mark', () => {
  fc.assert(
    fc.property(recording, given => {
      const text = framed(['== Log ==', 'anything', ...recordingLines(given)])
      for (const received of [
        text,
        text.replaceAll('\n', '\r\n'),
        `\ufeff${text}`,
        `# A source.\n${text}\n\n`,
      ]) {
        const read = readReport(received)
        expect(withoutLines(read)).toEqual(withoutLines({ ok: true, recording: given }))
      }
    }),
    { numRuns: 100 },
  )
})

it('names the line of the file from which each event is', () => {
  const [given] = fc.sample(recording, { numRuns: 1, seed: 5 })
  if (!given) throw new Error('no sample')
  const text = framed(recordingLines(given))
  const read = readReport(text)
  const [first] = (read.ok && read.recording.calls[0]?.events) || []
  expect(text.split('\n')[(first?.line ?? 0) - 1]).toBe('0 > ATD+83050000001;\\r')
})

it('says what is wrong with a file: cut off, of another program, newer, or changed', () => {
  const [given] = fc.sample(recording, { numRuns: 1, seed: 7 })
  if (!given) throw new Error('no sample')
  const text = framed(recordingLines(given))
  const said = (changed: string) => {
    const read = readReport(changed)
    return read.ok ? 'read' : read.message
  }
  expect(said(' \n')).toBe('The file is empty')
  for (let end = text.length - 2; end > 40; end -= 37)
    expect(said(text.slice(0, end))).toContain('The report is cut off')
  expect(said('A support bundle of a Callgate gateway.\n')).toContain('is no report of a gateway')
  expect(said(text.slice(text.indexOf('\n') + 1))).toContain('is no report of a gateway')
  expect(said(text.replace('form 1', 'form 2'))).toContain('newer version')
  expect(said(text.replace(/^verdict .*$/m, 'verdict {"status":'))).toMatch(/^Line \d+ is no verdict/)
  expect(said(text.replace(/^profile .*\n/m, ''))).toBe('A call has no line "profile"')
  expect(said(text.replace('0 > ATD+83050000001;\\r', '0 ATD'))).toMatch(
    /^Line \d+ is no line of a modem: "0 ATD"/,
  )
})
