// The modem's transitions: properties of any order of events, and examples of the few that need one.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ModemEffect, ModemEvent, ModemEventType } from './modemEvents.ts'
import {
  hasCall,
  isBusy,
  isFree,
  isSetUp,
  type ModemState,
  newModemState,
  notSetUpOf,
  quietWaitMs,
  reservationRefusal,
  restartOf,
  statusOf,
} from './modemState.ts'
import { stepModem } from './modemStep.ts'

const identity = {
  modemId: '867200030000001',
  model: 'SIM800L',
  firmware: null,
  callerId: 'shown',
  leftovers: [],
  lacks: [],
} as const
const home = { type: 'urc', urc: { urc: 'registration', stat: 1 } } as const
const noSim = { ok: false, why: 'sim', trouble: 'sim_missing', detail: '' } as const
const failure = (why: 'silent' | 'stuck') => ({ ok: false, why, detail: '' }) as const
const call = (outgoing: boolean, state: number) =>
  ({ type: 'urc', urc: { urc: 'call', call: { id: 1, outgoing, state, voice: true }, cause: null } }) as const

const started: ModemEvent = { type: 'startedUp', identity }
const missing: ModemEvent = { type: 'startUpFailed', failure: noSim, isRestartDue: false }
const gone: ModemEvent = { type: 'urc', urc: { urc: 'sim', state: 'NOT READY' } }

/** One event of each kind, and of each variant that the transitions tell apart. */
const events: readonly ModemEvent[] = [
  { type: 'portFailed', code: 'port_missing' },
  { type: 'portClosed', isLineBreak: false },
  { type: 'portClosed', isLineBreak: true },
  { type: 'restartChosen' },
  { type: 'hookRan', hasWorked: true },
  { type: 'hookRan', hasWorked: false },
  { type: 'restartSent' },
  { type: 'bootAwaited' },
  { type: 'startUpBegan' },
  { type: 'startUpFailed', failure: failure('silent'), isRestartDue: false },
  { type: 'startUpFailed', failure: failure('stuck'), isRestartDue: true },
  { type: 'startUpFailed', failure: noSim, isRestartDue: false },
  { type: 'startedUp', identity },
  { type: 'startedUp', identity: { ...identity, callerId: 'never' } },
  { type: 'healthRead', reading: { registration: 'roaming' }, hasSettings: true },
  { type: 'healthRead', reading: { registration: 'searching' }, hasSettings: false },
  { type: 'healthRead', reading: {}, isStorageFull: true },
  { type: 'probed' },
  { type: 'fellSilent' },
  home,
  { type: 'urc', urc: { urc: 'restarted' } },
  { type: 'urc', urc: { urc: 'radioOn' } },
  { type: 'urc', urc: { urc: 'poweredDown', text: 'UNDER-VOLTAGE POWER DOWN' } },
  { type: 'urc', urc: { urc: 'voltage', text: 'OVER-VOLTAGE WARNNING' } },
  { type: 'urc', urc: { urc: 'sim', state: 'NOT READY' } },
  { type: 'urc', urc: { urc: 'sim', state: 'READY' } },
  { type: 'urc', urc: { urc: 'ring' } },
  { type: 'urc', urc: { urc: 'caller', phoneNumber: '+40721000999' } },
  { type: 'urc', urc: { urc: 'moRing' } },
  call(true, 3),
  call(false, 4),
  call(false, 6),
  { type: 'reserved', reservation: 1 },
  { type: 'released', reservation: 1 },
  { type: 'released', reservation: 2 },
  { type: 'callBegan' },
  { type: 'settingsLost' },
  { type: 'restartNeeded' },
  { type: 'callEnded', isWhole: true, hasSupplyHeld: true, lowestMv: 3_710 },
  { type: 'callEnded', isWhole: false, hasSupplyHeld: false, lowestMv: null },
  { type: 'incomingRefused' },
  { type: 'close' },
]
/** The events that lead to a call; they are mixed in more often than at random. */
const usual: readonly ModemEvent[] = [
  { type: 'startUpBegan' },
  { type: 'startedUp', identity },
  home,
  { type: 'reserved', reservation: 1 },
  { type: 'callBegan' },
]

interface Taken {
  readonly before: ModemState
  readonly event: ModemEvent
  readonly nowMs: number
  readonly after: ModemState
  readonly effects: readonly ModemEffect[]
}

