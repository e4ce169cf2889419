// Mutants beside the openings: in tasks of the cloud, in the console of a gateway, and in calibrations.

import { type Mutant, seeds } from './mutant.ts'

const taskCore = 'gateway/src/core/tasks.ts'
const tasks = 'cloud/src/task/tasks.ts'
const consoleLine = 'modem/src/core/consoleLine.ts'
const state = 'cloud/src/core/calibrationState.ts'
const inCore = { file: taskCore, test: 'gateway/src/core/tasks.test.ts' } as const
const inCloud = { file: tasks, test: 'cloud/src/task/tasks.test.ts', breaks: 'T2' } as const
const ofUssd = { file: 'modem/src/ussd.ts', test: '../test/modem/ussd/ussd.test.ts', breaks: 'T1' } as const
const ofMessages = { file: 'modem/src/sms.ts', test: '../test/modem/sms/sms.test.ts', breaks: 'T3' } as const
const inConsole = { file: consoleLine, test: 'modem/src/core/consoleLine.test.ts', breaks: 'P4' } as const
const ofCalibration = { test: 'cloud/src/calibration/calibration.test.ts' } as const

const taskMutants: readonly Mutant[] = [
  {
    ...inCore,
    name: 'a task begins while an opening waits',
    find: 'if (state.hasOpening) return same(state)',
    replace: '',
    why: 'somebody stands at the gate while the network is asked for a balance',
    breaks: 'T1',
  },
  {
    ...inCore,
    name: 'a task that runs does not hear of an opening',
    find: "isNew && state.work.phase === 'running' ? [{ type: 'cancel', isStop: false }] : []",
    replace: 'isNew && state.isStopping ? [] : []',
    why: 'an opening waits for a network that takes half a minute',
    breaks: 'T1',
  },
  {
    ...inCore,
    name: 'a task for another boot is done',
    find: 'if (bootId !== state.bootId) return ignored(',
    replace: "if (bootId === '') return ignored(",
    why: 'what an earlier daemon was asked is done again after its restart',
    breaks: 'T2',
  },
  {
    ...inCore,
    name: 'a task that comes again runs again',
    find: 'if (before) return {',
    replace: 'if (before?.told && state.isStopping) return {',
    why: 'the cloud sends it every 5 s until it is told',
    breaks: 'T2',
  },
  {
    ...inCore,
    name: 'a recorded task is taken',
    find: 'if (!beat || ageMs(beat.at, at) > taskFreshMs)',
    replace: 'if (!beat)',
    why: 'who has a broker plays tasks back for as long as the daemon runs',
    breaks: 'T2',
  },
  {
    ...inCloud,
    name: 'a task is answered by another boot',
    find: 'where({ id: told.taskId, gatewayId, bootId })',
    replace: 'where({ id: told.taskId, gatewayId })',
    why: 'what an earlier question was answered counts for this one',
  },
  {
    ...inCloud,
    name: 'a task is asked of the next boot too',
    find: 'if (row.bootId !== null && row.bootId !== currentBoot.bootId)',
    replace: "if (row.bootId === '')",
    why: 'a task runs twice where a gateway was restarted in its middle',
  },
  {
    ...inCloud,
    name: 'a task never ends by time',
    find: "return this.#end(row, row.bootId === null ? 'offline' : 'silent')",
    replace: 'return Promise.resolve()',
    why: 'a gateway that is away keeps every later task from being asked',
  },
  {
    ...inCloud,
    name: 'a task that is told twice is applied twice',
    find: 'if (isFirst && told.state',
    replace: 'if (told.state',
    why: 'two clouds that both mind the gateway write its balance down twice',
  },
  {
    ...ofUssd,
    name: 'a code is sent although an opening waits',
    find: 'await endSession(driver, hold, () => isCancelled)',
    replace: 'await endSession(driver, hold, () => false)',
    why: 'the opening waits for the network once more',
  },
  {
    ...ofUssd,
    name: 'a menu that the network has opened stays open',
    find: 'urc.line.mode === 1 && !this.#isAsking',
    replace: 'urc.line.mode === 1 && this.#isAsking',
    why: 'some modems place no call while it is open',
  },
  {
    ...ofUssd,
    name: 'the session of a code without its OK stays open',
    find: 'if (isHeld()) void line.ask(commands.endUssd)',
    replace: 'if (!isHeld()) void line.ask(commands.endUssd)',
    why: 'a network that takes no call in a session refuses the next opening',
  },
]

const messageMutants: readonly Mutant[] = [
  {
    ...ofMessages,
    name: 'a message begins although an opening has come',
    find: "if (isCancelled()) return { ok: false, reason: 'cancelled' }",
    replace: '',
    why: 'the opening waits until the network has taken the message',
  },
  {
    ...ofMessages,
    name: 'what a gate said before the message is its answer',
    find: '    mail.dropUntil(sent.answersAfterMs)',
    replace: '',
    why: 'a message is told as sent that nobody has sent',
  },
  {
    name: 'a message is sent again where nobody knows',
    file: 'gateway/src/modemTasks.ts',
    find: 'const result = await modem.sms({ phoneNumber, text, answerWithinMs: smsAnswerWithinMs }, ends)',
    replace: `const request = { phoneNumber, text, answerWithinMs: smsAnswerWithinMs }
    const first = await modem.sms(request, ends)
    const result = first.ok && !first.isSent ? await modem.sms(request, ends) : first`,
    why: 'each message costs money, and a module may count the second one as another number',
    test: seeds,
    breaks: 'T3',
    fromSeed: 546,
  },
  {
    name: 'a message whose OK is lost is told as not sent',
    file: 'modem/src/sms.ts',
    find: "    const writtenMs = 'bodyMs' in answer ? answer.bodyMs : undefined",
    replace: `    if (answer.result === 'silent') return { ok: false, reason: 'no_answer' }
    const writtenMs = 'bodyMs' in answer ? answer.bodyMs : undefined`,
    why: 'its owner sends it once more',
    test: seeds,
    breaks: 'T3',
    fromSeed: 35,
  },
]

