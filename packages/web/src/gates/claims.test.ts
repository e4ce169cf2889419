import type { Incident } from '@callgate/contract/app/incident'
import { noCalls, outcomesOf } from '@callgate/contract/call/callOutcomes'
import type { OpeningClass } from '@callgate/contract/call/openingClass'
import { expect, it } from 'vitest'
import { gateOf, gatewayOf, openingOf } from '../client/spaceData.kit.ts'
import { en } from '../words/en.ts'
import { ro } from '../words/ro.ts'
import { claimsOf, isSaidOnGates, type KnownOfSpace, sayGates, sayStepsDone, sayUnopened } from './claims.ts'
import { type KnownOfGateways, sayCalled, sayGateway, sayGateways } from './lateClaims.ts'

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

/** The same, while the first gate is called. */
function callingOf(gates: Gates): KnownOfSpace {
  const space = spaceOf(gates)
  const last = openingOf({ class: 'running', step: 'ringing', completedAt: null })
  return { ...space, figures: space.figures.map((one, place) => (place === 0 ? { ...one, last } : one)) }
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
    '3 gates need attention. Calls have opened 2 of 5 gates.',
  ],
  ['gates that all have opened', spaceOf({ a: ['opened'], b: ['opened'] }), 'Calls have opened all 2 gates.'],
  ['one gate that has opened', spaceOf({ a: ['opened'] }), 'Calls have opened the gate.'],
  [
    'a gate that has opened, and not at its last call',
    spaceOf({ a: ['opened', 'did_not_open'], b: ['opened'] }),
    'a needs attention. Calls have opened all 2 gates.',
  ],
  [
    'a gate that does not react',
    spaceOf({ a: 'not reacting', b: ['opened'] }),
    'a does not react. Calls have opened all 2 gates.',
  ],
  [
    'a gate whose last three openings are unknown',
    spaceOf({ a: ['opened', 'unknown', 'unknown', 'unknown'] }),
    'a needs attention. Calls have opened the gate.',
  ],
  [
    'gates of which none is known to have opened',
    spaceOf({ a: ['unknown'], b: ['did_not_open'] }),
    '2 gates need attention. None of 2 gates is known to have opened.',
  ],
  [
    'openings that are assumed, and a gate that nobody called',
    spaceOf({ a: ['probably_opened'], b: ['opened'], c: [] }),
    'Calls have opened one of 3 gates. One has probably opened. One has not been called yet.',
  ],
  ['gates that nobody called', spaceOf({ a: [], b: [] }), 'None of the 2 gates has been called yet.'],
  ['a first call that goes on', callingOf({ a: [], b: [] }), ''],
  [
    'a first call that goes on, beside a gate that has opened',
    callingOf({ a: [], b: ['opened'], c: [] }),
    'Calls have opened one of 3 gates. One has not been called yet.',
  ],
  ['a gate that is switched off', spaceOf({ a: 'off' }), ''],
  ['two gateways', spaceOf({ a: [] }, [home, yard]), 'The gate has not been called yet.'],
  [
    'a modem that is not ready',
    spaceOf({ a: ['opened'] }, [broken]),
    'No modem is ready: no gate can be called now. Calls have opened the gate.',
  ],
  [
    'a gateway that is offline',
    spaceOf({ a: ['opened'] }, [away]),
    'No gateway is online: no gate can be called. Calls have opened the gate.',
  ],
  [
    'no gateway',
    spaceOf({ a: [] }, []),
    'There is no gateway yet: no gate can be called. The gate has not been called yet.',
  ],
  [
    'gateways that could not be read',
    { ...spaceOf({ a: ['opened'] }), gateways: undefined },
    'Calls have opened the gate.',
  ],
  ['figures that could not be read', { ...spaceOf(demo), figures: [] }, ''],
])('says above the gates what is known: %s', (_, space, says) => {
  expect(sayGates(claimsOf(space), en).join(' ').trim()).toBe(says)
})

const silent = { figures: [{ gateId: 'g', misses: 2 }], gateways: [gatewayOf({ id: 'w' })] }
const offline = { ...silent, gateways: [gatewayOf({ id: 'w', now: { state: 'offline', modem: null } })] }
const cutOff = { ...silent, gateways: [gatewayOf({ id: 'w', now: { state: 'cut_off', modem: null } })] }
const alertOf = (kind: Incident['kind'], type: 'gate' | 'gateway', id: string) => ({
  kind,
  target: { type, id, name: null },
})

