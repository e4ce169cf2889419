import { noCalls, outcomesOf } from '@callgate/contract/call/callOutcomes'
import type { OpeningClass } from '@callgate/contract/call/openingClass'
import { expect, it } from 'vitest'
import { gateOf, gatewayOf } from '../client/spaceData.kit.ts'
import { en } from '../words/en.ts'
import { ro } from '../words/ro.ts'
import { claimsOf, type KnownOfSpace, sayGates, sayStepsDone, sayUnopened } from './claims.ts'

type Gates = Readonly<Record<string, readonly OpeningClass[] | 'not reacting' | 'off'>>

/** A Space with these gates, each with the ends of its calls, oldest first. */
function spaceOf(gates: Gates, gateways: KnownOfSpace['gateways'] = [home]): KnownOfSpace {
  const entries = Object.entries(gates)
  return {
    gates: entries.map(([name, ends]) => gateOf({ id: name, name, isActive: ends !== 'off' })),
    figures: entries.map(([gateId, ends]) => ({
      gateId,
      calibration: 'measured',
      misses: ends === 'not reacting' ? 2 : 0,
      outcomes: Array.isArray(ends)
        ? outcomesOf(ends.map((kind: OpeningClass) => ({ class: kind, seen: null })))
        : ends === 'not reacting'
          ? outcomesOf([
              { class: 'opened', seen: null },
              { class: 'did_not_open', seen: null },
              { class: 'did_not_open', seen: null },
            ])
          : noCalls,
    })),
    gateways,
  }
}

const home = gatewayOf({ name: 'Demo gateway' })
const yard = gatewayOf({ name: 'Yard' })
const away = gatewayOf({ name: 'Yard', now: { state: 'offline', modem: null } })
const broken = gatewayOf({ name: 'Attic', now: { modem: { ...modemOf(), state: 'sim_error' } } })

function modemOf() {
  const { modem } = gatewayOf().now
  if (!modem) throw new Error('the example has no modem')
  return modem
}

/** The Space in which gateways were online beside gates that never opened. */
const demo: Gates = {
  'North gate': ['opened'],
  'East gate': ['opened', 'opened'],
  'South gate': ['unknown'],
  'West gate': ['did_not_open'],
  'Main barrier': ['did_not_open'],
}

it.each<[string, KnownOfSpace, string]>([
  [
    'an online gateway beside gates that have not opened',
    spaceOf(demo),
    'Demo gateway is online. 2 of 5 gates have opened; look at 3.',
  ],
  [
    'gates that all have opened',
    spaceOf({ a: ['opened'], b: ['opened'] }),
    'Demo gateway is online. All 2 gates have opened.',
  ],
  ['one gate that has opened', spaceOf({ a: ['opened'] }), 'Demo gateway is online. The gate has opened.'],
  [
    'a gate that has opened, and not at its last call',
    spaceOf({ a: ['opened', 'did_not_open'], b: ['opened'] }),
    'Demo gateway is online. All 2 gates have opened; look at one.',
  ],
  [
    'a gate that does not react',
    spaceOf({ a: 'not reacting', b: ['opened'] }),
    'Demo gateway is online. All 2 gates have opened; look at one.',
  ],
  [
    'a gate whose last three openings are unknown',
    spaceOf({ a: ['opened', 'unknown', 'unknown', 'unknown'] }),
    'Demo gateway is online. The gate has opened; look at one.',
  ],
  [
    'gates of which none is known to have opened',
    spaceOf({ a: ['unknown'], b: ['did_not_open'] }),
    'Demo gateway is online. None of 2 gates is known to have opened; look at 2.',
  ],
  [
    'openings that are assumed, and a gate that nobody called',
    spaceOf({ a: ['probably_opened'], b: ['opened'], c: [] }),
    'Demo gateway is online. One of 3 gates has opened; one has probably opened; one was not called yet.',
  ],
  [
    'gates that nobody called',
    spaceOf({ a: [], b: [] }),
    'Demo gateway is online. None of the 2 gates has been called yet.',
  ],
  ['a gate that is switched off', spaceOf({ a: 'off' }), 'Demo gateway is online.'],
  [
    'two gateways',
    spaceOf({ a: [] }, [home, yard]),
    '2 gateways are online. The gate has not been called yet.',
  ],
  [
    'a modem that is not ready',
    spaceOf({ a: ['opened'] }, [broken]),
    'Attic is online. No modem is ready: no gate can be called now. The gate has opened.',
  ],
  [
    'a gateway that is offline',
    spaceOf({ a: ['opened'] }, [away]),
    'No gateway is online: no gate can be opened. The gate has opened.',
  ],
  [
    'no gateway',
    spaceOf({ a: [] }, []),
    'There is no gateway yet: no gate can be opened. The gate has not been called yet.',
  ],
  [
    'gateways that could not be read',
    { ...spaceOf({ a: ['opened'] }), gateways: undefined },
    'The gate has opened.',
  ],
  ['figures that could not be read', { ...spaceOf(demo), figures: [] }, 'Demo gateway is online.'],
])('says above the gates what is known: %s', (_, space, says) => {
  expect(sayGates(claimsOf(space), en)).toBe(says)
})

it.each<[string, Gates, string]>([
  ['nothing was called', { a: [] }, ''],
  ['all gates have opened', { a: ['opened'], b: ['unknown', 'opened'] }, ''],
  ['a gate has probably opened', { a: ['probably_opened'] }, ''],
  ['one call', { 'South gate': ['unknown'] }, 'South gate: one call, not known to have opened.'],
  [
    'four calls that nothing took',
    { 'North gate': ['opened'], 'South gate': ['unknown', 'unknown', 'unknown', 'unknown'] },
    'South gate: 4 calls, none known to have opened.',
  ],
  ['several gates', demo, '3 gates were called and are not known to have opened.'],
])('says beside the alerts which gates are not known to have opened: %s', (_, gates, says) => {
  expect(sayUnopened(claimsOf(spaceOf(gates)), en)).toBe(says)
})

it.each<[string, Gates, string]>([
  ['all have opened', { a: ['opened'], b: ['probably_opened'] }, 'All is done.'],
  [
    'three have not',
    demo,
    'All is done. Not opened yet, as far as is known: South gate, West gate and Main barrier.',
  ],
  [
    'many have not',
    { a: ['opened'], b: [], c: [], d: [], e: [], f: [] },
    'All is done. Not opened yet, as far as is known: b, c, d and 2 more.',
  ],
])('says after the first steps which gates have not opened: %s', (_, gates, says) => {
  expect(sayStepsDone(claimsOf(spaceOf(gates)), en)).toBe(says)
})

it('says the same in Romanian', () => {
  const claims = claimsOf(spaceOf(demo))
  expect(sayGates(claims, ro)).toBe('Demo gateway este online. 2 din 5 porți s-au deschis; uită-te la 3.')
  expect(sayUnopened(claims, ro)).toBe('3 porți au fost apelate și nu se știe să se fi deschis.')
  const many = Object.fromEntries(Array.from({ length: 21 }, (_, place) => [`g${place}`, ['unknown']]))
  expect(sayUnopened(claimsOf(spaceOf(many as Gates)), ro)).toContain('21 de porți')
})
