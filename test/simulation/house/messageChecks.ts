// Checks of messages (SMS): each belongs to a task, is sent once and to its number alone, is reported truly, and delays no
// opening.

import { setUpMessage, shownModuleAnswer } from '@callgate/contract/call/setUpMessage'
import type { TaskOf, TaskReport } from '@callgate/contract/wire/tasks'
import { mostInDay } from '@callgate/gateway/sentToday'
import type { TaskFact } from './backgroundFacts.ts'
import { confirmationText, modulePassword } from './furnish.ts'
import { meets } from './spans.ts'
import type { Truth } from './truth.ts'

/** The requested message. */
export const detailsOf = ({ details }: TaskFact) => JSON.parse(details) as TaskOf<'sms'>

function textOf(task: TaskFact): string | undefined {
  const { brand, callerNumber, place } = detailsOf(task)
  return setUpMessage(brand, callerNumber, { password: modulePassword, place })
}

type ToldOfSms = Extract<TaskReport, { readonly kind: 'sms' }>
const isSaidDone = (told: TaskReport): told is ToldOfSms => told.state === 'done' && told.kind === 'sms'

/**
 * Promise T3: a message is sent at most once for each task that begins, to its number alone and in its words. It is not sent
 * where its gateway reports that, and it is sent where its gateway reports that.
 */
function messagesAsAsked({ messages, taskRuns, tasks, told }: Truth): string[] {
  const ofSms = tasks.filter(({ kind }) => kind === 'sms')
  const keyOf = (gatewayId: string, to: string, text: string | undefined) => `${gatewayId} to ${to}: ${text}`
  const keys = new Map(
    ofSms.map(task => [task.id, keyOf(task.gatewayId, detailsOf(task).phoneNumber, textOf(task))]),
  )
  const wordsOf = (id: string) => told.find(one => one.told.taskId === id)?.told
  const count = (isMeant: (id: string) => boolean, key: string) =>
    ofSms.filter(({ id }) => keys.get(id) === key && isMeant(id)).length
  const mayBeSent = (id: string) =>
    taskRuns.some(({ taskId }) => taskId === id) && wordsOf(id)?.state !== 'not_done'
  const isSaidSent = (id: string) => {
    const words = wordsOf(id)
    return words !== undefined && isSaidDone(words) && words.sent === 'yes'
  }
  const sent = messages.map(({ gatewayId, text, to }) => keyOf(gatewayId, to, text))
  return [...new Set([...keys.values(), ...sent])].flatMap(key => {
    const times = sent.filter(one => one === key).length
    const [least, most] = [count(isSaidSent, key), count(mayBeSent, key)]
    return [
      ...(times > most ? [`T3: a message was sent ${times} times and asked ${most} times, by ${key}`] : []),
      ...(times < least
        ? [`T3: a message is told as sent ${least} times and was ${times} times, by ${key}`]
        : []),
    ]
  })
}

/** The answer of the house's modules, in any of their ways. */
function answerOf(task: TaskFact): string {
  const { callerNumber, place } = detailsOf(task)
  return shownModuleAnswer(`${place}:${callerNumber.replace('+', '00')}`, modulePassword)
}

/**
 * Promise T3: a reported answer is the module's answer or a part of it, without its password and number. A message by which the
 * module confirms an opening looks like an answer.
 */
function answersAreOfModules({ calls, tasks, told }: Truth): string[] {
  return told.flatMap(({ atMs, told: words }) => {
    const task = tasks.find(({ id }) => id === words.taskId)
    if (!task || !isSaidDone(words) || words.answer === null) return []
    const { isWhole, text } = words.answer
    const own = answerOf(task)
    const { phoneNumber } = detailsOf(task)
    const hasOpened = calls.some(
      call => call.phoneNumber === phoneNumber && call.relayFired && call.readMs < atMs,
    )
    const isOfModule = (part: string) => part === own || (hasOpened && part === confirmationText)
    const isOwn = text.split(' | ').every(part => isOfModule(part) || (!isWhole && part !== ''))
    return isOwn ? [] : [`T3: ${words.taskId} is told with the answer ${JSON.stringify(text)}`]
  })
}

