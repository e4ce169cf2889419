// The modem's transitions: (state, event, time) → (state, effects), pure.

import { changed, preceded, same, starting, unsettled, warn, whereSetUp, withModem } from './modemChange.ts'
import type { ModemEvent, ModemEventType, ModemStep } from './modemEvents.ts'
import {
  hasCall,
  isRegistered,
  type ModemState,
  type NotSetUp,
  notSetUpOf,
  type Phase,
  reservationRefusal,
  type SetUpPhase,
} from './modemState.ts'
import { onUrc } from './modemUrc.ts'
import { watchNetwork } from './networkWatch.ts'

/** The phase with the modem set up; a call keeps waiting for its verdict. */
function setUpPhase(state: ModemState): Phase {
  return hasCall(state)
    ? { phase: 'calling', showsSettings: null, isSimGone: false }
    : { phase: 'free', showsSettings: null }
}

/** A module that lost its supply for a moment comes back without a report where its baud rate is not fixed. */
function onSettings(state: ModemState, phase: SetUpPhase, hasSettings: boolean): ModemStep {
  const showsSettings = phase.showsSettings ?? hasSettings
  if (!hasSettings && showsSettings && phase.phase !== 'calling')
    return preceded(
      [warn('The modem has lost its settings: it restarted unseen')],
      unsettled(state, 'settingsGone', starting),
    )
  return same({ ...state, phase: { ...phase, showsSettings } })
}

/** The phase after a failed start-up. A port that disappeared during the start-up stays lost. */
function afterFailure(modem: NotSetUp, { failure, isRestartDue }: ModemEvent<'startUpFailed'>): NotSetUp {
  const restart = isRestartDue ? 'owed' : modem.restart
  const simTrouble = failure.why === 'sim' ? failure.trouble : null
  const isSilent = failure.why === 'silent'
  if (failure.why === 'unfit') return { phase: 'starting', trouble: failure.trouble, restart }
  if (modem.phase === 'lost')
    return { ...modem, simTrouble, restart, trouble: modem.trouble ?? (isSilent ? 'silent' : null) }
  if (simTrouble) return { phase: 'simError', simTrouble, restart }
  return { phase: 'starting', trouble: isSilent ? 'silent' : null, restart }
}

type Handlers = {
  readonly [Type in ModemEventType]: (state: ModemState, event: ModemEvent<Type>, nowMs: number) => ModemStep
}

const simTroubleOf = (modem: NotSetUp | undefined) =>
  modem === undefined || modem.phase === 'starting' ? null : modem.simTrouble

