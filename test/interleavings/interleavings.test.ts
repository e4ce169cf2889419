// Every interleaving within the bounds below keeps P1 and P2, and a broken core is found.

import { decideClaim } from '@callgate/cloud/core/opening'
import { describe, expect, it } from 'vitest'
import { type Bounds, explore } from './explore.ts'

const bounds: Bounds = {
  openings: 1,
  gateways: 1,
  clockSteps: 4,
  gatewayRestarts: 0,
  cloudRestarts: 0,
  mostStates: 40_000,
}

describe('every interleaving', () => {
  it.each([
    ['one opening, two gateways', { ...bounds, gateways: 2 }, 1],
    ['two openings, one gateway', { ...bounds, openings: 2 }, 2],
    ['a restart of gateway and cloud', { ...bounds, gatewayRestarts: 1, cloudRestarts: 1 }, 1],
  ] as const)('never dials twice, and never late: %s', (name, within, dialled) => {
    const explored = explore(within)
    process.stdout.write(`every interleaving of ${name}: ${explored.states} states\n`)
    expect(explored.violation).toBeUndefined()
    expect(explored.dialled).toBe(dialled)
    expect(explored.states).toBeGreaterThan(1_000)
  })

  it.each([
    ['no check just before the write', { mayDial: () => true }, /^P2/, bounds],
    [
      'every claim granted',
      { decideClaim: () => ({ kind: 'grant' }) },
      /^P1/,
      { ...bounds, gateways: 2, clockSteps: 1 },
    ],
    [
      'another boot gets the same grant',
      {
        decideClaim: facts =>
          facts.opening?.gatewayId === facts.claim.gatewayId ? { kind: 'grant' } : decideClaim(facts),
      },
      /^P1/,
      { ...bounds, gatewayRestarts: 1 },
    ],
  ] satisfies [string, Parameters<typeof explore>[1], RegExp, Bounds][])(
    'finds a broken core: %s',
    (_, broken, what, within) => {
      expect(explore(within, broken).violation?.what).toMatch(what)
    },
  )
})
