// Openings at the gateway: carries out the effects of the opener, and passes events to it.

import type { Beat, DeclineReason, Report } from '@callgate/contract/wire/messages'
import type { CallFact, Modem } from '@callgate/modem/modem'
import { passed } from '@callgate/world/hops'
import { leastAgeMs, type Moment, moment, type Timer, type World } from '@callgate/world/world'
import { stepOpener } from './core/opener.ts'
import {
  type Claim,
  type Effect,
  mayDial,
  type OpenerEvent,
  type OpenerState,
  openerState,
  wakeInMs,
} from './core/openerState.ts'
import { masked } from './core/phoneNumber.ts'
import type { Journal } from './journal.ts'
import type { OpeningTrace } from './trace/openingTrace.ts'
import { wholeMs } from './wireMessages.ts'

export interface OpeningsParts {
  readonly world: World
  readonly bootId: string
  readonly modem: Pick<Modem, 'reserve' | 'release' | 'dial' | 'hangUp'>
  readonly journal: Pick<Journal, 'intend' | 'openings'>
  readonly sendClaim: (claim: Claim) => void
  readonly decline: (openingId: string, reason: DeclineReason) => void
  readonly report: (openingId: string, report: Report) => void
  readonly onSuperseded: () => void
  /** Called with whether tasks have to wait: an opening waits or runs, or the daemon pauses. */
  readonly onWork?: (keepsTasks: boolean) => void
  /** The trace for those who follow openings on this machine. */
  readonly trace?: OpeningTrace
}

type EffectOf<Type extends Effect['type']> = Extract<Effect, { readonly type: Type }>

type Carrier = {
  readonly [Type in Effect['type']]: (effect: EffectOf<Type>) => void
}

/** The opening of an event; undefined where the event has none, or none yet. */
function openingIdOf(event: OpenerEvent, { work }: OpenerState): string | undefined {
  if ('openingId' in event) return event.openingId
  return 'claim' in work ? work.claim.openingId : undefined
}

/**
 * A call with its preparation ends by itself within 80 s (`dial` of the modem), so the opener stays in no phase for longer than
 * this. Milliseconds.
 */
const hangsAfterMs = 150_000

export class Openings {
  readonly #parts: OpeningsParts
  readonly #events: OpenerEvent[] = []
  #state: OpenerState
  #timer: Timer | undefined
  #isStepping = false
  #phaseSince: Moment
  #onIdle: () => void = () => {}
  /** Ends the pause, until which hints are ignored. */
  #rests: Timer | undefined
  #lastGrant: Beat['lastGrant']

  constructor(parts: OpeningsParts) {
    this.#parts = parts
    this.#state = openerState(parts.bootId, parts.journal.openings())
    this.#phaseSince = moment(parts.world)
  }

  /** How many hints wait. */
  queueLength(): number {
    return this.#state.hints.length
  }

  /** The last granted call, for beats; undefined where there was none since the start. */
  lastGrant(): Beat['lastGrant'] {
    return this.#lastGrant
  }

