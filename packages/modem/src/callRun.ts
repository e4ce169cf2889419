// One call on the line: from the moment ATD was written to a line that is free again, as a record of facts.

import type { CallProfile } from '@callgate/contract/call/callProfile'
import type { World } from '@callgate/world/world'
import type { AtLine } from './atLine.ts'
import { CallRecorder } from './callRecorder.ts'
import { CallSupply, type SupplyAnswers } from './callSupply.ts'
import { commands } from './commands.ts'
import { type CallFact, factOfAnswer, factsOfUrc, type LossWhy } from './core/callFacts.ts'
import { nextStep } from './core/callPlan.ts'
import type { CallRecord } from './core/callTracker.ts'
import { causeReading } from './core/causes.ts'
import type { Answer } from './core/dialogue.ts'
import { type ListedCall, type Urc, voiceCallsIn } from './core/lines.ts'
import { settingsReading } from './core/readings.ts'
import type { Inbox } from './inbox.ts'
import type { Quirks } from './quirks.ts'
import { hangUpLine } from './releaseLine.ts'

/** A running call. It receives the unsolicited lines of the modem during the call. */
export interface RunningCall {
  takeUrc(urc: Urc): void
  /** The modem restarted, or its port is gone. */
  lose(why: LossWhy): void
  /** Ends the call as soon as possible. */
  cancel(): void
  record(): CallRecord
  /** Whether, as far as was heard, nothing of the call is left on the line. */
  isOver(): boolean
  /** After the end: waits for the gate's confirmation, `withinMs` at most. `mayBeLate`: it could be for an earlier call. */
  awaitConfirmation(withinMs: number, mayBeLate: boolean): Promise<void>
  sinceDialMs(): number
  /** The lowest supply voltage that the modem reported during the call, in millivolts; null: it reported none. */
  lowestMv(): number | null
  /**
   * `free`: the modem says that no call is left. `held`: it has to be restarted before anything else is written.
   * `lost`: it restarted or went away.
   */
  readonly ended: Promise<'free' | 'held' | 'lost'>
}

export interface CallOptions {
  readonly world: World
  readonly line: AtLine
  readonly quirks: Quirks
  readonly profile: CallProfile
  /** ATD was written whole; else the modem has to be restarted before another byte. */
  readonly wasSent: boolean
  /** The answer to an ATD that was written whole. */
  readonly answer: Promise<Answer>
  /** Where the gate's confirmation comes in; null: it gives none. */
  readonly inbox: Inbox | null
  /** The modem's answer to AT+CREG? shows whether its settings are still there. */
  readonly showsSettings: boolean
  /** Rows of the list of calls that are no calls, by their ids. */
  readonly leftovers: readonly number[]
  /** Of this modem, from call to call. */
  readonly supplyAnswers: SupplyAnswers
  readonly onProgress: (phase: 'ringing' | 'answered') => void
  readonly onFact?: ((fact: CallFact) => void) | undefined
}

/** A call that is followed, and what was recorded of it. */
interface FollowedCall {
  readonly options: CallOptions
  readonly recorder: CallRecorder
  readonly supply: CallSupply
}

const voicesIn = ({ options }: FollowedCall, { lines }: Extract<Answer, { result: 'ok' }>) =>
  voiceCallsIn(lines, options.leftovers)

/** What the list of calls says of our call. All lines are read, because an unsolicited one may be among them. */
function noteListed({ recorder }: FollowedCall, calls: readonly ListedCall[]): boolean {
  const ours = new Set(calls.filter(({ outgoing }) => outgoing).map(({ state }) => state))
  for (const state of ours) recorder.note({ fact: 'state', state, by: 'poll' })
  return ours.size > 0
}

/**
 * Lists the calls, and asks once more where no answer comes. Before that, the dialogue gets in step again: otherwise the late
 * answer to the first question could be taken for that to the second. Silent where that fails too.
 */
async function listCalls({ options, recorder }: FollowedCall): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    const answer = await options.line.ask(commands.calls)
    if (answer.result !== 'silent') return answer
    recorder.note({ fact: 'unheard' })
    if (attempt > 1) return answer
  }
}

