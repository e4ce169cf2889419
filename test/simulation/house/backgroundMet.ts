// Counts where tasks met openings, kills and messages, and how messages were answered: the log has no line for such a meeting.

import { smsAnswerWithinMs } from '@callgate/contract/wire/timing'
import { phoneNumberOf } from './furnish.ts'
import type { House } from './house.ts'
import { detailsOf } from './messageChecks.ts'
import type { Truth } from './truth.ts'

/** The ways in which the answer to a message arrives, by the names under which they are counted. */
export const answerWays = ['ucs2', 'parts', 'fromOtherNumber', 'never', 'late'].map(way => `answer: ${way}`)

/** How the module answered a message, or that its day had too many. */
function metByMessage(house: House, { tasks, told }: Truth, taskId: string): readonly string[] {
  const task = tasks.find(({ id, kind }) => id === taskId && kind === 'sms')
  const words = told.find(one => one.told.taskId === taskId)?.told
  if (!task || !words) return []
  if (words.state === 'not_done')
    return words.detail === 'too many messages today' ? ['message refused by the limit of a day'] : []
  if (words.kind !== 'sms') return []
  const { phoneNumber } = detailsOf(task)
  const gate = house.gates.find((_, place) => phoneNumberOf(place) === phoneNumber)
  const { answers, answersAfterMs = 0 } = gate?.listens ?? {}
  const isLate = answers === undefined && answersAfterMs > smsAnswerWithinMs
  const way = isLate ? 'late' : answers
  const isRead = way === 'ucs2' || way === 'parts'
  return way !== undefined && isRead === (words.answer?.isWhole === true) ? [`answer: ${way}`] : []
}

/** The fate of messages that belong to no task: confirmations of gates, and those that the cloud refused. */
function logGateMessages({ world }: House, { rows }: Truth): void {
  for (const { id, reason } of rows)
    if (reason === 'confirmed')
      world.log.info('a gate confirmed', { who: 'house', met: ['gate confirms by message'], openingId: id })
  for (const { fields, message } of world.lines.slice())
    if (message === 'asks for a message' && String(fields.why).includes('five messages'))
      world.log.info('a gate had enough', { who: 'house', met: ['message refused by the limit of a gate'] })
}

/** Logs each meeting in the name of the house, so that it is counted with the faults and appears in the trace. */
export function logMeetings(house: House, truth: Truth): void {
  const { world } = house
  logGateMessages(house, truth)
  const isDeath = /^killed/
  const cloudDeaths = world.lines.filter(
    ({ fields, message }) => isDeath.test(message) && String(fields.who).startsWith('cloud'),
  )
  const strangers = world.lines.filter(({ message }) => message === 'a stranger writes')
  for (const { beganMs, endedMs, gatewayId, taskId } of truth.taskRuns) {
    const isIn = ({ atMs }: { readonly atMs: number }) =>
      atMs > beganMs && atMs < (endedMs ?? beganMs + 30_000)
    const isMessage = truth.tasks.some(({ id, kind }) => id === taskId && kind === 'sms')
    const { name } = truth.gateways.find(gateway => gateway.gatewayId === gatewayId) ?? {}
    const isWrittenTo = strangers.some(line => line.fields.who === name && isIn(line))
    const met = [
      ...(truth.hints.some(hint => hint.gatewayId === gatewayId && isIn(hint))
        ? ['opening while a task runs']
        : []),
      ...(endedMs === undefined ? ['gateway killed in a task'] : []),
      ...(cloudDeaths.some(isIn) ? ['cloud killed in a task'] : []),
      ...(isMessage && isWrittenTo ? ['stranger writes while an answer is waited for'] : []),
      ...metByMessage(house, truth, taskId),
    ]
    if (met.length > 0) world.log.info('a task was met', { who: 'house', met, taskId })
  }
}
