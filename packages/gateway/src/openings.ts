// Openings at the gateway: carries out what the opener wants done, and tells it what became of that.

import type { DeclineReason, Report } from '@callgate/contract/wire/messages'
import type { Modem } from '@callgate/modem/modem'
import { moment, type Timer, type World } from '@callgate/world/world'
import { step } from './core/opener.ts'
import {
  type Claim,
  type Effect,
  mayDial,
  type OpenerEvent,
  openerState,
  wakeInMs,
} from './core/openerState.ts'
import { masked } from './core/phoneNumber.ts'
import type { Journal } from './journal.ts'

export interface Openings {
  tell(event: OpenerEvent): void
  /** Hints that wait. */
  queueLength(): number
  /** Begins nothing new and ends what runs; resolves when the modem is free, after `withinMs` at most. */
  stop(withinMs: number): Promise<void>
}

export interface OpeningsParts {
  readonly world: World
  readonly bootId: string
  readonly modem: Pick<Modem, 'reserve' | 'release' | 'dial' | 'hangUp'>
  readonly journal: Pick<Journal, 'intend' | 'openings'>
  readonly sendClaim: (claim: Claim) => void
  readonly decline: (openingId: string, reason: DeclineReason) => void
  readonly report: (openingId: string, report: Report) => void
  readonly onSuperseded: () => void
}

type Carrier = {
  readonly [Type in Effect['type']]: (effect: Extract<Effect, { readonly type: Type }>) => void
}

export function createOpenings(parts: OpeningsParts): Openings {
  const { journal, modem, world } = parts
  const log = world.log
  let state = openerState(parts.bootId, journal.openings())
  let timer: Timer | undefined
  let onIdle: () => void = () => {}
  const events: OpenerEvent[] = []
  let isStepping = false

  const carrier: Carrier = {
    reserve() {
      void modem
        .reserve()
        .then(answer =>
          tell(
            answer.ok
              ? { type: 'reserved', nonce: Buffer.from(world.randomBytes(16)).toString('base64url') }
              : { type: 'notReserved', reason: answer.reason },
          ),
        )
    },
    release: () => modem.release(),
    claim: ({ claim }) => parts.sendClaim(claim),
    decline({ openingId, reason }) {
      log.info('an opening is declined', { openingId, reason })
      parts.decline(openingId, reason)
    },
    intend({ openingId }) {
      void journal.intend(openingId).then(kept => {
        if (!kept.ok)
          log.error('nothing is dialled without the journal', { openingId, problem: kept.message })
        tell({ type: kept.ok ? 'intentKept' : 'intentRefused', openingId })
      })
    },
    dial({ callProfile, openingId, phoneNumber }) {
      log.info('dialling', { openingId, phoneNumber: masked(phoneNumber), mode: callProfile.mode })
      const request = {
        phoneNumber,
        profile: callProfile,
        mayDial: () => mayDial(state, openingId, moment(world)),
        onProgress: (phase: 'ringing' | 'answered') => tell({ type: 'progress', phase }),
      }
      void modem.dial(request).then(result => {
        if (!result.dialled) log.warn('not dialled', { openingId, why: result.why })
        tell({ type: 'callEnded', result })
      })
    },
    hangUp: () => void modem.hangUp(),
    report({ openingId, report }) {
      const { phase } = report
      if (phase === 'ended') {
        const { opened, reason, status } = report.verdict
        log.info('the call has ended', { openingId, status, reason, opened })
      } else log.info('report', { openingId, phase })
      parts.report(openingId, report)
    },
    superseded: () => parts.onSuperseded(),
    ignored: ({ openingId, why }) => log.warn(`ignored: ${why}`, { openingId }),
  }

  function carryOut<Type extends Effect['type']>(effect: Extract<Effect, { readonly type: Type }>) {
    const carry: (effect: Extract<Effect, { readonly type: Type }>) => void = carrier[effect.type]
    carry(effect)
  }

  /** An event that arises while another is worked on waits for its turn. */
  function tell(event: OpenerEvent) {
    events.push(event)
    if (isStepping) return
    isStepping = true
    for (let next = events.shift(); next; next = events.shift()) {
      const was = state.work.phase
      const taken = step(state, next, moment(world))
      state = taken.state
      if (state.work.phase !== was) log.debug('the opener', { after: next.type, was, is: state.work.phase })
      for (const effect of taken.effects) carryOut(effect)
    }
    isStepping = false
    timer?.cancel()
    const wakeMs = wakeInMs(state, moment(world))
    timer = wakeMs === undefined ? undefined : world.after(wakeMs, () => tell({ type: 'timePassed' }))
    if (state.work.phase === 'idle') onIdle()
  }

  return {
    tell,
    queueLength: () => state.hints.length,
    async stop(withinMs) {
      tell({ type: 'stop' })
      if (state.work.phase === 'idle') return
      await new Promise<void>(resolve => {
        const limit = world.after(withinMs, () => resolve())
        onIdle = () => {
          limit.cancel()
          resolve()
        }
      })
    },
  }
}
