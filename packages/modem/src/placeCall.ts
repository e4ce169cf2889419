// Placing a call: the checks before ATD, its single write, and the call up to the verdict.

import type { CallProfile } from '@callgate/contract/call/callProfile'
import type { CallVerdict, Evidence } from '@callgate/contract/call/verdict'
import type { World } from '@callgate/world/world'
import { prepareDial } from './atLine.ts'
import { type RunningCall, runCall } from './callRun.ts'
import { commands, dialVoice } from './commands.ts'
import { type CallFact, factText } from './core/callFacts.ts'
import { type CallRecord, recordFact } from './core/callTracker.ts'
import { callVerdict } from './core/callVerdict.ts'
import type { Command } from './core/dialogue.ts'
import { isSetUp, type ModemStatus, setUpOf } from './core/modemState.ts'
import { maskNumbers } from './core/phoneNumber.ts'
import type { Identity } from './core/startUpResult.ts'
import type { Driver } from './driver.ts'
import { createInbox, type LateConfirmations } from './inbox.ts'
import { quirksOf } from './quirks.ts'
import { answerFreshMs, type Hold } from './reserve.ts'

export interface DialRequest {
  /** E.164. */
  readonly phoneNumber: string
  readonly profile: CallProfile
  /** Called in the statement just before the write of ATD; it must not throw. */
  readonly mayDial: () => boolean
  readonly onProgress: (phase: 'ringing' | 'answered') => void
  /** Gets each observation of the call at once, for whoever watches. */
  readonly onFact?: (fact: CallFact) => void
}

/** No byte of an ATD was written. */
interface NotDialled {
  readonly dialled: false
  readonly why: 'stale' | 'not_ready' | 'bad_number'
}

export type DialResult =
  | NotDialled
  | { readonly dialled: true; readonly verdict: CallVerdict; readonly evidence: Evidence }

/** From the write of ATD to the verdict: the longest call, 60 s, and 20 s to hang up. */
export const verdictWithinMs = 80_000

/** Nothing of the call can still come: both signs of its end were heard, or it was never placed. */
function isWhole({ trace: { dial, endToken, isDisconnected } }: CallRecord): boolean {
  return dial === 'refused' || (isDisconnected && endToken !== null)
}

/** The record as evidence: the facts are few and short, well below 16 KiB. */
function evidenceOf({ model, firmware }: Identity, before: ModemStatus, record: CallRecord): Evidence {
  const modem = [model, firmware].filter(Boolean).join(' ')
  return {
    modem: modem === '' ? null : modem.slice(0, 64),
    operator: before.operator,
    signalDbm: before.signalDbm,
    events: record.facts.map(({ atMs, fact }) => ({ atMs, event: maskNumbers(factText(fact)).slice(0, 96) })),
  }
}

/** Waits until the modem is set up with its line free, `withinMs` at most. */
async function recover(driver: Driver, withinMs: number): Promise<void> {
  await driver.pauseWhile(withinMs, () => !isSetUp(driver.state))
}

/** How the call ended; `held` where the modem still keeps it when the verdict is due. */
function endOf(driver: Driver, call: RunningCall): Promise<'free' | 'held' | 'lost'> {
  return new Promise(resolve => {
    const { world } = driver.options
    const limit = world.after(verdictWithinMs - call.sinceDialMs(), () => resolve('held'))
    void call.ended.then(ended => {
      limit.cancel()
      resolve(ended)
    })
  })
}

/** A confirmation counts this long after the call; meanwhile the opening waits in `connected`. */
const confirmWithinMs = 20_000

/** Waits for the gate's confirmation, where it gives one and the call may have opened it. */
async function awaitConfirmation(
  driver: Driver,
  call: RunningCall,
  { phoneNumber, profile }: DialRequest,
  late: LateConfirmations,
): Promise<void> {
  if (!profile.confirm) return
  const { opened, status } = callVerdict(call.record(), profile)
  if (opened === 'no' && status === 'failed') return
  const sender = profile.confirm.from ?? phoneNumber
  const { world } = driver.options
  const mayBeLate = late.isExpected(sender, world.monotonicMs())
  const limitMs = Math.min(profile.confirm.withinMs, confirmWithinMs, verdictWithinMs - call.sinceDialMs())
  await call.awaitConfirmation(Math.max(0, limitMs), mayBeLate)
  if (call.record().trace.confirmation === 'missing') late.expect(sender, world.monotonicMs())
}

/** The result of a call whose verdict is due. */
interface CallEnd {
  readonly record: CallRecord
  /** The call was completed without a failure of the supply. */
  readonly hasSupplyHeld: boolean
}

