// Refusals: the cloud's answers to requests of a valid form that are not possible. The dashboard has each in every language.

import { type RefusedKind, refusedKinds } from '../number/refusedRanges.ts'
import type { AppProblemCode, Problem, Refusal } from '../rest/problem.ts'
import { magicNumber } from '../sandbox/magicNumbers.ts'
import { fieldRefusals, type InField } from './fieldRefusals.ts'
import { fileRefusals } from './fileRefusals.ts'

const count = (of: number, noun: string) => `${of} ${noun}${of === 1 ? '' : 's'}`
const are = (of: number) => `${of} ${of === 1 ? 'is' : 'are'}`

const conflicts = {
  request_running: () =>
    'The first request with this Idempotency-Key is still running. Send it again to learn its answer.',
  request_answer_lost: () =>
    'The request with this Idempotency-Key was done, but its answer can no longer be read.',

  members_busy: () => 'Others are changing members at this moment, so nothing was changed. Try again.',
  members_changed: () =>
    'Somebody changed some of these members meanwhile, so nothing was changed. Look at the changes again.',
  member_without_email: () =>
    'The member has no e-mail address to send the invitation to. Give the member one first.',
  member_inactive: () =>
    'The member is not active. Reactivate the member in the dashboard, or create another one.',
  member_has_gate: ({ field }: InField) =>
    `${field}: a member has one access for each gate, and there is one for this gate. Give it further schedules instead.`,
  external_id_taken: ({ id }: { readonly id: string }) =>
    `externalId: ${id} has this id already. It is free once that one is deactivated or has another.`,
  member_linked: () => 'memberId: this member is linked to another user already.',

  only_owner: () =>
    'This is the only owner, and a Space keeps at least one. Make somebody else an owner first.',
  user_known: ({ email }: { readonly email: string }) => `${email} is a user of this Space already.`,
  roles_changed: () => 'The roles of the user were changed meanwhile.',
  codes_on: () => 'An authenticator app is set up already. Remove it first.',
  codes_off: () => 'No authenticator app is set up.',
  codes_locked: () =>
    'Too many wrong codes were given, so no code of the app is taken here. Give a recovery code, or ask whoever runs this Callgate.',
  codes_not_begun: () => 'There is no secret to confirm. Begin again.',
  passkeys_full: ({ most }: { readonly most: number }) =>
    `A user has at most ${most} passkeys. Remove one that is not used any more.`,
  passkey_known: () => 'This passkey is there already.',

  calibration_none: () => 'No calibration of this gate goes on. Start one first.',
  calibration_goes_on: () => 'This gate is being calibrated already. Go on with it, or end it first.',
  calibration_unfinished: () => 'Make the test calls first, and say after each whether the gate moved.',
  calibration_cannot_tell: () =>
    'The test calls do not tell how the gate takes a call, so there is nothing to accept.',
  calibration_misread: () =>
    'With this profile one of the test calls would be read wrongly. Accept what is proposed, or set the profile by hand.',
  calibration_rung_too_short: () =>
    'ringHangupMs is shorter than the gate rang in a test call before it moved. Accept what is proposed, or let it ring longer.',
  calibration_full: ({ most }: { readonly most: number }) =>
    `After ${most} calls a calibration has to start again.`,
  test_call_unclear: () => 'This test call still runs, or says nothing about the gate.',
  test_call_running: () => 'The last test call still runs.',
  test_call_unanswered: () => 'Say first whether the gate moved after the last test call.',
  test_call_needless: () => 'No more test calls are needed. Accept what they say, or start again.',
  test_call_rest: ({ leftS }: { readonly leftS: number }) =>
    `The gate has to come to rest: wait ${leftS} s more.`,
  hidden_call_early: () => 'The call with the hidden number comes after a proposal.',
  hidden_call_made: () => 'The call with the hidden number was made already.',

  gateway_asked: () => 'Something else is asked of this gateway. Try again in a moment.',
  gateway_too_old: () => 'This gateway’s version cannot do that. Update it.',
  gateway_shut_out: () => 'This gateway is shut out for good. Make it a new key and add it again.',
  gateway_key_known: () =>
    'Another gateway has this public key already. Give each gateway a key of its own: "gateway keygen" makes one.',
  gateway_key_held: ({ gateway }: { readonly gateway: string }) =>
    `The gateway ${gateway} of this Space has this public key already. Give each gateway a key of its own: "gateway keygen" makes one.`,
  gateway_key_revoked: ({ gateway }: { readonly gateway: string }) =>
    `The gateway ${gateway} of this Space has this public key already, and is revoked. Give each gateway a key of its own: "gateway keygen" makes one.`,
  sim_without_code: () => 'There is no code to ask by. Set the one of the network first.',
  sim_asking: () => 'The network is being asked already.',
  sim_asked: () => 'The network was asked less than a minute ago. Wait a moment.',
  setup_no_number: () => 'Type the number of the gateway’s SIM card first.',
  setup_cannot_send: () => 'This gateway’s version cannot send messages. Update it.',
  setup_number_refused: ({ kind, prefix }: { readonly kind: RefusedKind; readonly prefix: string }) =>
    `The number of the gate begins with ${prefix}, ${refusedKinds[kind]}, which is never called.`,
  setup_too_many: () => 'This gate was sent five messages in the last 24 hours. Send the next one by phone.',
  setup_opening: () => 'A gate is being opened. Send the message when that is over.',
  update_by_hand: () =>
    'The program of this gateway takes no update from the cloud. Update it at the gateway itself, once.',
  update_not_offered: ({ version }: { readonly version: string }) =>
    `Version ${version} is not offered to this gateway now. Look again.`,

  enrolment_own_broker: () =>
    'The accounts at the broker of this cloud are kept by its operator, so no code can admit a gateway. Add it by its public key; or the operator sets MQTT_ADMIN_URL.',
  enrolments_full: ({ most }: { readonly most: number }) =>
    `At most ${most} codes may wait at once. Take one back first.`,
  enrolment_replaces_revoked: () =>
    'The gateway that is to be replaced is revoked already. Add a gateway without it.',
  enrolment_other_fingerprint: () =>
    'The fingerprint is another one now. Compare it once more with the one that the gateway shows.',
  enrolment_not_pending: () =>
    'There is no gateway to confirm: none has taken the code, or its time is over. Make a new code.',
  enrolment_key_known: () =>
    'Another gateway was enrolled with the key of this one. Refuse it and make a new code: for each code a gateway makes another key.',
  enrolment_confirmed: () => 'The gateway was confirmed already. To shut it out, revoke it.',

  sandbox_gateway: () => 'A sandbox has no gateways: its calls are played. Add the gateway to a live Space.',
  proof_of_sandbox: () => 'A sandbox calls nobody, so there is nothing to prove.',
  webhook_stopped: () => 'Nothing is sent to this webhook now: it is switched off. Let it go on first.',

  proof_lost: () =>
    'The cloud has signed with another key when this call was granted, and did not keep its signature, so there is no proof of it any more. A proof that was saved before holds with that key.',
}

