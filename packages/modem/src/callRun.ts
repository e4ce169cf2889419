// One call on the line: from the moment ATD was written to a line that is free again, as a record of facts.

import type { CallProfile } from '@callgate/contract/call/callProfile'
import type { World } from '@callgate/world/world'
import type { AtLine } from './atLine.ts'
import { type Bell, createBell } from './bell.ts'
import { commands } from './commands.ts'
import { type CallFact, factOfAnswer, factsOfUrc, type LossWhy } from './core/callFacts.ts'
import { nextStep } from './core/callPlan.ts'
import { type CallRecord, emptyRecord, recordFact } from './core/callTracker.ts'
import type { Answer } from './core/dialogue.ts'
import { type ListedCall, type Urc, voiceCallsIn } from './core/lines.ts'
import { causeReading, settingsReading } from './core/readings.ts'
import type { Inbox } from './inbox.ts'
import type { Quirks } from './quirks.ts'
import { hangUpLine } from './releaseLine.ts'

/** A call that runs; what the modem says meanwhile is passed to it. */
export interface RunningCall {
  hear(urc: Urc): void
  /** The modem restarted, or its port is gone. */
  lose(why: LossWhy): void
  /** Ends the call as soon as possible. */
  cancel(): void
  record(): CallRecord
  /** Nothing of it is left on the line, as far as was heard. */
  isOver(): boolean
  /** After the end: waits for the gate's own word, `withinMs` at most. `mayBeLate`: it could be for the call before. */
  awaitConfirmation(withinMs: number, mayBeLate: boolean): Promise<void>
  sinceDialMs(): number
  /**
   * `free`: the modem says that no call is left. `held`: it has to be reset before anything else is written.
   * `lost`: it restarted or went away.
   */
  readonly ended: Promise<'free' | 'held' | 'lost'>
}

export interface CallOptions {
  readonly world: World
  readonly at: AtLine
  readonly quirks: Quirks
  readonly profile: CallProfile
  /** ATD was written whole; else the modem has to be reset before another byte. */
  readonly wasSent: boolean
  /** The answer to an ATD that was written whole. */
  readonly answer: Promise<Answer>
  /** Where the gate's own word comes in; null: it gives none. */
  readonly inbox: Inbox | null
  /** The modem's answer to AT+CREG? tells whether its settings are still there. */
  readonly showsSettings: boolean
  /** Rows of the list of calls that are no calls, by their ids. */
  readonly leftovers: readonly number[]
  readonly onProgress: (phase: 'ringing' | 'answered') => void
}

interface Chase {
  readonly options: CallOptions
  readonly bell: Bell
  record(): CallRecord
  note(fact: CallFact): void
  sinceDialMs(): number
  isCancelled(): boolean
}

const voicesIn = ({ options }: Chase, { lines }: Extract<Answer, { result: 'ok' }>) =>
  voiceCallsIn(lines, options.leftovers)

/** What the list of calls says of ours: all lines of it, as one that came unasked may stand among them. */
function noteListed({ note }: Chase, calls: readonly ListedCall[]): boolean {
  const ours = new Set(calls.filter(({ outgoing }) => outgoing).map(({ state }) => state))
  for (const state of ours) note({ fact: 'state', state, by: 'poll' })
  return ours.size > 0
}

/**
 * Lists the calls. A list that stays unanswered is asked for once more: before it is written, the dialogue gets in step,
 * so that the late answer to the first is not taken for that to the second. Silent when that fails as well.
 */
async function listCalls({ options, note }: Chase): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    const answer = await options.at.ask(commands.calls)
    if (answer.result !== 'silent') return answer
    note({ fact: 'unheard' })
    if (attempt > 1) return answer
  }
}

/** Notes what is listed; false when the modem did not answer. A list that it refuses says nothing. */
async function poll(chase: Chase): Promise<boolean> {
  const answer = await listCalls(chase)
  if (answer.result === 'error') return true
  if (answer.result !== 'ok') return false
  if (!noteListed(chase, voicesIn(chase, answer))) chase.note({ fact: 'emptyList' })
  return true
}