/** Follows the call to its end and, where the modem may still keep something of it, through the recovery. */
async function followToEnd(
  driver: Driver,
  call: RunningCall,
  request: DialRequest,
  late: LateConfirmations,
): Promise<CallEnd> {
  const ended = await endOf(driver, call)
  const { acceptedMs, hangUpMs, lostWhy } = call.record().trace
  // An unconfirmed hang-up is no end: the modem may still carry out the call, or be in it.
  const isUnheard = ended === 'held' && hangUpMs !== null
  const record = isUnheard
    ? recordFact(call.record(), call.sinceDialMs(), { fact: 'unheard' })
    : call.record()
  if (ended === 'held') driver.apply({ type: 'restartNeeded' })
  if (lostWhy === 'settingsGone') driver.apply({ type: 'settingsLost' })
  // A port that went before ATD's OK may leave the ATD in the modem. After the OK there is nothing left to carry out.
  if (ended === 'held' || (ended === 'lost' && acceptedMs === null && !driver.line))
    await recover(driver, verdictWithinMs - call.sinceDialMs())
  if (ended !== 'free') return { record, hasSupplyHeld: false }
  await awaitConfirmation(driver, call, request, late)
  const isFault = ({ fact }: CallRecord['facts'][number]) =>
    fact.fact === 'voltage' || (fact.fact === 'lost' && fact.why === 'restarted')
  return { record: call.record(), hasSupplyHeld: !call.record().facts.some(isFault) }
}

/** The suffix that shows our number where the subscription hides it by default. */
function callerIdOf(identity: Identity | null, { callerId }: CallProfile): CallProfile['callerId'] {
  return callerId === 'show' && identity?.callerId === 'onRequest' ? 'show_forced' : callerId
}

/**
 * Whether the modem reads what is written. The port of a stopped modem takes an ATD all the same, keeps it, and delivers it
 * whenever the modem goes on. None of our checks runs after that.
 */
function isListening({ line }: Driver): true | Promise<boolean> {
  const isFresh = () => line !== null && line.sinceAnswerMs() <= answerFreshMs
  if (!line?.isQuiet() || isFresh()) return true
  return line.ask(commands.attentionBeforeDial).then(isFresh)
}

/**
 * Where the gate's confirmation arrives. None for messages of a number that still owes an answer to a message of ours: nobody can
 * tell the two apart, so the call is judged without one.
 */
function inboxOf(world: World, { phoneNumber, profile: { confirm } }: DialRequest, late: LateConfirmations) {
  if (!confirm || (confirm.kind === 'sms' && late.awaitsAnswer(confirm.from ?? phoneNumber))) return null
  return createInbox(world, confirm, phoneNumber)
}

/** Writes ATD unless a check forbids it. Returns the running call, or why no byte was written. */
function beginCall(
  driver: Driver,
  hold: Hold | undefined,
  request: DialRequest,
  command: Command,
  late: LateConfirmations,
): RunningCall | NotDialled['why'] {
  const { onFact, onProgress, profile } = request
  const { world } = driver.options
  const { line, state } = driver
  const { identity } = state
  if (!hold?.isHeld() || !line?.isQuiet() || !identity || driver.status.state !== 'ready') return 'not_ready'
  const prepared = prepareDial(command)
  const inbox = inboxOf(world, request, late)
  if (!request.mayDial()) return 'stale'
  const { sent, answer } = line.dialNow(prepared)
  const { leftovers, model, modemId } = identity
  const wasSent = sent === 'written'
  const showsSettings = setUpOf(state)?.showsSettings === true
  const call = runCall({
    world,
    line,
    quirks: quirksOf(model),
    leftovers,
    supplyAnswers: driver.supplyAnswers.ofModem(modemId),
    showsSettings,
    profile,
    answer,
    inbox,
    onProgress,
    onFact,
    wasSent,
  })
  driver.callBegan(call)
  if (wasSent) return call
  line.discardOutput()
  driver.apply({ type: 'restartNeeded' })
  return call
}

/** Places one call on the line of `hold`, and ends the reservation. */
export async function placeCall(
  driver: Driver,
  hold: Hold | undefined,
  request: DialRequest,
  late: LateConfirmations,
): Promise<DialResult> {
  const before = driver.status
  const { identity } = driver.state
  const refuse = (why: NotDialled['why']): NotDialled => {
    hold?.release()
    return { dialled: false, why }
  }
  const command = dialVoice(request.phoneNumber, callerIdOf(identity, request.profile))
  if (!command) return refuse('bad_number')
  const isHeard = isListening(driver)
  // Not awaited where the modem has answered just now.
  if (isHeard !== true && !(await isHeard)) return refuse('not_ready')
  const call = beginCall(driver, hold, request, command, late)
  if (typeof call === 'string' || !identity) return refuse(typeof call === 'string' ? call : 'not_ready')
  const { record, hasSupplyHeld } = await followToEnd(driver, call, request, late)
  driver.callEnded({ isWhole: isWhole(record), hasSupplyHeld, lowestMv: call.lowestMv() })
  return {
    dialled: true,
    verdict: callVerdict(record, request.profile),
    evidence: evidenceOf(identity, before, record),
  }
}