interface InLimit {
  readonly limit: number
  readonly used: number
}

const limits = {
  gateway_limit: ({ limit, used }: InLimit) =>
    `This Space may have ${count(limit, 'gateway')}, and ${are(used)} in use; this limit does not reset. Revoke one that is not used any more, or have the limit raised.`,
  key_limit: ({ limit, used }: InLimit) =>
    `This Space may have ${count(limit, 'API key')}, and ${are(used)} in use; this limit does not reset. Revoke one that is not used any more, or have the limit raised.`,
  webhook_limit: ({ limit, used }: InLimit) =>
    `This Space may have ${count(limit, 'webhook')}, and ${are(used)} in use; this limit does not reset. Remove one that is not used any more, or have the limit raised.`,
  user_limit: ({ limit, used }: InLimit) =>
    `This Space may have ${count(limit, 'user')}, and ${are(used)} in use, open invitations among them; this limit does not reset. Remove a user or take back an invitation, or have the limit raised.`,
  gate_limit: ({ limit, used }: InLimit) =>
    `This Space may have ${count(limit, 'active gate')}, and ${are(used)} in use; this limit does not reset. Deactivate a gate, or have the limit raised.`,
  sandbox_limit: ({ limit, used }: InLimit) =>
    `An owner may have ${count(limit, 'sandbox').replace('sandboxs', 'sandboxes')}, and ${are(used)} in use. Reset one of them instead.`,
  invitation_limit: ({
    limit,
    resetsAt,
    timezone,
    used,
  }: {
    readonly limit: number
    readonly used: number
    readonly resetsAt: string
    readonly timezone: string
  }) =>
    `This Space may have ${count(limit, 'invitation')} a month, every new member being one, and ${are(used)} used; this resets at ${resetsAt}, when the next month begins in ${timezone}. Wait until then, or have the limit raised.`,
}

interface InMails {
  readonly most: number
  readonly waitS: number
  readonly freeAt: string
}
const nextMail = ({ freeAt, waitS }: InMails) =>
  `Another is taken in ${waitS} s, at ${freeAt}; nothing was done.`

/** Returned with 429 when something is done too often. */
const rates = {
  mails_to_address: (mails: InMails) =>
    `At most ${mails.most} mails of a Space may go to one address in any 24 hours. ${nextMail(mails)}`,
  mails_of_space: (mails: InMails) =>
    `At most ${mails.most} mails may be sent by this Space in any 24 hours. ${nextMail(mails)}`,
}

const whatMay = (allowed: string) =>
  `; allowed are ${allowed}. The operator of the service can change this list`