it.each([
  ['a gateway that is shown as offline', alertOf('gateway_offline', 'gateway', 'w'), offline, true],
  ['a gateway that is shown as cut off', alertOf('gateway_offline', 'gateway', 'w'), cutOff, true],
  ['a gateway that is online again', alertOf('gateway_offline', 'gateway', 'w'), silent, false],
  ['another gateway', alertOf('gateway_offline', 'gateway', 'v'), offline, false],
  [
    'gateways that could not be read',
    alertOf('gateway_offline', 'gateway', 'w'),
    { ...offline, gateways: undefined },
    false,
  ],
  ['a gate whose card says that it does not react', alertOf('gate_not_reacting', 'gate', 'g'), silent, true],
  [
    'a gate that reacts again',
    alertOf('gate_not_reacting', 'gate', 'g'),
    { ...silent, figures: [{ gateId: 'g', misses: 1 }] },
    false,
  ],
  ['another fact of the gateway', alertOf('supply_low', 'gateway', 'w'), offline, false],
])('shows above the gates no alert that a part of the page says: %s', (_, incident, read, isSaid) => {
  expect(isSaidOnGates(incident, read)).toBe(isSaid)
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
  ['all have opened', { a: ['opened'], b: ['probably_opened'] }, 'All six steps are done.'],
  [
    'three have not',
    demo,
    'All six steps are done. No call is known to have opened South gate, West gate and Main barrier.',
  ],
  [
    'many have not',
    { a: ['opened'], b: [], c: [], d: [], e: [], f: [] },
    'All six steps are done. No call is known to have opened b, c, d and 2 more.',
  ],
])('says after the first steps which gates have not opened: %s', (_, gates, says) => {
  expect(sayStepsDone(claimsOf(spaceOf(gates)), en)).toBe(says)
})

const attic = gatewayOf({ id: 'gw_1', name: 'Attic' })
const shed = gatewayOf({ id: 'gw_2', name: 'Shed', now: { state: 'offline', modem: null } })
const third = gatewayOf({ id: 'gw_3', name: 'Porch' })
const shutOut = gatewayOf({ id: 'gw_4', name: 'Cellar', now: { state: 'revoked' } })

/** A Space whose gates were all called last by the first gateway, with warnings about it or not. */
function gatewaysOf(gates: Gates, gateways: KnownOfGateways['gateways'], things = 0): KnownOfGateways {
  const space = spaceOf(gates)
  const figures = space.figures.map(of => ({ ...of, gatewayId: 'gw_1' }))
  return { gates: space.gates, figures, gateways, thingsOf: ({ id }) => (id === 'gw_1' ? things : 0) }
}

it.each<[string, KnownOfGateways, string]>([
  [
    'no gateway',
    gatewaysOf({ a: [] }, []),
    'None yet. A gateway is a small box with a SIM card, which calls the gates.',
  ],
  ['an online gateway beside gates that have not opened', gatewaysOf(demo, [attic]), 'Attic is online.'],
  [
    'warnings, and another gateway that is offline',
    gatewaysOf({ a: ['opened'] }, [attic, shed], 2),
    'Attic is online, with 2 things to see to. Shed is offline.',
  ],
  [
    'a modem that is not ready',
    gatewaysOf({ a: ['opened'] }, [{ ...attic, now: broken.now }]),
    'Attic is online. Its modem is not ready.',
  ],
  ['many gateways', gatewaysOf({ a: [], b: [] }, [attic, shed, third]), '2 of 3 are online.'],
  [
    'many gateways of which none is online',
    gatewaysOf({}, [shed, { ...third, now: shed.now }, { ...attic, now: shed.now }]),
    'None of 3 is online: no gate can be called.',
  ],
  [
    'gateways that are shut out',
    gatewaysOf(demo, [shutOut]),
    'All of them are shut out: no gate can be called.',
  ],
  ['figures that could not be read', { ...gatewaysOf(demo, [attic]), figures: [] }, 'Attic is online.'],
])('says above the gateways what is known: %s', (_, known, says) => {
  expect(sayGateways(known, en)).toBe(says)
})

