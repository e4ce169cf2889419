// Properties of a call on each family of modems: any lines of any family, in any order and at any time, and any bytes.

import { fakeWorld } from '@callgate/world/fake'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { clcc, readyModem, type Script } from './scriptedModem.kit.ts'

const number = '"+40721000456",145'

/** What the families say during a call; digits after a comma vary from 0 to 7. */
const words = [
  ...[0, 1, 2, 3, 6].map(clcc),
  ...[-1, 0, 2, 3].map(state => `+QIND: "ccinfo",1,0,${state},0,0,${number}`),
  ...[2, 3, 6, 7].map(state => `^DSCI: 1,0,${state},0,+40721000456,145,0`),
  '^DSCI: 1,0,6,0,0,"+40721000456",129,,17',
  'MO RING',
  'MO CONNECTED',
  'VOICE CALL: BEGIN',
  'VOICE CALL: END',
  'VOICE CALL:END: 000004',
  '+COLP: "40721000456",161',
  'BUSY',
  'NO CARRIER',
  'NO ANSWER',
  'NO DIALTONE',
  '+CDRIND: 0',
  '+CSSI: 2',
  '+CREG: 0',
  '+CREG: 10,"1816","F9A1",7',
  '+CGEV: NW ACT 8,10',
  '+QIND: "csq",20,99',
  'MISSED_CALL: 11:53AM 08020866256',
  'RING',
  '+CPIN: NOT READY',
  'PB DONE',
  'OK',
  'ERROR',
  '+CME ERROR: 3',
  '\xff\x00\xfe',
]

const line = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...words) },
  {
    weight: 1,
    arbitrary: fc.string({ unit: 'binary-ascii', maxLength: 60 }).map(text => text.replaceAll('|', '')),
  },
)
const script: fc.Arbitrary<Script> = fc
  .tuple(fc.boolean(), fc.array(fc.tuple(fc.integer({ min: 0, max: 60_000 }), line), { maxLength: 25 }))
  .map(([isAccepted, lines]) => [...(isAccepted ? [[200, 'OK'] as const] : []), ...lines])

const modes = ['reject', 'reject_delayed', 'answer_release', 'answer_hold', 'ring', 'unverified'] as const
const models = ['SIMCOM_SIM800C', 'SIMCOM_SIM7600G-H', 'A7670E-FASE', 'EG25-G', 'L850-GL']

it.each(models)(
  '%s: one ATD, a verdict in time, and never a sure opening',
  async model => {
    let verdicts = 0
    await fc.assert(
      fc.asyncProperty(script, fc.constantFrom(...modes), async (lines, mode) => {
        const world = fakeWorld(1)
        const { far, verdict, written } = await readyModem(world, {}, { 'AT+CGMM': `${model}|OK` })
        await world.advance(2_000)
        far.script = lines
        const sinceMs = world.monotonicMs()
        const said = await verdict({ mode })
        verdicts += 1
        expect(world.monotonicMs() - sinceMs).toBeLessThanOrEqual(90_000)
        expect(written.filter(text => text.startsWith('ATD'))).toHaveLength(1)
        // Only a gate's own confirmation gives a yes, and nothing here is one.
        expect(said.opened).not.toBe('yes')
        if (said.status === 'completed') expect(said.confidence).not.toBe('certain')
        const isBlind = model === 'A7670E-FASE' || model === 'L850-GL'
        if (isBlind) expect(said.confidence).not.toBe('likely')
        if (said.safeToRetry) expect(said.opened).toBe('no')
      }),
      { numRuns: 60 },
    )
    expect(verdicts).toBeGreaterThanOrEqual(60)
  },
  60_000,
)