const eventOf = fc.oneof(
  { arbitrary: fc.constantFrom(...events), weight: 1 },
  { arbitrary: fc.constantFrom(...usual), weight: 2 },
)
const step = fc.tuple(eventOf, fc.constantFrom(0, 10, 1_000, 400_000))
const history = fc.array(step, { minLength: 20, maxLength: 60 })

const calling = [started, home, 'reserved', 'callBegan'] as const
/** One state for each phase, and for each difference that an event can meet in it. */
const examples = (): readonly ModemState[] => [
  newModemState,
  after('portFailed'),
  after('startUpFailed', 'portClosed'),
  after('restartSent', 'portClosed'),
  after('restartNeeded', 'portClosed'),
  after(missing),
  after(missing, 'portClosed'),
  after(started),
  after(started, home),
  after(started, home, 'healthRead'),
  after(started, home, 'close'),
  after(started, home, 'reserved'),
  after(...calling),
  after(...calling, gone),
  after(...calling, 'portClosed'),
  after(...calling, 'restartNeeded'),
]

/** Calls `check` for each event in each example, and for every step of random histories. */
function inAnyHistory(check: (taken: Taken) => void): void {
  for (const before of examples())
    for (const event of events) {
      const { state, effects } = stepModem(before, event, 0)
      check({ before, event, nowMs: 0, after: state, effects })
    }
  fc.assert(
    fc.property(history, steps => {
      let before = newModemState
      let nowMs = 0
      for (const [event, laterMs] of steps) {
        nowMs += laterMs
        const { state: after, effects } = stepModem(before, event, nowMs)
        check({ before, event, nowMs, after, effects })
        before = after
      }
    }),
    { numRuns: 500 },
  )
}

function after(...types: readonly (ModemEvent | Exclude<ModemEventType, 'startedUp'>)[]): ModemState {
  const all = types.map(one => (typeof one === 'string' ? events.find(({ type }) => type === one) : one))
  return all.reduce(
    (state: ModemState, event) => (event ? stepModem(state, event, 0).state : state),
    newModemState,
  )
}

const ready = [started, home] as const
const warnings = (effects: readonly ModemEffect[]) =>
  effects.flatMap(effect => (effect.type === 'warn' ? [effect.message] : []))

describe('in any history of the modem', () => {
  it('a call begins only on a reserved line, or on one that went in the write of ATD', () => {
    const seen = new Set<string>()
    inAnyHistory(({ before, event, after: next }) => {
      if (hasCall(before) || !hasCall(next)) return
      seen.add(`${event.type} ${before.phase.phase}`)
      expect(event.type).toBe('callBegan')
      expect(isFree(before)).toBe(false)
      if (isSetUp(before)) expect([before.phase.phase, next.phase.phase]).toEqual(['reserved', 'calling'])
    })
    expect(seen).toContain('callBegan reserved')
  })

  it('a reservation is made only on a free line with a network, and only its own release ends it', () => {
    let count = 0
    inAnyHistory(({ before, event, after: next }) => {
      if (before.phase.phase === 'reserved' && event.type === 'released')
        expect(isFree(next)).toBe(event.reservation === before.phase.reservation)
      if (next.phase.phase !== 'reserved' || before.phase.phase === 'reserved') return
      count += 1
      expect([event.type, statusOf(before).state, before.isClosing]).toEqual(['reserved', 'ready', false])
      expect(reservationRefusal(before)).toBeNull()
    })
    expect(count).toBeGreaterThan(100)
  })

  it('a restart that is due ends only with the restart command', () => {
    inAnyHistory(({ before, event, after: next }) => {
      if (event.type === 'restartNeeded') expect(restartOf(next)).not.toBe('none')
      if (restartOf(before) !== 'owed' || restartOf(next) === 'owed') return
      expect(event.type).toBe('restartSent')
      expect(isSetUp(next)).toBe(false)
    })
  })

  it('only a start-up sets the modem up, and a modem that is not set up holds no reservation', () => {
    inAnyHistory(({ before, event, after: next }) => {
      if (!isSetUp(before) && isSetUp(next)) expect(event.type).toBe('startedUp')
      if (!isSetUp(next)) expect(isBusy(next)).toBe(hasCall(next))
    })
  })

  it('a call is told exactly once that the modem went away from it', () => {
    inAnyHistory(({ before, event, after: next, effects }) => {
      const lost = effects.filter(({ type }) => type === 'loseCall').length
      expect(lost).toBeLessThanOrEqual(hasCall(before) ? 1 : 0)
      // A restart that the call itself asks for is not reported to it.
      if (before.phase.phase === 'calling' && next.phase.phase === 'recovering')
        expect(lost).toBe(event.type === 'restartNeeded' ? 0 : 1)
    })
  })

  it('the status is ready only where a call can be placed on the line', () => {
    inAnyHistory(({ after: next }) => {
      const { state, trouble } = statusOf(next)
      expect(state === 'calling').toBe(hasCall(next))
      if (state === 'ready') expect(isSetUp(next)).toBe(true)
      if (state === 'lost') expect(notSetUpOf(next)?.phase).toBe('lost')
      if (state === 'sim_error') expect(trouble).toBe('sim_missing')
    })
  })

  it('the next dial waits at most a second, and a modem that is being closed is not reserved', () => {
    inAnyHistory(({ before, nowMs, after: next }) => {
      expect(quietWaitMs(next, nowMs)).toBeGreaterThanOrEqual(0)
      expect(quietWaitMs(next, nowMs)).toBeLessThanOrEqual(1_000)
      if (before.isClosing) expect([next.isClosing, next.phase.phase === 'reserved']).toEqual([true, false])
    })
  })
})

