// What happened beside the openings of a run: tasks as they were requested, run and reported, calibrations, and what each modem
// read.

import type { TaskRow } from '@callgate/cloud/task/taskRows'
import type { CallProfile } from '@callgate/contract/call/callProfile'
import { readHint } from '@callgate/contract/validate'
import type { Envelope } from '@callgate/contract/wire/messages'
import type { TaskReport } from '@callgate/contract/wire/tasks'
import { readUpTopic } from '@callgate/contract/wire/topics'
import type { House } from './house.ts'

/** What one daemon did with one task. */
export interface TaskRun {
  readonly gatewayId: string
  readonly taskId: string
  readonly beganMs: number
  /** Undefined: its daemon died before the end. */
  readonly endedMs: number | undefined
}

/** The end of a task as a gateway reported it, with the text that was sent. */
export interface ToldTask {
  readonly atMs: number
  readonly gatewayId: string
  readonly bootId: string | undefined
  readonly told: TaskReport
  readonly text: string
}

/** A line on the wire of a modem, as the modem read or wrote it. */
interface WireLine {
  readonly atMs: number
  readonly direction: 'toModem' | 'fromModem'
  readonly text: string
}

export type TaskFact = Pick<
  TaskRow,
  'id' | 'gatewayId' | 'bootId' | 'createdAt' | 'details' | 'endedAt' | 'endedAs' | 'kind' | 'reason' | 'told'
>

export interface BackgroundFacts {
  readonly tasks: readonly TaskFact[]
  readonly taskRuns: readonly TaskRun[]
  readonly told: readonly ToldTask[]
  /** The messages that the network took from each modem, oldest first. */
  readonly messages: readonly { readonly gatewayId: string; readonly to: string; readonly text: string }[]
  /** When each daemon heard a hint. */
  readonly hints: readonly { readonly atMs: number; readonly gatewayId: string; readonly openingId: string }[]
  /** The last answer of each network that the cloud has stored. */
  readonly sims: readonly { readonly id: string; readonly answer: string | null }[]
  /** The openings that were granted with a profile for observing, and the current calibration of each gate. */
  readonly observing: readonly string[]
  readonly calibrations: readonly { readonly gateId: string; readonly openingIds: readonly string[] }[]
  /** The lines between each gateway and its modem that belong to a task or a call, or begin anew. */
  readonly lines: readonly { readonly gatewayId: string; readonly lines: readonly WireLine[] }[]
}

/** The facts of a run where nothing happened beside the openings. */
export const quietBackground: BackgroundFacts = {
  tasks: [],
  taskRuns: [],
  told: [],
  messages: [],
  hints: [],
  sims: [],
  observing: [],
  calibrations: [],
  lines: [],
}

/** A test call waits for whatever the module may do, which is longer than any profile of the house. */
const isObserving = ({ learned, maxRingMs, mode, reactMaxMs }: CallProfile) =>
  mode === 'answer_release' && !learned && maxRingMs === 45_000 && reactMaxMs === 45_000

function taskRunsOf({ gateways, world }: House): readonly TaskRun[] {
  return gateways.flatMap(gateway => {
    const { gatewayId } = gateway
    const { name } = gateway.life()
    const own = world.lines.filter(({ fields }) => fields.who === name)
    return own.flatMap(({ atMs: beganMs, fields: { taskId }, message }) => {
      if (message !== 'a task begins') return []
      const end = own.find(line => line.message === 'a task has ended' && line.fields.taskId === taskId)
      return [{ gatewayId, taskId: String(taskId), beganMs, endedMs: end?.atMs }]
    })
  })
}

function toldIn({ broker }: House): readonly ToldTask[] {
  return broker.published.flatMap(({ atMs, payload, topic }) => {
    const place = readUpTopic(topic)
    if (place?.kind !== 'told') return []
    const { body, bootId } = JSON.parse(payload) as Envelope
    return [{ atMs, gatewayId: place.gatewayId, bootId, told: JSON.parse(body) as TaskReport, text: body }]
  })
}

/** A hint that was altered on its way is dropped by the daemon. */
function openingIn(payload: unknown): string | undefined {
  const read = readHint(Buffer.from(String(payload)))
  return read.ok ? read.value.openingId : undefined
}

function hintsIn({ gateways, world }: House): BackgroundFacts['hints'] {
  return world.lines.flatMap(({ atMs, fields: { payload, topic, who }, message }) => {
    if (who !== 'wire' || message !== 'comes' || !String(topic).endsWith('/hint')) return []
    const { gatewayId } = gateways.find(one => String(topic).includes(one.gatewayId)) ?? {}
    const openingId = openingIn(payload)
    return gatewayId && openingId ? [{ atMs, gatewayId, openingId }] : []
  })
}

const isToldOf = /CUSD|CMGS=|[\x1a\x1b]|ATD|A\/|^\s*at|^(OK|ERROR|RDY)$|^\+CM[ES] ERROR|BEGIN/i

/** The characters that end or leave a message do not end a line on the wire. */
const linesIn = ({ text, ...at }: WireLine): WireLine[] =>
  text.split(/(?<=[\x1a\x1b])/).map(part => ({ ...at, text: part }))

export async function backgroundFactsOf(house: House): Promise<BackgroundFacts> {
  const gates = await house.rows<{ id: string; calibration: string | null }>(
    'select id, calibration from gates',
  )
  const granted = await house.rows<{ id: string; grantedProfile: string }>(
    'select id, "grantedProfile" from openings where "grantedProfile" is not null',
  )
  return {
    tasks: await house.rows<TaskFact>('select * from tasks order by "createdAt", id'),
    taskRuns: taskRunsOf(house),
    told: toldIn(house),
    messages: house.gateways.flatMap(({ gatewayId, simulator }) =>
      simulator.state().sent.map(({ text, to }) => ({ gatewayId, to, text })),
    ),
    hints: hintsIn(house),
    sims: await house.rows('select id, answer from sims'),
    observing: granted.flatMap(({ grantedProfile, id }) =>
      isObserving(JSON.parse(grantedProfile)) ? [id] : [],
    ),
    calibrations: gates.flatMap(({ calibration, id: gateId }) => {
      const { calls } = JSON.parse(calibration ?? '{"calls":[]}') as {
        readonly calls: { openingId: string }[]
      }
      return [{ gateId, openingIds: calls.map(({ openingId }) => openingId) }]
    }),
    lines: house.gateways.map(({ gatewayId, simulator }) => ({
      gatewayId,
      lines: simulator
        .wireLog()
        .flatMap(linesIn)
        .filter(({ text }) => isToldOf.test(text)),
    })),
  }
}
