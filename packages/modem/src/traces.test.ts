// Recorded calls, ours and published ones, through the whole driver: each fixture names its source and its verdict.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CallMode } from '@callgate/contract/call/callProfile'
import { fakeWorld } from '@callgate/world/fake'
import { describe, expect, it } from 'vitest'
import { readyModem } from './scriptedModem.kit.ts'

const folder = join(import.meta.dirname, '../fixtures')

/** A fixture: a comment, fields by name, then lines with the milliseconds since ATD before them. */
function read(name: string) {
  const lines = readFileSync(join(folder, name), 'utf8').trim().split('\n')
  const fields = new Map(
    lines.flatMap(line =>
      [...line.matchAll(/^([a-z]+) (.*)$/g)].map(([, key = '', value = '']) => [key, value]),
    ),
  )
  const script = lines.flatMap(line => {
    const [, atMs, text] = /^(\d+) (.*)$/.exec(line) ?? []
    return text === undefined ? [] : [[Number(atMs), text] as const]
  })
  const field = (key: string) => fields.get(key) ?? expect.fail(`${name} has no ${key}`)
  return {
    source: lines[0],
    model: field('model'),
    /** The reply to AT+CEER: a SIM800's with this cause, or the line that the source shows. */
    ceer: fields.get('ceer') ?? (field('cause') === 'none' ? 'ERROR' : `+CEER: Cause:${field('cause')}|OK`),
    mode: field('mode') as CallMode,
    silentAlerting: fields.get('route') === 'silent',
    expected: field('expect'),
    script,
  }
}

describe('the recorded call', () => {
  it.each(readdirSync(folder).filter(name => name.endsWith('.trace')))('%s', async name => {
    const { source, model, ceer, mode, silentAlerting, expected, script } = read(name)
    expect(source).toMatch(/^# .*(S\d+|Our simulator).*\.$/)
    const { far, modem, verdict } = await readyModem(
      fakeWorld(),
      {},
      {
        'AT+CGMM': `${model}|OK`,
        'AT+CEER': ceer.startsWith('+') && !ceer.includes('|') ? `${ceer}|OK` : ceer,
      },
    )
    expect(modem.status().model).toBe(model.replace('SIMCOM_', ''))
    far.script = script
    const { status, reason, confidence, opened, safeToRetry } = await verdict({ mode, silentAlerting })
    expect([status, reason, confidence, opened, ...(safeToRetry ? ['R'] : [])].join(' ')).toBe(expected)
  })
})
