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

/** A collector whose readings each take the given number of requests. */
function collecting(requests: number) {
  const read: Changed[] = []
  const take = (changed: Changed) => {
    read.push(changed)
    return requests
  }
  return { read, changes: collector(take, sparing) }
}

it('combines the events of one moment', () => {
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
])('waits after %i requests for %i s, whatever happens', (requests, waitS) => {
  const { changes, read } = collecting(requests)
  changes.add(gates)
  vi.advanceTimersByTime(150)
  changes.add(users)
  vi.advanceTimersByTime(waitS * 1_000 - 1)
  expect(read).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect(read).toHaveLength(2)
})

it('reads nothing more once it is stopped', () => {
  const { changes, read } = collecting(1)
  changes.add(gates)
  changes.stop()
  vi.advanceTimersByTime(10_000)
  expect(read).toEqual([])
})
