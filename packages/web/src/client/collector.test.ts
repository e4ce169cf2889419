import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type Changed, collector, sparing } from './collector.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const gates = [{ noun: 'gates' }]
const users = [{ noun: 'users' }]

/** A collector whose readings each take so many requests. */
function collecting(requests: number) {
  const read: Changed[] = []
  const take = (changed: Changed) => {
    read.push(changed)
    return requests
  }
  return { read, changes: collector(take, sparing) }
}

it('takes the events of one moment together', () => {
  const { changes, read } = collecting(1)
  changes.add(gates)
  changes.add(users)
  expect(read).toEqual([])
  vi.advanceTimersByTime(150)
  expect(read).toEqual([[...gates, ...users]])
  changes.add(gates)
  changes.add('all')
  vi.advanceTimersByTime(3_000)
  expect(read[1]).toBe('all')
})

it.each([
  [2, 3],
  [7, 7],
])('after %i requests it waits %i s, whatever happens', (requests, waitS) => {
  const { changes, read } = collecting(requests)
  changes.add(gates)
  vi.advanceTimersByTime(150)
  changes.add(users)
  vi.advanceTimersByTime(waitS * 1_000 - 1)
  expect(read).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect(read).toHaveLength(2)
})

it('reads nothing any more once it is stopped', () => {
  const { changes, read } = collecting(1)
  changes.add(gates)
  changes.stop()
  vi.advanceTimersByTime(10_000)
  expect(read).toEqual([])
})
