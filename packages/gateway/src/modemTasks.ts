// The tasks that the modem carries out.

import { setUpMessage, shownModuleAnswer } from '@callgate/contract/call/setUpMessage'
import type { SigningKey } from '@callgate/contract/wire/signature'
import { aboutSms, mostAnswerCharacters } from '@callgate/contract/wire/sms'
import { smsAnswerWithinMs } from '@callgate/contract/wire/timing'
import type { Modem, SmsResult, UssdResult } from '@callgate/modem/modem'
import type { World } from '@callgate/world/world'
import { isDialable } from './core/phoneNumber.ts'
import type { JournalDisk } from './journalDisk.ts'
import { SentToday } from './sentToday.ts'
import type { TaskRunner, TaskRunners } from './taskRunners.ts'

interface ModemTasksParts {
  readonly world: World
  /** The disk on which the messages and codes of a day are counted. */
  readonly disk: JournalDisk
  readonly gatewayId: string
  readonly signingKey: Pick<SigningKey, 'open'>
  readonly modem: Pick<Modem, 'sms' | 'ussd'>
}

/** Failures of a code that occur before the modem gets it. */
const neverSent = ['modem_busy', 'modem_not_ready', 'no_network'] as const

/** The task's result for a failure of the modem. */
function notDone({ detail, reason }: Extract<UssdResult | SmsResult, { ok: false }>) {
  const isInTheWay = reason === 'modem_busy' || reason === 'cancelled'
  return {
    state: 'not_done',
    reason: isInTheWay ? 'openings_first' : reason,
    ...(detail !== undefined && { detail }),
  } as const
}

const refused = (detail: string) => ({ state: 'not_done', reason: 'refused', detail }) as const

/**
 * Sends a set-up message. It is composed here, from a template and checked values, so that even a cloud under attack cannot send
 * another text. Its password is used for this message only. Neither the text nor the password is kept or logged.
 */
function smsRunner(parts: ModemTasksParts): TaskRunner<'sms'> {
  const { gatewayId, modem, signingKey } = parts
  const sentMessages = new SentToday({ ...parts, of: 'messages' })
  return async (task, ends) => {
    const { brand, callerNumber, phoneNumber, place, sealedPassword } = task
    if (!isDialable(phoneNumber)) return refused('a number that is never called')
    const password = signingKey.open(sealedPassword, aboutSms({ ...task, gatewayId }))
    if (password === undefined) return refused('a password that is not for this gateway and number')
    const text = setUpMessage(brand, callerNumber, { password, place })
    if (text === undefined) return refused('no message of this brand')
    const noted = await sentMessages.note()
    if (noted !== 'noted')
      return refused(noted === 'too_many' ? 'too many messages today' : 'the disk cannot count the message')
    const result = await modem.sms({ phoneNumber, text, answerWithinMs: smsAnswerWithinMs }, ends)
    if (!result.ok) {
      await sentMessages.takeBack()
      return notDone(result)
    }
    const { answer, isSent } = result
    // A masked text can be longer than the original.
    const shown = shownModuleAnswer(answer?.text ?? '', password).slice(0, mostAnswerCharacters)
    return {
      state: 'done',
      sent: isSent ? 'yes' : 'unknown',
      answer: answer && { ...answer, text: shown },
    }
  }
}

/**
 * Sends a USSD code. Networks sell options by such codes, so each code that may have been sent is counted. Where the modem was
 * not free, no code was sent.
 */
function ussdRunner({ disk, modem, world }: ModemTasksParts): TaskRunner<'ussd'> {
  const sentCodes = new SentToday({ disk, world, of: 'codes' })
  return async ({ code }, { cancelled }) => {
    const noted = await sentCodes.note()
    if (noted !== 'noted')
      return refused(noted === 'too_many' ? 'too many codes today' : 'the disk cannot count the code')
    const result = await modem.ussd(code, cancelled)
    if (result.ok) return { state: 'done', answer: { text: result.text, isMenu: result.isMenu } }
    if (neverSent.some(reason => reason === result.reason)) await sentCodes.takeBack()
    return notDone(result)
  }
}

/** The task runners of this modem. None of them dials. */
export function modemTasks(parts: ModemTasksParts): TaskRunners {
  return { ussd: ussdRunner(parts), sms: smsRunner(parts) }
}