describe('the modem', () => {
  it('is ready when it is set up and the network is there', () => {
    expect(statusOf(newModemState)).toMatchObject({ state: 'starting', trouble: null, modemId: null })
    expect(statusOf(after(started)).state).toBe('no_network')
    expect(statusOf(after(...ready))).toMatchObject({ state: 'ready', model: 'SIM800L' })
  })

  it('that restarts during a call has a weak supply, unless the restart was ours', () => {
    const restarted: ModemEvent = { type: 'urc', urc: { urc: 'restarted' } }
    expect(after(...calling, restarted).isBrownedOut).toBe(true)
    expect(after(...calling, 'restartNeeded', 'restartSent', restarted).isBrownedOut).toBe(false)
    expect(after(...ready, restarted).isBrownedOut).toBe(false)
  })

  it('whose SIM card goes during a call is set up again after it', () => {
    const without = after(...calling, gone)
    expect(without.phase).toMatchObject({ phase: 'calling', isSimGone: true })
    const ended = stepModem(
      without,
      { type: 'callEnded', isWhole: true, hasSupplyHeld: true, lowestMv: null },
      0,
    )
    expect([ended.state.phase.phase, ended.effects]).toEqual(['starting', []])
  })

  it('is restarted after 5 minutes without a network', () => {
    const away = stepModem(after(started), { type: 'probed' }, 1_000).state
    expect(restartOf(stepModem(away, { type: 'probed' }, 300_999).state)).toBe('none')
    const { state, effects } = stepModem(away, { type: 'probed' }, 301_000)
    expect(restartOf(state)).toBe('owed')
    expect(warnings(effects)).toEqual(['No network for long: the modem is restarted'])
  })

  it('reports a missing SIM card until the next start-up has asked for it', () => {
    const reopened = after(missing, 'portClosed', 'startUpBegan')
    expect(statusOf(reopened)).toMatchObject({ state: 'sim_error', trouble: 'sim_missing' })
    expect(statusOf(stepModem(reopened, started, 0).state).state).toBe('no_network')
  })

  it('that was silent gets a restart, one that was unplugged does not', () => {
    const silent = after(...ready, 'fellSilent', 'portClosed')
    expect(statusOf(silent)).toMatchObject({ state: 'lost', trouble: 'silent' })
    expect(restartOf(stepModem(silent, { type: 'restartChosen' }, 0).state)).toBe('owed')
    expect(restartOf(after(...ready, 'portClosed', 'restartChosen'))).toBe('none')
  })

  it('is reserved only while it is free and the network is there', () => {
    expect(examples().map(reservationRefusal)).toEqual([
      ...Array.from({ length: 7 }, () => 'modem_not_ready'),
      'no_network',
      ...[null, null],
      'modem_not_ready',
      ...Array.from({ length: 5 }, () => 'modem_busy'),
    ])
  })

  it('says what a person has to repair', () => {
    const hidden: ModemEvent = { type: 'startedUp', identity: { ...identity, callerId: 'never' } }
    const full: ModemEvent = { type: 'healthRead', reading: {}, isStorageFull: true }
    const broken: ModemEvent = { type: 'portClosed', isLineBreak: true }
    expect(statusOf(after(hidden)).trouble).toBe('caller_id_hidden')
    expect(statusOf(after(started, full)).trouble).toBe('messages_full')
    expect(statusOf(after(started, broken)).trouble).toBe('modem_off')
    expect(statusOf(after('portFailed')).trouble).toBe('port_missing')
  })
})
