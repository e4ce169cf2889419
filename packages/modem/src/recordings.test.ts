// Recorded USSD answers, and messages made by other programs: all are read.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { messageOf } from './core/message.ts'
import { submission } from './core/submit.ts'
import { type HeldText, joinUssd, shownText, ussdOf } from './core/ussdLine.ts'

const folder = join(import.meta.dirname, '../fixtures')
const linesOf = (name: string) => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n')

/** The messages of a file, each with its text. */
const messagesOf = (name: string) =>
  linesOf(name)
    .filter(line => !line.startsWith('#'))
    .map(line => {
      const at = line.indexOf(' ')
      return { pdu: line.slice(0, at), text: JSON.parse(line.slice(at + 1)) as string }
    })

/** A sent message as it is delivered: with a time in place of reference and validity. */
function delivered(pdu: string): string {
  const digitCount = Number.parseInt(pdu.slice(6, 8), 16)
  const end = 10 + Math.ceil(digitCount / 2) * 2
  const [address, coding, data] = [pdu.slice(6, end), pdu.slice(end, end + 4), pdu.slice(end + 6)]
  return `0004${address}${coding}62105180000000${data}`
}

describe('a recorded USSD answer', () => {
  const recorded = linesOf('ussd.txt').slice(1).join('\n').split(/^# /m).filter(Boolean)

  it('has one text, whatever its firmware writes around it', () => {
    expect(recorded.length).toBeGreaterThanOrEqual(6)
    for (const recording of recorded) {
      const [source, ...lines] = recording.trimEnd().split('\n')
      const text = lines.pop()?.slice(2)
      let held: HeldText | undefined
      const joined = lines.flatMap(line => {
        const next = joinUssd(held, line, 0)
        held = next.held
        return next.lines
      })
      expect(held, source).toBeUndefined()
      const read = joined.map(line => ussdOf(line)?.text)
      expect(
        read.map(one => (one ? shownText(one, 500) : '-')),
        source,
      ).toEqual([text])
    }
  })
})

describe('a message of another program', () => {
  const [ofGammu, ofSmstools] = [messagesOf('messages-gammu.txt'), messagesOf('messages-smstools.txt')]

  it('is read as its text', () => {
    expect(ofGammu.length + ofSmstools.length).toBeGreaterThanOrEqual(500)
    for (const { pdu, text } of ofGammu) expect(messageOf(pdu)?.text).toBe(text)
    for (const { pdu, text } of ofSmstools) expect(messageOf(delivered(pdu))?.text).toBe(text)
  })

  it('has the data that our own would have', () => {
    const sent = ofSmstools.flatMap(({ pdu, text }) => {
      const ours = submission('+40721000456', text)
      return ours ? [{ pdu, ours }] : []
    })
    expect(sent.length).toBeGreaterThan(15)
    for (const { pdu, ours } of sent) expect(delivered(ours.pdu)).toBe(delivered(pdu))
  })
})