const handlers: Handlers = {
  portFailed: (state, { code }) =>
    changed(state, modem => ({
      phase: 'lost',
      trouble: code,
      simTrouble: simTroubleOf(modem),
      restart: modem.restart,
    })),

  portClosed(state, { isLineBreak }) {
    const modem = notSetUpOf(state)
    const silence = modem?.phase === 'starting' && modem.trouble === 'silent' ? modem.trouble : null
    return unsettled(state, isLineBreak ? 'lineBreak' : 'port', {
      phase: 'lost',
      trouble: isLineBreak ? 'modem_off' : silence,
      simTrouble: simTroubleOf(modem),
      restart: modem?.restart ?? 'none',
    })
  },

  restartChosen: state =>
    changed(state, modem =>
      modem.phase === 'lost' && modem.trouble === 'silent' ? { ...modem, restart: 'owed' } : modem,
    ),

  hookRan: (state, { hasWorked }) =>
    changed(state, modem =>
      modem.restart === 'owed' ? modem : { ...modem, restart: hasWorked ? 'underWay' : 'none' },
    ),

  restartSent: state => changed(state, modem => ({ ...modem, restart: 'underWay' })),

  bootAwaited: state =>
    changed(state, modem => (modem.restart === 'underWay' ? { ...modem, restart: 'none' } : modem)),

  startUpBegan: state =>
    changed(state, modem => {
      if (modem.phase !== 'lost') return modem
      const { restart, simTrouble } = modem
      return simTrouble ? { phase: 'simError', simTrouble, restart } : { ...starting, restart }
    }),

  startUpFailed(state, event) {
    const { failure } = event
    const named = failure.why === 'unfit' ? { ...state, identity: failure.identity } : state
    return changed(named, modem => afterFailure(modem, event))
  },

  startedUp(state, { identity }) {
    const modem = notSetUpOf(state)
    // The port may have gone, or a call may have asked for a restart, just before the last answer came.
    if (!modem || modem.phase === 'lost' || modem.restart === 'owed') return same(state)
    return same({ ...state, identity, phase: setUpPhase(state) })
  },

  healthRead: (state, { reading, hasSettings, ...said }) =>
    whereSetUp(state, phase => {
      const { isDataOnly = state.isDataOnly, isStorageFull = state.isStorageFull } = said
      const read = { ...state, isDataOnly, isStorageFull, health: { ...state.health, ...reading } }
      return hasSettings === undefined ? same(read) : onSettings(read, phase, hasSettings)
    }),

  probed(state, _event, nowMs) {
    if (state.phase.phase !== 'free') return same(state)
    const { watch, isRestartDue } = watchNetwork(state.network, isRegistered(state), nowMs)
    const watched = { ...state, network: watch }
    if (!isRestartDue) return same(watched)
    return preceded(
      [warn('No network for long: the modem is restarted')],
      unsettled(watched, 'silent', { ...starting, restart: 'owed' }),
    )
  },

  fellSilent(state) {
    const modem = notSetUpOf(state)
    if (modem?.phase === 'lost') return same(state)
    const restart = modem?.restart ?? 'none'
    return preceded(
      [warn('The modem has stopped answering')],
      unsettled(state, 'silent', { phase: 'starting', trouble: 'silent', restart }),
    )
  },

  urc: (state, { urc }, nowMs) => onUrc(state, urc, nowMs),

  reserved(state, { reservation }) {
    const { phase } = state
    if (phase.phase !== 'free' || reservationRefusal(state)) return same(state)
    return same({ ...state, phase: { phase: 'reserved', reservation, showsSettings: phase.showsSettings } })
  },

  released(state, { reservation }) {
    const { phase } = state
    if (phase.phase !== 'reserved' || phase.reservation !== reservation) return same(state)
    return same({ ...state, phase: { phase: 'free', showsSettings: phase.showsSettings } })
  },

  callBegan(state) {
    const { phase } = state
    if (phase.phase === 'reserved')
      return same({
        ...state,
        phase: { phase: 'calling', isSimGone: false, showsSettings: phase.showsSettings },
      })
    // The port may go, or the module restart, while ATD is being written.
    const modem = hasCall(state) ? undefined : notSetUpOf(state)
    return same(modem ? { ...state, phase: { phase: 'recovering', modem } } : state)
  },

  settingsLost: state => whereSetUp(state, () => unsettled(state, 'settingsGone', starting)),

  restartNeeded(state) {
    const modem = notSetUpOf(state) ?? starting
    const restart = modem.restart === 'underWay' ? 'underWay' : 'owed'
    return same(withModem(state, { ...modem, restart }))
  },

  callEnded(state, { isWhole, hasSupplyHeld, lowestMv }, nowMs) {
    const { phase } = state
    const ended = {
      ...state,
      isBrownedOut: state.isBrownedOut && !hasSupplyHeld,
      lowestInCallMv: lowestMv ?? state.lowestInCallMv,
      otherSignMs: isWhole ? state.otherSignMs : nowMs,
    }
    if (phase.phase === 'recovering') return same({ ...ended, phase: phase.modem })
    if (phase.phase !== 'calling') return same(state)
    const free: ModemState = { ...ended, phase: { phase: 'free', showsSettings: phase.showsSettings } }
    return phase.isSimGone ? unsettled(free, 'sim', starting) : same(free)
  },

  incomingRefused: (state, _event, nowMs) => same({ ...state, otherSignMs: nowMs }),

  close(state) {
    const { phase } = state
    const closing = { ...state, isClosing: true }
    if (phase.phase !== 'reserved') return same(closing)
    return same({ ...closing, phase: { phase: 'free', showsSettings: phase.showsSettings } })
  },
}

/**
 * One step. A call begins only on a reserved line. A line is reserved only while it is free and the network is there. No modem
 * that is due for a restart is ever free.
 */
export function stepModem<Type extends ModemEventType>(
  state: ModemState,
  event: ModemEvent<Type>,
  nowMs: number,
): ModemStep {
  const handle: (state: ModemState, event: ModemEvent<Type>, nowMs: number) => ModemStep =
    handlers[event.type]
  return handle(state, event, nowMs)
}