/** So often, at least, it is seen that our own program still runs, and so late it may be. */
const lookEveryMs = 1_000
const mayBeLateMs = 1_000

/**
 * `free`: the call is over and no other is listed. `taken`: it is over as well, but the line has to be freed; so it is
 * where it is `unproven`: by lists alone, or with none that ever showed it. `hangUp`: it is we who end it.
 */
type Outcome = 'free' | 'taken' | 'unproven' | 'hangUp'

/**
 * What passed for the end of our call is believed when the modem lists ours no more: a token says nothing of which call
 * it ended, and may be that of one before, or of one to this modem. Undefined where ours goes on.
 */
async function checkEnd(chase: Chase): Promise<Outcome | undefined> {
  const { note, record } = chase
  const { dial, lostMs } = record().trace
  if (dial === 'waiting' && lostMs === null) {
    // The OK of ATD may still come, and until then nothing but a hang-up may be written.
    note({ fact: 'hangUp', why: 'unanswered' })
    return 'taken'
  }
  if (lostMs !== null || dial === 'unsent' || dial === 'unanswered') return 'taken'
  const answer = await listCalls(chase)
  if (answer.result !== 'ok') return 'taken'
  const calls = voicesIn(chase, answer)
  if (dial === 'accepted' && calls.some(({ outgoing }) => outgoing)) {
    note({ fact: 'endDenied' })
    noteListed(chase, calls)
    return undefined
  }
  if (calls.length > 0) return 'taken'
  const { isEndSignalled, isListed } = record().trace
  if (dial !== 'accepted' || (isListed && isEndSignalled)) return 'free'
  if (!isListed) note({ fact: 'endUnproven' })
  return 'unproven'
}

/** Follows the call until it is over or has to be ended. */
async function follow(chase: Chase): Promise<Outcome> {
  const { options, bell, note, record, sinceDialMs } = chase
  let { pollMs: everyMs } = options.quirks
  let isPolling = false
  let polledMs = 0
  for (;;) {
    const nowMs = sinceDialMs()
    const { trace } = record()
    const pollMs = isPolling ? null : everyMs
    const step = nextStep(trace, options.profile, { pollMs, polledMs }, nowMs)
    if (step.step === 'conclude') {
      const outcome = await checkEnd(chase)
      if (outcome) return outcome
      continue
    }
    if (chase.isCancelled() && trace.endMs === null) {
      note({ fact: 'hangUp', why: 'cancelled' })
      return 'hangUp'
    }
    if (step.step === 'hangUp') {
      note({ fact: 'hangUp', why: step.why })
      return 'hangUp'
    }
    const waitMs = step.step === 'wait' ? Math.min(step.untilMs - nowMs, lookEveryMs) : 0
    if (step.step === 'wait') await bell.heard(waitMs)
    else {
      polledMs = nowMs
      isPolling = true
      // Not waited for: no question holds up what the call's end or its limits ask for.
      void poll(chase).then(isHeard => {
        isPolling = false
        if (!isHeard) everyMs = null
        bell.ring()
      })
    }
    if (trace.endMs === null && sinceDialMs() - nowMs > waitMs + mayBeLateMs) note({ fact: 'stoodStill' })
  }
}

/**
 * Whether the module restarted without a word. Asked where nothing told of the end of the call but that it was not
 * listed any more, which is just what a restart looks like; where it was never listed; and where the modem fell silent.
 */
async function hasLostSettings({ options, record }: Chase): Promise<boolean> {
  const { endMs, hasGap, isEndSignalled, isListed } = record().trace
  const isPlain = isEndSignalled || (endMs === null && isListed)
  if (!options.showsSettings || (isPlain && !hasGap)) return false
  const answer = await options.at.ask(commands.registration)
  return answer.result === 'ok' && answer.lines.length > 0 && !settingsReading(answer.lines[0])
}

