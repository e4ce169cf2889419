// The modem: the driver's parts put together, and the one call at a time that it can place.

import type { CallProfile } from '@callgate/contract/call/callProfile'
import type { CallVerdict, Evidence } from '@callgate/contract/call/verdict'
import { prepareDial } from './atLine.ts'
import { type RunningCall, runCall } from './callRun.ts'
import { commands, dialVoice } from './commands.ts'
import { factText } from './core/callFacts.ts'
import { type CallRecord, recordFact } from './core/callTracker.ts'
import { callVerdict } from './core/callVerdict.ts'
import { isSameNumber } from './core/message.ts'
import { maskNumbers } from './core/phoneNumber.ts'
import { createInbox } from './inbox.ts'
import { keepAlive } from './keepAlive.ts'
import {
  createRig,
  type ModemOptions,
  type ModemStatus,
  pauseWhile,
  publish,
  type Rig,
  straysForMs,
  unsettle,
} from './rig.ts'

export type { HookName } from './core/ladder.ts'
export type { ModemOptions, ModemStatus } from './rig.ts'

export type Reservation =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: 'no_network' | 'modem_not_ready' | 'modem_busy' }

export interface DialRequest {
  /** E.164. */
  readonly phoneNumber: string
  readonly profile: CallProfile
  /** Asked as the statement just before the one write of ATD; it must not throw. */
  readonly mayDial: () => boolean
  readonly onProgress: (phase: 'ringing' | 'answered') => void
}

export type DialResult =
  /** Not one byte was written. */
  | { readonly dialled: false; readonly why: 'stale' | 'not_ready' | 'bad_number' }
  | { readonly dialled: true; readonly verdict: CallVerdict; readonly evidence: Evidence }

export interface Modem {
  /** Opens the line, sets the modem up and keeps it alive; reopens with a growing pause when it is lost. */
  start(): void
  status(): ModemStatus
  onStatus(listener: (status: ModemStatus) => void): void
  /**
   * Makes the line quiet for a dial: no command is in flight and none begins until `dial` or `release`, and the modem
   * has answered within the last 2 s (it is asked if not). Less than 1 s after a call to this modem, or one whose end
   * was not heard whole, it waits for what may still come of that.
   */
  reserve(): Promise<Reservation>
  release(): void
  /**
   * Places one call; needs a reservation, and ends it. Resolves when the call is over and nothing of it is left in
   * the modem, at the latest 80 s after the write. Never rejects.
   */
  dial(request: DialRequest): Promise<DialResult>
  /** For a clean stop: ends a call that runs. */
  hangUp(): Promise<void>
  /** Hangs up, then closes the port for good. */
  close(): Promise<void>
}

const answerFreshMs = 2_000
/** From the writing of ATD to the verdict: the longest call, 60 s, and 20 s to hang up. */
const verdictWithinMs = 80_000

function reasonAgainst(rig: Rig): 'no_network' | 'modem_not_ready' | 'modem_busy' | null {
  if (rig.call || rig.isReserved) return 'modem_busy'
  if (rig.status.state === 'ready') return null
  return rig.status.state === 'no_network' ? 'no_network' : 'modem_not_ready'
}

async function reserve(rig: Rig): Promise<Reservation> {
  const { at } = rig
  const reason = reasonAgainst(rig)
  if (reason || !at) return { ok: false, reason: reason ?? 'modem_not_ready' }
  rig.isReserved = true
  const isHeld = () => rig.isReserved && rig.at === at
  do {
    await pauseWhile(rig, straysForMs(rig), isHeld)
    await at.whenQuiet()
  } while (isHeld() && straysForMs(rig) > 0)
  if (isHeld() && at.sinceAnswerMs() > answerFreshMs) await at.ask(commands.attention)
  if (isHeld() && rig.status.state === 'ready' && at.isQuiet() && at.sinceAnswerMs() <= answerFreshMs)
    return { ok: true }
  if (isHeld()) rig.isReserved = false
  return { ok: false, reason: rig.status.state === 'no_network' ? 'no_network' : 'modem_not_ready' }
}

/** Nothing of the call is to come any more: both signs that every end has were heard, or it was never placed. */
function isWhole({ trace: { dial, endToken, isDisconnected } }: CallRecord): boolean {
  return dial === 'refused' || (isDisconnected && endToken !== null)
}

/** The record as evidence: the facts are few and short, well below 16 KiB. */
function evidenceOf(rig: Rig, before: ModemStatus, record: CallRecord): Evidence {
  const { identity } = rig
  const modem = identity ? [identity.model, identity.firmware].filter(Boolean).join(' ') : ''
  return {
    modem: modem === '' ? null : modem.slice(0, 64),
    operator: before.operator,
    signalDbm: before.signalDbm,
    events: record.facts.map(({ atMs, fact }) => ({ atMs, event: maskNumbers(factText(fact)).slice(0, 96) })),
  }
}

/** Has the modem reset, and waits until it is set up with its line free, `withinMs` at most. */
async function recover(rig: Rig, withinMs: number): Promise<void> {
  const { world } = rig.options
  const endMs = world.monotonicMs() + withinMs
  while (!rig.isSetUp && !rig.isClosing && world.monotonicMs() < endMs)
    await rig.changed.heard(endMs - world.monotonicMs())
}

function wantReset(rig: Rig): void {
  rig.isResetWanted = true
  rig.isSetUp = false
  rig.isReserved = false
  rig.changed.ring()
}

/** How the call ended; `held` when the modem has still not let go of it by the time the verdict is due. */
function endOf(rig: Rig, call: RunningCall): Promise<'free' | 'held' | 'lost'> {
  return new Promise(resolve => {
    const limit = rig.options.world.after(verdictWithinMs - call.sinceDialMs(), () => resolve('held'))
    void call.ended.then(ended => {
      limit.cancel()
      resolve(ended)
    })
  })
}

