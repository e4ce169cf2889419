// The modem: the driver's parts put together, and the one call at a time that it can place.

import { prepareDial } from './atLine.ts'
import type { CallEvidence, CallProfile, Verdict } from './callProfile.ts'
import { type RunningCall, runCall } from './callRun.ts'
import { commands, dialVoice } from './commands.ts'
import { type CallRecord, factText } from './core/callTracker.ts'
import { callVerdict } from './core/callVerdict.ts'
import { isDialable, maskNumbers } from './core/phoneNumber.ts'
import { createRig, keepAlive, type ModemOptions, type ModemStatus, publish, type Rig } from './keepAlive.ts'

export type { ModemOptions, ModemStatus } from './keepAlive.ts'

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
  | { readonly dialled: true; readonly verdict: Verdict; readonly evidence: CallEvidence }

export interface Modem {
  /** Opens the line, sets the modem up and keeps it alive; reopens with a growing pause when it is lost. */
  start(): void
  status(): ModemStatus
  onStatus(listener: (status: ModemStatus) => void): void
  /**
   * Makes the line quiet for a dial: no command is in flight and none begins until `dial` or `release`, and the modem
   * has answered within the last 2 s (it is asked if not).
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
  await at.whenQuiet()
  const isHeld = () => rig.isReserved && rig.at === at
  if (isHeld() && at.sinceAnswerMs() > answerFreshMs) await at.ask(commands.attention)
  if (isHeld() && rig.status.state === 'ready' && at.isQuiet() && at.sinceAnswerMs() <= answerFreshMs)
    return { ok: true }
  if (isHeld()) rig.isReserved = false
  return { ok: false, reason: rig.status.state === 'no_network' ? 'no_network' : 'modem_not_ready' }
}

/** The record as evidence: the facts are few and short, well below 16 KiB. */
function evidenceOf(rig: Rig, before: ModemStatus, record: CallRecord): CallEvidence {
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

/** Follows the call to its end and, where the modem may still hold something of it, beyond. */
async function seeThrough(rig: Rig, call: RunningCall): Promise<CallRecord> {
  const ended = await call.ended
  const record = call.record()
  if (ended === 'held') wantReset(rig)
  // A port that went before ATD's OK may leave the ATD in the modem; one that went later leaves nothing to carry out.
  if (ended === 'held' || (ended === 'lost' && record.trace.acceptedMs === null && !rig.at))
    await recover(rig, verdictWithinMs - call.sinceDialMs())
  return record
}

async function dial(rig: Rig, request: DialRequest): Promise<DialResult> {
  const { profile, phoneNumber, onProgress } = request
  const { at, identity } = rig
  const isReserved = rig.isReserved
  rig.isReserved = false
  if (!isDialable(phoneNumber)) return { dialled: false, why: 'bad_number' }
  if (!isReserved || rig.call || !at?.isQuiet() || !identity || rig.status.state !== 'ready')
    return { dialled: false, why: 'not_ready' }
  const before = rig.status
  const prepared = prepareDial(dialVoice(phoneNumber, profile.callerId))
  if (!request.mayDial()) return { dialled: false, why: 'stale' }
  const { sent, answer } = at.dialNow(prepared)
  const call = runCall({
    world: rig.options.world,
    at,
    quirks: identity.quirks,
    profile,
    answer,
    onProgress,
    wasSent: sent === 'written',
  })
  rig.call = call
  if (sent !== 'written') {
    at.discardOutput()
    wantReset(rig)
  }
  publish(rig)
  const record = await seeThrough(rig, call)
  rig.call = null
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