const consoleMutants: readonly Mutant[] = [
  {
    ...inConsole,
    name: 'the console looks for what it refuses in capitals only',
    find: 'if (allowed.has(text))',
    replace: 'if (allowed.has(text) || !refusals.some(([look]) => look.test(typed)))',
    why: 'atd calls as well as ATD does',
  },
  {
    ...inConsole,
    name: 'the console passes A/ on',
    find: 'if (allowed.has(text))',
    replace: "if (allowed.has(text) || text === 'A/')",
    why: 'the modem repeats its last command, which may have been an ATD',
  },
  {
    ...inConsole,
    name: 'the console looks at the first command of a line only',
    find: 'if (allowed.has(text))',
    replace: "if (allowed.has(text.split(';')[0] ?? ''))",
    why: 'AT+CSQ;D+40… calls',
  },
  {
    name: 'the console asks the modem in a call',
    file: 'modem/src/console.ts',
    find: 'if (hasCall(state)) return',
    replace: "if (state.phase.phase === 'recovering') return",
    why: 'a byte before the OK of an ATD aborts the call',
    test: 'modem/src/console.test.ts',
    breaks: 'P5',
  },
  {
    name: 'the console asks while an opening waits',
    file: 'gateway/src/daemon.ts',
    find: 'if (this.#openings.isBusy() || this.#openings.queueLength() > 0)\n',
    replace: 'if (this.#isForgotten)\n',
    why: 'a modem that answers slowly keeps somebody at the gate waiting',
    test: 'gateway/src/taskRunners.test.ts',
    breaks: 'T1',
  },
]

const calibrationMutants: readonly Mutant[] = [
  {
    name: 'a profile is proposed from two calls',
    file: 'cloud/src/core/profileProposal.ts',
    find: 'if (own.length < callsNeeded)',
    replace: 'if (own.length < callsNeeded - 1)',
    why: 'two calls may look alike by chance',
    test: 'cloud/src/calibration/calibration.test.ts',
    breaks: 'C2',
  },
  {
    ...ofCalibration,
    name: 'a gate that moved once is measured',
    file: 'cloud/src/core/profileProposal.ts',
    find: 'if (moved < own.length) return',
    replace: 'if (moved === 0) return',
    why: 'calls that did not open are reported as opened from then on',
    breaks: 'C2',
  },
  {
    name: 'what one gateway has measured counts for all',
    file: 'cloud/src/core/measuredProfile.ts',
    find: '!measurer || isSameGateway(measurer, caller)',
    replace: '!measurer || caller.gatewayId !== undefined',
    why: 'on another way to the gate, ringing in vain is told as surer than it is',
    test: 'cloud/src/opening/measuredGrants.test.ts',
    breaks: 'A3',
  },
  {
    ...ofCalibration,
    name: 'test calls count against the profile',
    file: 'cloud/src/calibration/core/doubtCriteria.ts',
    find: 'calls.filter(call => call.isMeasured && isOutside(call, profile))',
    replace: 'calls.filter(call => isOutside(call, profile))',
    why: 'whoever calibrates a gate anew is told that it has drifted',
    breaks: 'C2',
  },
  {
    ...ofCalibration,
    name: 'a second calibration begins at the same gate',
    file: 'cloud/src/calibration/calibrationHandlers.ts',
    find: "if (gate.kept) return refuse('calibration_goes_on')",
    replace: '',
    why: 'the test calls of one person are lost to the other',
    breaks: 'C1',
  },
  {
    ...ofCalibration,
    name: 'a test call comes before the gate rests',
    file: state,
    find: 'if (nowMs < nextCallMs)',
    replace: 'if (nowMs < nextCallMs - 25_000)',
    why: 'nobody can tell which call has moved the gate',
    breaks: 'C1',
  },
  {
    ...ofCalibration,
    name: 'the press of another one is a test call',
    file: state,
    find: 'askerId === null || awaits.askerId !== askerId',
    replace: 'askerId === null',
    why: 'a member at the gate gets a call that is followed for 45 s',
    breaks: 'C1',
  },
  {
    ...ofCalibration,
    name: 'every later press is a test call',
    file: state,
    find: 'return { ...calibration, awaits: null, calls',
    replace: 'return { ...calibration, calls',
    why: 'a call with the hidden number opens a gate for strangers, again and again',
    breaks: 'C1',
  },
]

export const backgroundMutants: readonly Mutant[] = [
  ...taskMutants,
  ...messageMutants,
  ...consoleMutants,
  ...calibrationMutants,
]