/** The time from a hint to the last moment at which a message in preparation begins. */
const begunWithinMs = 3_000
/** After that, an opening may have been given up silently. */
const stillWantedMs = 10_000

/** Promise T3: no message begins while an opening waits for its gateway. */
function noneInTheWay({ drift, ends, gateways, hints, lines, sent }: Truth): string[] {
  return lines.flatMap(({ gatewayId, lines: own }) => {
    const { couldNotHangUp = [], starts = [] } = gateways.find(one => one.gatewayId === gatewayId) ?? {}
    const begun = own.filter(({ direction, text }) => direction === 'toModem' && text.startsWith('AT+CMGS='))
    return begun.flatMap(({ atMs }) =>
      hints.flatMap(({ atMs: hintMs, gatewayId: hinted, openingId }) => {
        const isWaiting =
          hinted === gatewayId &&
          hintMs + begunWithinMs * (1 + drift) < atMs &&
          atMs < hintMs + stillWantedMs &&
          (ends.get(openingId) ?? Number.POSITIVE_INFINITY) > atMs &&
          !sent.some(one => one.gatewayId === gatewayId && one.openingId === openingId && one.atMs <= atMs) &&
          !starts.some(start => start.atMs > hintMs && start.diedMs < atMs) &&
          !meets(couldNotHangUp, hintMs, atMs)
        return isWaiting
          ? [`T3: a message began at ${atMs} ms while ${openingId} waited since ${hintMs} ms`]
          : []
      }),
    )
  })
}

/** The longest time from AT+CMGS to the answer of the network. */
const sendsWithinMs = 62_000

/** Promise T3: no ATD is written while the modem waits for a message, or for the network to take it. */
function noCallBeside({ drift, gateways, lines }: Truth): string[] {
  return lines.flatMap(({ gatewayId, lines: own }) => {
    const { couldNotHangUp = [], starts = [] } = gateways.find(one => one.gatewayId === gatewayId) ?? {}
    let sinceMs: number | undefined
    return own.flatMap(({ atMs, direction, text }) => {
      const isFinal = direction === 'fromModem' && /^(?:OK|ERROR|RDY|\+CM[ES] ERROR.*)$/.test(text)
      const isAway =
        sinceMs !== undefined &&
        (meets(couldNotHangUp, sinceMs, atMs) ||
          starts.some(start => start.atMs > (sinceMs ?? 0) && start.atMs <= atMs))
      const isInTime = sinceMs !== undefined && atMs - sinceMs < sendsWithinMs * (1 - drift)
      const found =
        direction === 'toModem' && /^ATD/.test(text) && isInTime && !isAway
          ? [`T3: an ATD at ${atMs} ms beside a message of ${sinceMs} ms, by the modem of ${gatewayId}`]
          : []
      if (direction === 'toModem' && text.startsWith('AT+CMGS=')) sinceMs = atMs
      else if (isFinal || text.endsWith('\x1b')) sinceMs = undefined
      return found
    })
  })
}

/** Promise T3: a gateway sends a limited number of messages in a day, whatever is killed and started. */
function fewInDay({ gateways, messages }: Truth): string[] {
  return gateways.flatMap(({ gatewayId, sentBefore }) => {
    const sent = sentBefore + messages.filter(message => message.gatewayId === gatewayId).length
    return sent > mostInDay ? [`T3: ${gatewayId} sent ${sent} messages in a day`] : []
  })
}

const mostToGate = 5

/**
 * Promise T3: a gate gets a limited number of messages in a day, from all gateways together. A wall clock that is set forward
 * begins another day.
 */
function fewToGate({ clockSetMs, messages }: Truth): string[] {
  if (clockSetMs.length > 0) return []
  return [...new Set(messages.map(({ to }) => to))].flatMap(number => {
    const sent = messages.filter(({ to }) => to === number).length
    return sent > mostToGate ? [`T3: ${number} got ${sent} messages in a day`] : []
  })
}

export const messageChecks = [
  messagesAsAsked,
  answersAreOfModules,
  noneInTheWay,
  noCallBeside,
  fewInDay,
  fewToGate,
]
