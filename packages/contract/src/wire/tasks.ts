// Tasks: what the cloud asks one gateway to do outside an opening, and the gateway's reports. No task ever dials.

import Type, { type Static, type TProperties } from 'typebox'
import { TaskId } from '../ids.ts'
import { ReleaseArchives, versionText } from '../releaseWords.ts'
import { closed, openWords } from '../text.ts'
import { SetUpSms, SmsOutcome } from './sms.ts'
import { UssdAnswer, UssdCode } from './ussd.ts'

/** The kinds of tasks. A beat says in `can` which of these its daemon knows. */
export const taskKinds = ['ussd', 'sms', 'update'] as const
export type TaskKind = (typeof taskKinds)[number]

const asked = <Kind extends TaskKind, Properties extends TProperties>(kind: Kind, properties: Properties) =>
  closed({ taskId: TaskId, kind: Type.Literal(kind), ...properties })

/**
 * Down: "do this once". The header names the boot that is asked, and in `seq` one of its recent beats: the gateway refuses a
 * task whose beat is of another boot or was sent more than 60 s ago, so that a late or recorded task does nothing.
 */
export const Task = Type.Union([
  asked('ussd', { code: UssdCode }),
  asked('sms', SetUpSms),
  /** Fetch this version from your own cloud. The task only names it; the fetched release is still checked. */
  asked('update', { version: versionText, archives: ReleaseArchives }),
])
export type Task = Static<typeof Task>
export type TaskOf<Kind extends TaskKind> = Extract<Task, { readonly kind: Kind }>

/** Why a task was not done. Nothing of it is left to happen. A newer gateway may say another word. */
export const taskFailures = [
  'busy',
  'openings_first',
  'stopped',
  'modem_not_ready',
  'no_network',
  'no_answer',
  'unclear',
  'refused',
] as const
export type TaskFailure = (typeof taskFailures)[number]
/** Why a task ended without a report of its gateway. */
export type CloudFailure = 'offline' | 'cannot' | 'restarted' | 'silent'

const done = <Kind extends TaskKind, Properties extends TProperties>(kind: Kind, properties: Properties) =>
  closed({ taskId: TaskId, kind: Type.Literal(kind), state: Type.Literal('done'), ...properties })

/** Up: how a task has ended. The header names the boot. The report is repeated when the same task comes again. */
export const TaskReport = Type.Union([
  closed({
    taskId: TaskId,
    state: Type.Literal('not_done'),
    reason: openWords(taskFailures),
    detail: Type.Optional(Type.String({ maxLength: 80, description: 'What the modem or the network said' })),
  }),
  done('ussd', { answer: UssdAnswer }),
  done('sms', SmsOutcome),
  /** It was passed to the program that installs. How that ended comes with a beat. */
  done('update', {}),
])
export type TaskReport = Static<typeof TaskReport>