/** Asks why the call ended. Silence here leaves replies owed, but no call. */
async function noteCause({ note, options }: Chase): Promise<void> {
  const answer = await options.at.ask(commands.cause)
  const cause = answer.result === 'ok' ? causeReading(answer.lines[0]) : null
  if (cause !== null && cause > 0) note({ fact: 'cause', cause })
}

/** Ends what is left of the call, and asks why it ended. */
async function conclude(chase: Chase, outcome: Outcome): Promise<'free' | 'held' | 'lost'> {
  const { options, note, record } = chase
  const { at, quirks } = options
  const isLost = () => record().trace.lostMs !== null
  if (isLost()) return 'lost'
  const { dial } = record().trace
  if (dial === 'unsent') return 'held'
  if (dial === 'unanswered') {
    // It may still carry out the ATD: only a reset is the end of that.
    await at.ask(commands.hangUp)
    return isLost() ? 'lost' : 'held'
  }
  // Before the hang-up, which may be the next thing that there is a cause of.
  if (outcome === 'unproven') {
    await noteCause(chase)
    note({ fact: 'hangUp', why: 'unproven' })
  }
  const { isListed, hasGap } = record().trace
  const isListTrusted = isListed && outcome !== 'unproven'
  const line = { isDialling: dial === 'waiting', isListTrusted, leftovers: options.leftovers }
  const isFree = outcome === 'free' || (await hangUpLine(at, quirks, line))
  if (isLost()) return 'lost'
  // A modem that fell silent may have restarted unseen; where its settings do not tell, only a reset makes sure.
  if (!isFree || (hasGap && !options.showsSettings)) return 'held'
  if (await hasLostSettings(chase)) {
    note({ fact: 'lost', why: 'settingsGone' })
    return 'lost'
  }
  if (outcome !== 'hangUp' && outcome !== 'unproven' && dial !== 'refused') await noteCause(chase)
  return isLost() ? 'lost' : 'free'
}

/** Begins to follow a call whose ATD has just been written. */
export function runCall(options: CallOptions): RunningCall {
  const { world } = options
  const startMs = world.monotonicMs()
  const bell = createBell(world)
  const { inbox } = options
  let record = emptyRecord(options.quirks.senses)
  let isCancelled = false
  let hasEnded = false
  const reported = new Set<string>()
  const sinceDialMs = () => Math.round(world.monotonicMs() - startMs)

  function report(phase: 'ringing' | 'answered'): void {
    if (reported.has(phase)) return
    reported.add(phase)
    options.onProgress(phase)
  }

  function note(fact: CallFact): void {
    const wasOver = record.trace.endMs !== null
    record = recordFact(record, sinceDialMs(), fact)
    if (!wasOver && record.trace.activeMs !== null) report('answered')
    else if (!wasOver && record.trace.alertedMs !== null) report('ringing')
    bell.ring()
  }

  const chase: Chase = {
    options,
    bell,
    note,
    sinceDialMs,
    record: () => record,
    isCancelled: () => isCancelled,
  }
  if (!options.wasSent) note({ fact: 'unsent' })
  void options.answer.then(answer => {
    if (!options.wasSent) return
    const fact = factOfAnswer(answer)
    if (fact) note(fact)
  })
  const ended = follow(chase)
    .then(outcome => conclude(chase, outcome))
    .then(left => {
      hasEnded = true
      return left
    })
  return {
    hear(urc) {
      for (const fact of factsOfUrc(urc)) note(fact)
      inbox?.hear(urc)
    },
    lose(why) {
      note({ fact: 'lost', why })
      inbox?.close()
    },
    cancel() {
      isCancelled = true
      bell.ring()
      inbox?.close()
    },
    record: () => record,
    isOver: () => hasEnded,
    async awaitConfirmation(withinMs, mayBeLate) {
      const confirm = options.profile.confirm
      if (!inbox || !confirm) return
      const isConfirmed = await inbox.confirmed(options.at, withinMs)
      note(isConfirmed ? { fact: 'confirmed', by: confirm.kind, mayBeLate } : { fact: 'unconfirmed' })
    },
    sinceDialMs,
    ended,
  }
}