it.each<[string, Gates, string]>([
  ['gates that opened or not', demo, 'Its last calls opened 2 of 5 gates.'],
  [
    'gates that all opened',
    { a: ['unknown', 'opened'], b: ['opened'] },
    'Its last calls opened all 2 gates.',
  ],
  [
    'openings that are assumed, and a gate that it did not call',
    { a: ['probably_opened'], b: ['opened'], c: [] },
    'Its last calls opened one of 2 gates. One has probably opened.',
  ],
  [
    'gates that opened before and not at the last call',
    { a: ['opened', 'unknown'], b: ['opened', 'did_not_open'] },
    'None of 2 gates is known to have opened at its last call.',
  ],
  ['one gate that opened', { a: ['opened'], b: 'off' }, 'Its last call opened a.'],
  ['one gate that probably opened', { a: ['probably_opened'] }, 'Its last call has probably opened a.'],
  ['one gate that did not open', { a: ['did_not_open'] }, 'Its last call did not open a.'],
  ['one gate of which nobody knows', { a: ['unknown'] }, 'Its last call is not known to have opened a.'],
  ['no call', { a: [] }, ''],
])('says above a gateway what its last calls have shown: %s', (_, gates, says) => {
  expect(sayGateway('gw_1', gatewaysOf(gates, [attic, shed]), en)).toBe(
    ['Attic is online.', says].join(' ').trim(),
  )
  // Another gateway has called none of them last.
  expect(sayGateway('gw_2', gatewaysOf(gates, [attic, shed]), en)).toBe('Shed is offline.')
})

it('says above a gateway that is too old, new, cut off or shut out what it is', () => {
  const tooOld = { ...shed.now, tooOld: { version: '0.9.0', since: null } }
  const say = (now: Partial<(typeof attic)['now']>) =>
    sayGateway('gw_1', gatewaysOf({}, [{ ...attic, now: { ...attic.now, ...now } }]), en)
  expect(say({ ...tooOld })).toBe('The program of Attic is too old: 0.9.0.')
  expect(say({ state: 'new' })).toBe('Attic has never been online.')
  expect(say({ state: 'cut_off' })).toBe('Attic is cut off for an hour.')
  expect(say({ state: 'revoked' })).toBe('Attic is shut out.')
})

it.each<[string, readonly OpeningClass[], string]>([
  ['no call', [], 'South gate has not been called yet.'],
  ['one call of which nobody knows', ['unknown'], 'South gate: one call, not known to have opened.'],
  [
    'calls that opened nothing',
    ['unknown', 'did_not_open'],
    'South gate: 2 calls, none known to have opened.',
  ],
  ['a call that opened it', ['unknown', 'opened'], 'South gate opened at its last call.'],
  [
    'a call that probably did',
    ['opened', 'probably_opened'],
    'South gate has probably opened at its last call.',
  ],
  ['a call that did not', ['probably_opened', 'did_not_open'], 'South gate did not open at its last call.'],
  [
    'a call of which nobody knows',
    ['opened', 'unknown'],
    'It is not known whether South gate opened at its last call.',
  ],
])('says above a calibration what the calls of its gate have shown: %s', (_, ends, says) => {
  const { figures, gates } = spaceOf({ 'South gate': ends })
  const [gate] = gates
  const [of] = figures
  if (!gate || !of) throw new Error('the Space has no gate')
  expect(sayCalled(gate, of, en)).toBe(says)
  // A gate that is switched off can be calibrated later: what it did stays true.
  expect(sayCalled({ ...gate, isActive: false }, of, en)).toBe(says)
})

it('says the same in Romanian', () => {
  const claims = claimsOf(spaceOf(demo))
  expect(sayGates(claims, ro)).toEqual([
    '3 porți au nevoie de atenție.',
    'Apelurile au deschis 2 din 5 porți.',
  ])
  expect(sayUnopened(claims, ro)).toBe('3 porți au fost apelate și nu se știe să se fi deschis.')
  const many = Object.fromEntries(Array.from({ length: 21 }, (_, place) => [`g${place}`, ['unknown']]))
  expect(sayUnopened(claimsOf(spaceOf(many as Gates)), ro)).toContain('21 de porți')
  const gateways = gatewaysOf(demo, [attic], 20)
  expect(sayGateways(gateways, ro)).toContain('Attic este online, cu 20 de lucruri de rezolvat.')
  expect(sayGateway('gw_1', gateways, ro)).toContain('Ultimele lui apeluri au deschis 2 din 5 porți.')
})