  /** Whether an opening stays in one phase for longer than is possible, so that only a restart helps. */
  isStuck(): boolean {
    const { phase } = this.#state.work
    const waitsForModem = phase === 'reserving' || phase === 'calling'
    return waitsForModem && leastAgeMs(this.#parts.world, this.#phaseSince) > hangsAfterMs
  }

  /** Whether an opening is being served. */
  isBusy(): boolean {
    return this.#state.work.phase !== 'idle'
  }

  /**
   * Ignores hints for `forMs`, and makes tasks wait as an opening does. Where an opening waits or runs, it does nothing and
   * returns false. The cloud repeats a hint, or asks another gateway.
   */
  pause(forMs: number): boolean {
    if (this.isBusy() || this.queueLength() > 0) return false
    this.#rests?.cancel()
    this.#rests = this.#parts.world.after(forMs, () => {
      this.#rests = undefined
      this.#tellWork()
    })
    this.#tellWork()
    return true
  }

  hint(openingId: string): void {
    if (!this.#rests) this.tell({ type: 'hint', openingId })
  }

  /** Handles an event. An event that arises during this waits until it is done. */
  tell(event: OpenerEvent): void {
    this.#events.push(event)
    if (this.#isStepping) return
    this.#isStepping = true
    for (let next = this.#events.shift(); next; next = this.#events.shift()) this.#step(next)
    this.#isStepping = false
    this.#timer?.cancel()
    const { world } = this.#parts
    const wakeMs = wakeInMs(this.#state, moment(world))
    this.#timer =
      wakeMs === undefined ? undefined : world.after(wakeMs, () => this.tell({ type: 'timePassed' }))
    this.#tellWork()
    if (this.#state.work.phase === 'idle') this.#onIdle()
  }

  /** Reports whether tasks have to wait. */
  #tellWork(): void {
    this.#parts.onWork?.(this.isBusy() || this.queueLength() > 0 || this.#rests !== undefined)
  }

  /** Begins nothing new and ends the running work; resolves when the modem is free, after `withinMs` at most. */
  async stop(withinMs: number): Promise<void> {
    this.tell({ type: 'stop' })
    if (this.#state.work.phase === 'idle') return
    await new Promise<void>(resolve => {
      const limit = this.#parts.world.after(withinMs, () => resolve())
      this.#onIdle = () => {
        limit.cancel()
        resolve()
      }
    })
  }

  readonly #carrier: Carrier = {
    reserve: () => this.#reserve(),
    release: () => this.#parts.modem.release(),
    claim: ({ claim }) => this.#claim(claim),
    decline: effect => this.#decline(effect),
    intend: ({ openingId }) => this.#intend(openingId),
    dial: effect => this.#dial(effect),
    hangUp: () => void this.#parts.modem.hangUp(),
    report: effect => this.#report(effect),
    superseded: () => this.#parts.onSuperseded(),
    ignored: ({ openingId, why }) => this.#parts.world.log.warn(`ignored: ${why}`, { openingId }),
  }

  #step(event: OpenerEvent): void {
    const { world } = this.#parts
    const was = this.#state.work.phase
    const openingId = openingIdOf(event, this.#state)
    passed(event.type, { openingId })
    const taken = stepOpener(this.#state, event, moment(world))
    this.#state = taken.state
    const is = taken.state.work.phase
    if (is !== was) {
      this.#phaseSince = moment(world)
      world.log.debug('the opener', { after: event.type, was, is })
    }
    for (const effect of taken.effects) this.#carryOut(effect)
    // Everything that had to be written is written by now, so the trace delays nothing.
    this.#parts.trace?.stepped(event, openingId, taken.effects)
  }

  #carryOut<Type extends Effect['type']>(effect: EffectOf<Type>): void {
    const carry: (effect: EffectOf<Type>) => void = this.#carrier[effect.type]
    carry(effect)
  }

  #reserve(): void {
    const { modem, world } = this.#parts
    void modem
      .reserve()
      .then(answer =>
        this.tell(
          answer.ok
            ? { type: 'reserved', nonce: Buffer.from(world.randomBytes(16)).toString('base64url') }
            : { type: 'notReserved', reason: answer.reason },
        ),
      )
  }

  #claim(claim: Claim): void {
    passed('claimed', { openingId: claim.openingId })
    this.#parts.sendClaim(claim)
  }

  #decline({ openingId, reason }: EffectOf<'decline'>): void {
    this.#parts.world.log.info('an opening is declined', { openingId, reason })
    this.#parts.decline(openingId, reason)
  }

  #intend(openingId: string): void {
    const { journal, world } = this.#parts
    void journal.intend(openingId).then(kept => {
      if (!kept.ok)
        world.log.error('nothing is dialled without the journal', { openingId, problem: kept.message })
      this.tell({ type: kept.ok ? 'intentKept' : 'intentRefused', openingId })
    })
  }

  #dial({ callProfile, openingId, phoneNumber }: EffectOf<'dial'>): void {
    const { modem, trace, world } = this.#parts
    const { log } = world
    this.#lastGrant = { openingId, sinceBootMs: wholeMs(world.sinceBootMs()) }
    const request = {
      phoneNumber,
      profile: callProfile,
      mayDial: () => mayDial(this.#state, openingId, moment(world)),
      onProgress: (phase: 'ringing' | 'answered') => this.tell({ type: 'progress', phase }),
      ...(trace && { onFact: (fact: CallFact) => trace.observed(openingId, fact) }),
    }
    void modem.dial(request).then(result => {
      if (!result.dialled) log.warn('not dialled', { openingId, why: result.why })
      this.tell({ type: 'callEnded', result })
    })
    passed('dialling', { openingId })
    // ATD is written or refused by now, or the modem is asked whether it still listens, so the log line delays nothing.
    log.info('dialling', { openingId, phoneNumber: masked(phoneNumber), mode: callProfile.mode })
  }

  #report({ openingId, report }: EffectOf<'report'>): void {
    this.#parts.report(openingId, report)
    const { log } = this.#parts.world
    const { phase } = report
    if (phase === 'ended') {
      const { opened, reason, status } = report.verdict
      log.info('the call has ended', { openingId, status, reason, opened })
    } else log.info('report', { openingId, phase })
  }
}