/** Notes what is listed; false when the modem did not answer. A list that it refuses says nothing. */
async function poll(call: FollowedCall): Promise<boolean> {
  const { recorder, supply } = call
  const askedMs = recorder.sinceDialMs()
  const answer = await listCalls(call)
  if (answer.result === 'error') return true
  if (answer.result !== 'ok') return false
  if (!noteListed(call, voicesIn(call, answer))) recorder.note({ fact: 'emptyList' })
  else if (recorder.trace.endMs === null && !recorder.isCancelled) {
    // Reports of the call may be lost in the same silence.
    if (!(await supply.check(recorder.sinceDialMs() - askedMs)))
      recorder.note({ fact: 'unheard', isSupply: true })
  }
  return true
}

/** How often our own program checks that it still runs, and how late such a check may be. */
const checkEveryMs = 1_000
const mayBeLateMs = 1_000

/**
 * `free`: the call is over and no other is listed. `taken`: the call is over, but the line has to be freed. `unproven`: as
 * `taken`, where only lists tell of the end, or no list ever showed the call. `hangUp`: we end the call.
 */
type Outcome = 'free' | 'taken' | 'unproven' | 'hangUp'

/**
 * What looked like the end of our call is believed when the modem no longer lists it. A token does not say which call it ended:
 * it may belong to an earlier call, or to a call to this modem. Undefined where our call goes on.
 */
async function checkEnd(call: FollowedCall): Promise<Outcome | undefined> {
  const { recorder } = call
  const { dial, lostMs } = recorder.trace
  if (dial === 'waiting' && lostMs === null) {
    // The OK of ATD may still come, and until then nothing but a hang-up may be written.
    recorder.note({ fact: 'hangUp', why: 'unanswered' })
    return 'taken'
  }
  if (lostMs !== null || dial === 'unsent' || dial === 'unanswered') return 'taken'
  const answer = await listCalls(call)
  if (answer.result !== 'ok') return 'taken'
  const calls = voicesIn(call, answer)
  if (dial === 'accepted' && calls.some(({ outgoing }) => outgoing)) {
    recorder.note({ fact: 'endDenied' })
    noteListed(call, calls)
    return undefined
  }
  if (calls.length > 0) return 'taken'
  const { isEndSignalled, isListed } = recorder.trace
  if (dial !== 'accepted' || (isListed && isEndSignalled)) return 'free'
  if (!isListed) recorder.note({ fact: 'endUnproven' })
  return 'unproven'
}

/** Follows the call until it is over or has to be ended. */
async function follow(call: FollowedCall): Promise<Outcome> {
  const { options, recorder } = call
  let { pollMs: everyMs } = options.quirks
  let isPolling = false
  let polledMs = 0
  for (;;) {
    const nowMs = recorder.sinceDialMs()
    const { trace } = recorder
    const pollMs = isPolling ? null : everyMs
    const step = nextStep(trace, options.profile, { pollMs, polledMs }, nowMs)
    if (step.step === 'conclude') {
      const outcome = await checkEnd(call)
      if (outcome) return outcome
      continue
    }
    if (recorder.isCancelled && trace.endMs === null) {
      recorder.note({ fact: 'hangUp', why: 'cancelled' })
      return 'hangUp'
    }
    if (step.step === 'hangUp') {
      recorder.note({ fact: 'hangUp', why: step.why })
      return 'hangUp'
    }
    const waitMs = step.step === 'wait' ? Math.min(step.untilMs - nowMs, checkEveryMs) : 0
    if (step.step === 'wait') await recorder.wait(waitMs)
    else {
      polledMs = nowMs
      isPolling = true
      // Not awaited: no question may delay the end of the call or its limits.
      void poll(call).then(isHeard => {
        isPolling = false
        if (!isHeard) everyMs = null
        recorder.wake()
      })
    }
    if (trace.endMs === null && recorder.sinceDialMs() - nowMs > waitMs + mayBeLateMs)
      recorder.note({ fact: 'stoodStill' })
  }
}

/**
 * Whether the module restarted without a report. Asked in three cases: the only sign of the end is that the call is no longer
 * listed, which a restart causes too; the call was never listed; the modem fell silent.
 */
async function hasLostSettings({ options, recorder }: FollowedCall): Promise<boolean> {
  const { endMs, hasGap, isEndSignalled, isListed } = recorder.trace
  const isPlain = isEndSignalled || (endMs === null && isListed)
  if (!options.showsSettings || (isPlain && !hasGap)) return false
  const answer = await options.line.ask(commands.registration)
  return answer.result === 'ok' && answer.lines.length > 0 && !settingsReading(answer.lines[0])
}

