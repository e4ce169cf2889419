import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { endingUndialled, endingUnknown, type OpeningRow } from '../../core/opening.ts'
import { grantedRow as granted, leadingRow as row } from '../openingRow.kit.ts'
import { changeAtEnd, consequencesOf, type EndKind, endedAtMs, handOver } from './openingEnd.ts'

const kinds = Object.keys(consequencesOf) as EndKind[]
const anyEnd = fc.constantFrom(...kinds)

describe('the table of ends', () => {
  it.each(kinds)('%s frees the number only where no call can be on the line', kind => {
    const { dialled, freesNumber, isSettled } = consequencesOf[kind]
    expect(freesNumber).toBe((isSettled && !kind.endsWith('Unheard')) || !dialled)
  })
  it.each(kinds)('%s is settled only where the gateway has reported it', kind => {
    expect(consequencesOf[kind].isSettled).toBe(/^(reported|corrected)/.test(kind))
  })
  it.each(kinds)('%s hands over only where nothing was dialled', kind => {
    const { dialled, handsOver } = consequencesOf[kind]
    expect(dialled && handsOver).toBe(false)
  })
  it('P3: hands over nothing where the age of the joiners is unknown, and nothing while all gates are locked', () => {
    const undialled = kinds.filter(kind => !consequencesOf[kind].dialled)
    expect(undialled.filter(kind => !consequencesOf[kind].handsOver)).toEqual(['lockedDown', 'interrupted'])
  })
  it('has the same consequences for a correction as for a first report', () => {
    expect(consequencesOf.correctedCall).toEqual(consequencesOf.reportedCall)
    expect(consequencesOf.correctedUnheard).toEqual(consequencesOf.reportedUnheard)
    expect(consequencesOf.correctedNoCall).toEqual(consequencesOf.reportedNoCall)
  })
})

describe('the row of an ended opening', () => {
  const ending = endingUnknown('no_report')

  it.each<[EndKind, Partial<OpeningRow>]>([
    ['refusedAtClaim', { usageHeld: false, lockedNumber: null, isSettled: false }],
    ['reportedCall', { usageHeld: true, lockedNumber: null, isSettled: true }],
    ['reportedUnheard', { usageHeld: true, lockedNumber: row.phoneNumber, isSettled: true }],
    ['reportedNoCall', { usageHeld: false, lockedNumber: null, isSettled: true }],
    ['unreported', { usageHeld: true, lockedNumber: row.phoneNumber, isSettled: false }],
    ['journalLost', { usageHeld: true, lockedNumber: row.phoneNumber, isSettled: false }],
    ['restored', { usageHeld: true, lockedNumber: row.phoneNumber, isSettled: false }],
  ])('after %s', (kind, expected) => {
    const holding = { ...granted, usageHeld: true }
    expect({ ...holding, ...changeAtEnd(holding, kind, ending) }).toMatchObject(expected)
  })
  it('never gives back a use that was not held, and stays settled once it is', () => {
    fc.assert(
      fc.property(anyEnd, fc.boolean(), (kind, isSettled) => {
        const before: OpeningRow = { ...granted, isSettled }
        const after = { ...before, ...changeAtEnd(before, kind, endingUnknown('no_report')) }
        expect(after.usageHeld).toBe(false)
        expect(after.isSettled).toBe(isSettled || consequencesOf[kind].isSettled)
      }),
    )
  })
})

describe('the joiners of an ended opening', () => {
  const joiner = (id: string, second: string): OpeningRow => ({
    ...row,
    id,
    calledAt: `2026-01-05T08:00:${second}.000Z`,
  })
  const [a, b, c] = [joiner('open_1', '01'), joiner('open_2', '02'), joiner('open_3', '03')]

  it('hands over to the oldest joiner in time', () => {
    const { followers, heir, tooLate } = handOver([c, b, a], 'declined', candidate => candidate !== a)
    expect([heir, followers, tooLate]).toEqual([b, [c], [a]])
    expect(handOver([a, c, b], 'reportedNoCall', () => true)).toEqual({
      heir: a,
      followers: [b, c],
      tooLate: [],
    })
  })
  it('all end with it where the kind of end does not hand over or the joiners have ended already', () => {
    const ended: OpeningRow = { ...a, ...endingUndialled('interrupted') }
    fc.assert(
      fc.property(anyEnd, fc.subarray([ended, b, c]), (kind, joiners) => {
        const { followers, heir, tooLate } = handOver(joiners, kind, () => true)
        const leads = heir ? [heir, ...followers] : []
        expect(new Set([...leads, ...tooLate])).toEqual(new Set(joiners))
        expect(leads).not.toContain(ended)
        expect(leads.length > 0).toBe(consequencesOf[kind].handsOver && joiners.some(one => one !== ended))
      }),
    )
  })
})

it('computes the end from the receipt of the claim and the count of the gateway, but never later than now', () => {
  const receiptMs = Date.parse(granted.grantedAt ?? '')
  expect(endedAtMs(granted, 8_000, receiptMs + 60_000)).toBe(receiptMs + 8_000)
  expect(endedAtMs(granted, 8_000, receiptMs + 3_000)).toBe(receiptMs + 3_000)
  expect(endedAtMs(granted, null, receiptMs + 3_000)).toBe(receiptMs + 3_000)
  expect(endedAtMs(granted, 8_000, 0)).toBe(Date.parse(granted.calledAt))
})