const invalid = {
  number_characters: ({ field }: InField) => `${field} may contain only digits, spaces and + ( ) - .`,
  number_without_digits: ({ field }: InField) =>
    `${field} must have digits, with at most one + in front of them`,
  number_short: ({ field }: InField) => `${field} is an emergency or short number, which is never called`,
  number_without_country: ({ field }: InField) => `${field} must begin with + and the country code`,
  number_length: ({ field }: InField) => `${field} must have 8 to 15 digits`,
  number_unread: ({ field }: InField) => `${field} is not a phone number`,
  number_too_long: ({ field }: InField) => `${field} is too long for its country`,
  number_impossible: ({ country, field }: InField & { readonly country: string }) =>
    `${field} is not a possible number in ${country}`,
  number_of_sandbox: ({ field }: InField) =>
    `${field} must be a number of the sandbox, such as ${magicNumber('confirmed')}: each stands for one way in which a call ends, and nobody has it`,
  number_range: ({
    field,
    kind,
    prefix,
  }: InField & { readonly kind: RefusedKind; readonly prefix: string }) =>
    `${field} begins with ${prefix}, ${refusedKinds[kind]}, which is never called`,
  number_country: ({
    allowed,
    country,
    field,
  }: InField & { readonly country: string; readonly allowed: string }) =>
    `${field} belongs to a country that may not be called (${country})${whatMay(allowed)}`,
  number_calling_code: ({
    allowed,
    code,
    field,
  }: InField & { readonly code: string; readonly allowed: string }) =>
    `${field} has a calling code that may not be called (${code})${whatMay(allowed)}`,

  password_short: ({ least, length }: { readonly least: number; readonly length: number }) =>
    `The password must have at least ${least} characters; this one has ${length}. Several words are easy to remember.`,
  password_long: ({ length, most }: { readonly most: number; readonly length: number }) =>
    `The password must have at most ${most} characters; this one has ${length}.`,
  password_guessed: () =>
    'The password is one of those that are guessed first: it is common, repeats itself, follows the keyboard, or is made of the name or the e-mail. Take several words that do not belong together.',
  code_wrong: () =>
    'code: this is not the code that the app shows now. Check that the clock of the phone is right.',
  passkey_unchecked: () => 'credential: the passkey could not be checked, or it took too long. Begin again.',
  email_unread: () => 'email is no address',
  gateway_key_unread: () => 'publicKey must be the key that "gateway keygen" prints',
  setup_password: () => 'password must be as the manual of this brand has it: four digits for most.',
  setup_place: () =>
    'place must be three digits where the message of this brand has a place, and absent where it has none.',
  webhook_not_https: () =>
    'url must begin with https:// and have neither a user, a password nor a part after #',
  webhook_no_name: () =>
    'url must name its host by a public name, such as desk.example.com, and not by a number or a name of a local network',
  webhook_own_host: () => 'url must not lead to this service itself',
  webhook_port: ({ allowed }: { readonly allowed: string }) => `url must have one of the ports ${allowed}`,
  key_end_past: () => 'expiresAt must lie in the future',
  hours_equal: () => 'hours.to must be another time than hours.from',
  profile_window: ({ most }: { readonly most: number }) =>
    `reactMinMs must be at most reactMaxMs, which is ${most}`,
  profile_ring: ({ least }: { readonly least: number }) =>
    `maxRingMs must be more than ringTimeMs, which is ${least}: else we hang up before the module does`,
}

const texts = { ...conflicts, ...limits, ...rates, ...invalid, ...fieldRefusals, ...fileRefusals }
type Texts = typeof texts

export type RefusalName = keyof Texts
/** The placeholders in the text of a refusal. */
export type RefusalValues<Name extends RefusalName> =
  Parameters<Texts[Name]> extends [infer Values] ? Values : Record<never, never>

/** The names, in no particular order. */
export const refusalNames = Object.keys(texts) as RefusalName[]

function codeOf(name: RefusalName): AppProblemCode {
  if (name in conflicts) return 'conflict'
  if (name in rates) return 'rate_limited'
  return name in limits ? 'plan_limit_reached' : 'validation_error'
}

/** A refusal: its English message, and its name and values, by which the dashboard words it in its own languages. */
export interface Said {
  readonly message: string
  readonly refusals: [Refusal]
}

export function sayRefusal<Name extends RefusalName>(name: Name, ...[values]: Parameters<Texts[Name]>): Said {
  const say = texts[name] as (values: object) => string
  const told = (values ?? {}) as Refusal['values']
  return { message: say(told), refusals: [{ name, values: told }] }
}

/** The problem that a refusal is. */
export function refuse<Name extends RefusalName>(
  name: Name,
  ...values: Parameters<Texts[Name]>
): Problem & Said {
  return { problem: codeOf(name), ...sayRefusal(name, ...values) }
}