/** Asks why the call ended. After silence the modem still owes replies, but no call is left. */
async function noteCause({ options, recorder }: FollowedCall): Promise<void> {
  const ask = async () => {
    const answer = await options.line.ask(commands.cause)
    return answer.result === 'ok' ? causeReading(answer.lines[0]) : null
  }
  const first = await ask()
  // A line that lost its end says 1 for 17, and a cause of one digit counts as the surest evidence. So the modem has to say it
  // twice.
  const isShort = typeof first === 'number' && first > 0 && first < 10
  const cause = !isShort || (await ask()) === first ? first : 'unknown'
  if (cause === 'unknown') recorder.note({ fact: 'strangeCause' })
  else if (cause !== null && cause > 0) recorder.note({ fact: 'cause', cause })
}

/** Ends what is left of the call, and asks why it ended. */
async function conclude(call: FollowedCall, outcome: Outcome): Promise<'free' | 'held' | 'lost'> {
  const { options, recorder } = call
  const { leftovers, line, quirks } = options
  if (recorder.isLost) return 'lost'
  const { dial } = recorder.trace
  if (dial === 'unsent') return 'held'
  if (dial === 'unanswered') {
    // It may still carry out the ATD: only a restart makes sure that it does not.
    await line.ask(commands.hangUp)
    return recorder.isLost ? 'lost' : 'held'
  }
  // Asked before our hang-up, whose own cause would replace that of the call.
  if (outcome === 'unproven') {
    await noteCause(call)
    recorder.note({ fact: 'hangUp', why: 'unproven' })
  }
  const { isListed, hasGap } = recorder.trace
  const isListTrusted = isListed && outcome !== 'unproven'
  const isFree =
    outcome === 'free' ||
    (await hangUpLine(line, quirks, { isDialling: dial === 'waiting', isListTrusted, leftovers }))
  if (recorder.isLost) return 'lost'
  // A modem that fell silent may have restarted unnoticed. If its settings do not show that, only a restart by us makes sure.
  if (!isFree || (hasGap && !options.showsSettings)) return 'held'
  if (await hasLostSettings(call)) {
    recorder.note({ fact: 'lost', why: 'settingsGone' })
    return 'lost'
  }
  if (outcome !== 'hangUp' && outcome !== 'unproven' && dial !== 'refused') await noteCause(call)
  return recorder.isLost ? 'lost' : 'free'
}

/** Waits for the gate's confirmation and notes whether it came. */
async function noteConfirmation(
  { options, recorder }: FollowedCall,
  withinMs: number,
  mayBeLate: boolean,
): Promise<void> {
  const { inbox, line, profile } = options
  if (!inbox || !profile.confirm) return
  const isConfirmed = await inbox.confirmed(line, withinMs)
  const by = profile.confirm.kind
  recorder.note(isConfirmed ? { fact: 'confirmed', by, mayBeLate } : { fact: 'unconfirmed' })
}

/** Begins to follow a call whose ATD has just been written. */
export function runCall(options: CallOptions): RunningCall {
  const { inbox, quirks, wasSent, world } = options
  const recorder = new CallRecorder(world, quirks.senses, options)
  const supply = new CallSupply(options.line, options.supplyAnswers)
  const call: FollowedCall = { options, recorder, supply }
  let hasEnded = false
  if (!wasSent) recorder.note({ fact: 'unsent' })
  void options.answer.then(answer => {
    const fact = wasSent ? factOfAnswer(answer) : undefined
    if (fact) recorder.note(fact)
  })
  const ended = follow(call)
    .then(outcome => conclude(call, outcome))
    .then(left => {
      hasEnded = true
      return left
    })
  return {
    takeUrc(urc) {
      for (const fact of factsOfUrc(urc)) recorder.note(fact)
      inbox?.takeUrc(urc)
    },
    lose(why) {
      recorder.note({ fact: 'lost', why })
      inbox?.close()
    },
    cancel() {
      recorder.cancel()
      inbox?.close()
    },
    record: () => recorder.record,
    isOver: () => hasEnded,
    awaitConfirmation: (withinMs, mayBeLate) => noteConfirmation(call, withinMs, mayBeLate),
    sinceDialMs: () => recorder.sinceDialMs(),
    lowestMv: () => supply.lowestMv,
    ended,
  }
}