/** What a gate says of itself counts for so long after the call; the opening waits for it in `connected`. */
const confirmWithinMs = 20_000
/** A message that did not come in time may still come, and must not be taken for the next call's. */
const lateConfirmationMs = 600_000
/** More calls than end in that time. */
const maxUnconfirmed = 128

/** Waits for the gate's own word, where it gives one and the call may have opened it. */
async function awaitConfirmation(
  rig: Rig,
  call: RunningCall,
  { phoneNumber, profile }: DialRequest,
): Promise<void> {
  if (!profile.confirm) return
  const { opened, status } = callVerdict(call.record(), profile)
  if (opened === 'no' && status === 'failed') return
  const sender = profile.confirm.from ?? phoneNumber
  const { world } = rig.options
  const lateFromMs = world.monotonicMs() - lateConfirmationMs
  rig.unconfirmed = rig.unconfirmed.filter(({ sinceMs }) => sinceMs > lateFromMs)
  const mayBeLate = rig.unconfirmed.some(late => isSameNumber(late.sender, sender))
  const limitMs = Math.min(profile.confirm.withinMs, confirmWithinMs, verdictWithinMs - call.sinceDialMs())
  await call.awaitConfirmation(Math.max(0, limitMs), mayBeLate)
  if (call.record().trace.confirmation === 'missing')
    rig.unconfirmed = [...rig.unconfirmed, { sender, sinceMs: world.monotonicMs() }].slice(-maxUnconfirmed)
}

/** Follows the call to its end and, where the modem may still hold something of it, beyond. */
async function seeThrough(rig: Rig, call: RunningCall, request: DialRequest): Promise<CallRecord> {
  const ended = await endOf(rig, call)
  const { acceptedMs, hangUpMs, lostWhy } = call.record().trace
  // A hang-up that nobody confirms is no end: the modem may yet carry out the call, or be in it.
  const isUnheard = ended === 'held' && hangUpMs !== null
  const record = isUnheard
    ? recordFact(call.record(), call.sinceDialMs(), { fact: 'unheard' })
    : call.record()
  if (ended === 'held') wantReset(rig)
  if (lostWhy === 'settingsGone' && rig.isSetUp) unsettle(rig, lostWhy)
  // A port that went before ATD's OK may leave the ATD in the modem; one that went later leaves nothing to carry out.
  if (ended === 'held' || (ended === 'lost' && acceptedMs === null && !rig.at))
    await recover(rig, verdictWithinMs - call.sinceDialMs())
  if (ended !== 'free') return record
  // A call that the supply carried to its end.
  if (!record.facts.some(({ fact }) => fact.fact === 'voltage')) rig.isBrownedOut = false
  await awaitConfirmation(rig, call, request)
  return call.record()
}

/** The suffix that shows our number where the subscription hides it unless it is asked not to. */
function callerIdOf(rig: Rig, { callerId }: CallProfile): CallProfile['callerId'] {
  return callerId === 'show' && rig.identity?.callerId === 'onRequest' ? 'show_forced' : callerId
}

async function dial(rig: Rig, request: DialRequest): Promise<DialResult> {
  const { profile, phoneNumber, onProgress } = request
  const { world } = rig.options
  const { at, identity } = rig
  const isReserved = rig.isReserved
  rig.isReserved = false
  const command = dialVoice(phoneNumber, callerIdOf(rig, profile))
  if (!command) return { dialled: false, why: 'bad_number' }
  if (!isReserved || rig.call || !at?.isQuiet() || !identity || rig.status.state !== 'ready')
    return { dialled: false, why: 'not_ready' }
  const before = rig.status
  const prepared = prepareDial(command)
  const inbox = profile.confirm ? createInbox(world, profile.confirm, phoneNumber) : null
  if (!request.mayDial()) return { dialled: false, why: 'stale' }
  const { sent, answer } = at.dialNow(prepared)
  const call = runCall({
    world,
    at,
    quirks: identity.quirks,
    leftovers: identity.leftovers,
    showsSettings: rig.showsSettings === true,
    profile,
    answer,
    inbox,
    onProgress,
    wasSent: sent === 'written',
  })
  rig.call = call
  if (sent !== 'written') {
    at.discardOutput()
    wantReset(rig)
  }
  publish(rig)
  const record = await seeThrough(rig, call, request)
  rig.call = null
  if (!isWhole(record)) rig.quietSinceMs = world.monotonicMs()
  if (rig.isSimGone) unsettle(rig, 'sim')
  publish(rig)
  return {
    dialled: true,
    verdict: callVerdict(record, profile),
    evidence: evidenceOf(rig, before, record),
  }
}

async function hangUp(rig: Rig): Promise<void> {
  rig.call?.cancel()
  while (rig.call) await rig.changed.heard(verdictWithinMs)
}

async function close(rig: Rig): Promise<void> {
  await hangUp(rig)
  rig.isClosing = true
  rig.changed.ring()
  await rig.at?.close()
}

/** A SIM800 behind `openLine`; nothing happens before `start`. */
export function createModem(options: ModemOptions): Modem {
  const rig = createRig(options)
  let isStarted = false
  return {
    start() {
      if (!isStarted) void keepAlive(rig)
      isStarted = true
    },
    status: () => rig.status,
    onStatus(listener) {
      rig.listeners.push(listener)
    },
    reserve: () => reserve(rig),
    release() {
      rig.isReserved = false
    },
    dial: request => dial(rig, request),
    hangUp: () => hangUp(rig),
    close: () => close(rig),
  }
}
