// Why a gateway is not enrolled, worded for a person beside it.

import { EnrolmentProblemBody, type EnrolmentRefusal } from '@callgate/contract/enrolment/enrolmentOperations'
import { checker } from '@callgate/contract/validate'
import type { Came, Distrust } from './enrolmentCalls.ts'

/**
 * Why a gateway is not enrolled: a reason of the cloud, or a local one. `other_cloud`: an answer is not signed by the right key.
 */
export type EnrolFailure =
  | EnrolmentRefusal
  | 'bad_code'
  | 'bad_address'
  | 'nothing_begun'
  | 'other_cloud'
  | 'not_the_cloud'
  | Distrust
  | 'not_reached'
  | 'not_understood'
  | 'not_stored'

export interface NotEnrolled {
  readonly ok: false
  readonly code: EnrolFailure
  readonly message: string
}

export const refuse = (code: EnrolFailure, message: string): NotEnrolled => ({
  ok: false,
  code,
  message,
})

export const otherCloud = refuse(
  'other_cloud',
  'What answers at this address is not the cloud whose code this is: its key is another one. Nothing was stored. Check the address. If it is right, the key of the cloud was replaced since the code was made, so make a new code; or somebody stands between.',
)
export const notUnderstood = refuse(
  'not_understood',
  'The cloud answers in a way that this program does not know. Bring the program and the cloud to their newest versions.',
)

const checkProblem = checker(EnrolmentProblemBody, 'the answer')

type Answered = Extract<Came, { isAnswer: true }>

/** The failure with advice where something other than the cloud answers. */
export function notTheCloud(cloudUrl: string, { sendsTo, status }: Answered): NotEnrolled {
  const orElse = 'the network here wants a sign-in first, or a proxy stands between'
  return refuse(
    'not_the_cloud',
    status >= 300 && status < 400 && sendsTo !== undefined
      ? `${cloudUrl} sends this program on to ${sendsTo}, and the code was not sent there. If that is the cloud, give its address instead. If not, ${orElse}.`
      : `What answers at ${cloudUrl} is not the cloud: it answers ${status} with something else. Give the address that the dashboard has in the browser, such as https://gates.example.com, with nothing behind the host. If it is right, ${orElse}.`,
  )
}

/** A retry would meet the same certificate. */
export const notTrusted = (cloudUrl: string, distrust: Distrust, why: string) =>
  refuse(distrust, `${cloudUrl} is not trusted, and is asked nothing more: ${why}.`)

export const notReached = (cloudUrl: string, why: string) =>
  refuse(
    'not_reached',
    `${cloudUrl} could not be asked for 10 minutes: ${why}. Nothing is lost: when that has passed, run the same command again, with a new code if this one was not taken in its time.`,
  )

/** The cloud's refusal in its own words; undefined where the answer is not from the cloud. */
export function sayRefusal({ body }: Answered): NotEnrolled | undefined {
  const problem = checkProblem(body)
  if (!problem.ok) return undefined
  const { message, reason } = problem.value.error
  // The sender is not proved, so the text must not control the terminal that shows it.
  return refuse(reason ?? 'not_understood', message.replace(/[\p{Cc}\p{Cf}]+/gu, ' ').slice(0, 500))
}
