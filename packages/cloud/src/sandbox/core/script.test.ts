import { magicEnds, magicNames, magicNumber } from '@callgate/contract/sandbox/magicNumbers'
import { terminalWithinMs } from '@callgate/contract/wire/timing'
import { describe, expect, it } from 'vitest'
import { scriptOf } from './script.ts'

const claimed = magicNames.flatMap(name => {
  const script = scriptOf(magicNumber(name))
  return script?.kind === 'claim' ? [{ name, reports: script.reports }] : []
})

describe('the script of a number', () => {
  it('is there for every number of a sandbox, and for no other', () => {
    expect(magicNames.filter(name => scriptOf(magicNumber(name)) === undefined)).toEqual([])
    for (const other of ['+40722123456', '+447700900999', '+44770090010', ''])
      expect(scriptOf(other)).toBeUndefined()
  })

  it('ends each call with the reason of its number, and in time but for the late ones', () => {
    for (const { name, reports } of claimed) {
      const last = reports.at(-1)
      if (name === 'no_report') expect(last?.report.phase).toBe('ringing')
      else if (name === 'not_dialled') expect(last?.report.phase).toBe('not_dialled')
      else expect(last?.report).toMatchObject({ phase: 'ended', verdict: { reason: magicEnds[name].reason } })
      expect([name, (last?.atMs ?? 0) > terminalWithinMs]).toEqual([name, name === 'late_report'])
    }
  })

  it('reports in the order of time, which each report tells', () => {
    for (const { name, reports } of claimed) {
      const times = reports.map(({ atMs }) => atMs)
      expect(times, name).toEqual(times.toSorted((a, b) => a - b))
    }
  })

  it('declines where the modem or its network does not work', () => {
    const declined = magicNames.filter(name => scriptOf(magicNumber(name))?.kind === 'decline')
    expect(declined).toEqual(['modem_busy', 'modem_not_ready', 'no_network'])
    expect(scriptOf(magicNumber('gateway_offline'))).toEqual({ kind: 'offline' })
  })
})
