// Rules for every row of the table of reasons.

import { expect, it } from 'vitest'
import { type ReasonWord, reasons } from './reason.ts'
import { isKnownReason, reasonRows, rowOf } from './reasonRows.ts'

const words = Object.keys(reasons) as ReasonWord[]
const having = (fits: (row: (typeof reasonRows)[ReasonWord]) => boolean) =>
  words.filter(word => fits(reasonRows[word]))

it('has a row for each reason, in the same order, and none for another word', () => {
  expect(Object.keys(reasonRows)).toEqual(words)
  expect(isKnownReason('toString')).toBe(false)
  expect(rowOf('a_later_word')).toBeUndefined()
  expect(rowOf(null)).toBeUndefined()
})

it('blames the gateway wherever another gateway helps', () => {
  expect(having(({ again, fault }) => again === 'another' && fault !== 'gateway')).toEqual([])
})

it('advises no other press where the gate was ringing or the press was denied', () => {
  expect(having(({ again, came }) => (came === 'rang' || came === 'denied') && again !== null)).toEqual([])
})

it('names a reaction of the gate, and doubts of its profile, only where it was ringing', () => {
  expect(having(({ came, doubt, gate }) => came !== 'rang' && (doubt !== null || gate !== null))).toEqual([])
})

it('leads an older cloud to the same action by the older word as a newer one by the new word', () => {
  const newer = having(({ older }) => older !== undefined)
  expect(newer).not.toEqual([])
  for (const word of newer) {
    const { again, came, doubt, fault, gate, modem, older } = reasonRows[word]
    expect(rowOf(older ?? null), word).toMatchObject({ again, came, doubt, fault, gate, modem })
  }
})
