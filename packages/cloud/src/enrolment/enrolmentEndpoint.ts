// Answers a gateway that is being enrolled: it takes a code, and asks for its login with a proof by its key.

import {
  type Agreement,
  commitmentOf,
  type EnrolledLogin,
  loginBytes,
  offerBytes,
  proofBytes,
} from '@callgate/contract/enrolment/agreement'
import type { EnrolmentRefusal } from '@callgate/contract/enrolment/enrolmentOperations'
import type { Problem } from '@callgate/contract/rest/problem'
import { type SigningKey, verifyingKey } from '@callgate/contract/wire/signature'
import { isoTime, type World } from '@callgate/world/world'
import type { Database, Db } from '../database/database.ts'
import { timeIn } from '../database/databaseTime.ts'
import type { GatewayLogin } from '../gateway/gatewayHandlers.ts'
import { forgetPassword } from '../gateway/gatewayRows.ts'
import { openPassword } from '../gateway/gateways.ts'
import type { EnrolmentHandlers } from '../http/handler.ts'
import type { Limits } from '../limit/limits.ts'
import type { Seal } from '../secrets/sealing.ts'
import { newestOf, type SigningKeys } from '../secrets/signingKeys.ts'
import { decideAsking, decideCode } from './core/enrolmentDecision.ts'
import {
  agreementOf,
  countWrongTry,
  type EnrolmentRow,
  findByCode,
  findEnrolment,
  isRightCode,
  noteNonce,
  noteStored,
  offeredKeys,
  takeCode,
} from './enrolmentRows.ts'

interface EnrolmentEndpointParts {
  readonly database: Database
  readonly world: World
  readonly limits: Limits
  readonly seal: Pick<Seal, 'unseal'>
  readonly signing: () => SigningKeys
  readonly login: () => GatewayLogin
}

/** The limit on wrong codes of one network. */
const codesOfNetwork = { most: 20, windowMs: 15 * 60_000 }
/** When a waiting gateway asks again: soon while somebody is likely to stand beside it. Seconds. */
const againInS = { soon: 3, later: 15 } as const
const soonForMs = 10 * 60_000

/** The answers to a gateway that is not enrolled. A person beside it reads them. */
const messages: Readonly<Record<EnrolmentRefusal, string>> = {
  wrong_code:
    'There is no such code, or it was sent wrong five times. Compare it with the one that is shown, or make a new one.',
  code_expired: 'The time of this code is over. Make a new one on the dashboard.',
  code_used:
    'Another gateway has used this code before. If it is not one of yours, refuse it on the dashboard. Make a new code for this one.',
  code_spent:
    'This code was sent wrong five times, so it is no longer taken. Make a new one on the dashboard.',
  code_cancelled: 'This code was taken back on the dashboard. Make a new one there.',
  known_key:
    'A gateway was enrolled with the key of this one before. Make a new code: for each code a gateway makes another key.',
  not_confirmed: 'This gateway was refused on the dashboard. Make a new code there to try again.',
  too_late: 'Nobody has confirmed this gateway in time. Make a new code on the dashboard, and begin again.',
  handed_out:
    'This gateway has been given what it connects with before. If that is lost, replace the gateway on the dashboard.',
}

function refused(reason: EnrolmentRefusal): Problem {
  const problem = reason === 'wrong_code' ? 'not_found' : 'conflict'
  return { problem, message: messages[reason], extra: { reason } }
}

const tooOften = (againInMs: number): Problem => {
  const afterS = Math.ceil(againInMs / 1000)
  return {
    problem: 'rate_limited',
    message: `Too many wrong codes came from this network. Another is taken in ${afterS} s.`,
    headers: { 'Retry-After': String(afterS) },
  }
}

/** The same answer for an unknown enrolment and for an invalid proof. */
const noProof: Problem = {
  problem: 'not_found',
  message: 'There is no enrolment of this gateway with this id. Begin again with a code.',
}

type Signed = { readonly gatewayNonce: string; readonly signature: string }

/** The agreement with the gateway that has signed; undefined when the proof is not valid. */
function proved(row: EnrolmentRow, kind: 'ask' | 'stored', { gatewayNonce, signature }: Signed) {
  const known = agreementOf(row)
  if (!known || row.commitment !== commitmentOf({ ...known, gatewayNonce })) return undefined
  const agreement: Agreement = { ...known, gatewayNonce }
  const bytes = proofBytes(kind, agreement)
  const isHeld = verifyingKey(known.publicKey)?.verify(bytes, Buffer.from(signature, 'base64url'))
  return isHeld ? agreement : undefined
}

/**
 * The key that signs for a gateway: the newest key of its offer, because it trusts no other. The signing key may be rotated
 * between its code and its login. Where no key of the offer is left, the gateway refuses whatever is signed.
 */
function signerFor({ cloudKeys }: Pick<Agreement, 'cloudKeys'>, { keys, number }: SigningKeys): SigningKey {
  const named = keys.filter(({ publicKey }) => cloudKeys.includes(publicKey))
  return newestOf({ keys: named.length > 0 ? named : keys, number })
}

/** The offer to the gateway that has taken the code. */
function offerTo(row: EnrolmentRow, signing: SigningKeys) {
  const known = agreementOf(row)
  if (!known || row.commitment === null) throw new Error('an offer without a gateway')
  const { cloudKeys, cloudNonce, enrolmentId } = known
  const signature = signerFor(known, signing).sign(offerBytes({ ...known, commitment: row.commitment }))
  const body = {
    enrolmentId,
    cloudNonce,
    cloudKeys: [...cloudKeys],
    signature: signature.toString('base64url'),
  }
  return { status: 200, body } as const
}

/** The login of a confirmed gateway; undefined when its password cannot be unsealed. */
async function loginOf(
  db: Db,
  { login, seal }: EnrolmentEndpointParts,
  gatewayId: string,
): Promise<EnrolledLogin | undefined> {
  const row = await db('gateways').where({ id: gatewayId }).first('passwordSealed')
  const mqttPassword = row?.passwordSealed && openPassword(seal, gatewayId, row.passwordSealed)
  if (!mqttPassword) return undefined
  const { ca, cloudKeys, mqttUrl } = login()
  return { gatewayId, mqttUrl, mqttPassword, cloudKeys: [...cloudKeys], ...(ca !== undefined && { ca }) }
}

/** The enrolment of a gateway that has proved its key; otherwise undefined. */
async function findProved(db: Db, enrolmentId: string, kind: 'ask' | 'stored', signed: Signed) {
  const row = await findEnrolment(db, { id: enrolmentId })
  const agreement = row && proved(row, kind, signed)
  return row && agreement ? { row, agreement } : undefined
}

/** Answers a code, and counts its tries. */
function takingCodes({
  limits,
  database,
  login,
  signing,
  world,
}: EnrolmentEndpointParts): EnrolmentHandlers['takeCode'] {
  const codeLimits = limits.group({ 'enrolment codes by network': codesOfNetwork })
  return async ({ addressGroup, body }) => {
    const { code, commitment, device, publicKey } = body
    const counted = await codeLimits.takeAll({ 'enrolment codes by network': addressGroup })
    if (!counted.ok) return tooOften(counted.againInMs)
    const found = await findByCode(database.knex, code)
    if (!found) return refused('wrong_code')
    // The tries are counted under the lock of the Space, so that two at once never count as one, in whatever cloud.
    const answer = await database.write(
      async tx => {
        const row = await findEnrolment(tx, { id: found.id })
        if (!row) return refused('wrong_code')
        const sent = { isRight: isRightCode(row, code), publicKey, commitment }
        const decision = decideCode(row, sent, timeIn(tx, world))
        if (decision.kind === 'refuse') return refused(decision.reason)
        if (decision.kind === 'again') return offerTo(row, signing())
        if (decision.kind === 'wrong') {
          if (decision.counts) await countWrongTry(tx, row)
          return refused('wrong_code')
        }
        if (await tx('gateways').where({ publicKey }).first('id')) return refused('known_key')
        const cloudKeys = offeredKeys(row, login().cloudKeys)
        return offerTo(
          await takeCode(tx, world, row, { publicKey, commitment, device, cloudKeys }),
          signing(),
        )
      },
      { spaceId: found.spaceId },
    )
    if (!('problem' in answer) || answer.problem !== 'not_found') await counted.giveBack()
    return answer
  }
}

/** Answers a gateway that asks for its login. */
function handingOut(parts: EnrolmentEndpointParts): EnrolmentHandlers['askForLogin'] {
  const { database, signing, world } = parts
  return async ({ body, params: { enrolmentId } }) => {
    const found = await findProved(database.knex, enrolmentId, 'ask', body)
    if (!found) return noProof
    const { agreement, row } = found
    const { gatewayId, spaceId, takenAt } = row
    const nowMs = world.nowMs()
    const gateway = gatewayId && (await database.knex('gateways').where({ id: gatewayId }).first('revokedAt'))
    const decision = decideAsking(row, Boolean(gateway && gateway.revokedAt !== null), nowMs)
    if (decision.kind === 'refuse') return refused(decision.reason)
    if (decision.kind === 'wait' || gatewayId === null) {
      if (row.gatewayNonce === null) await database.write(tx => noteNonce(tx, world, agreement), { spaceId })
      const isSoon = isoTime(nowMs - soonForMs) < (takenAt ?? '')
      return { status: 200, body: { state: 'waiting', againInS: againInS[isSoon ? 'soon' : 'later'] } }
    }
    const given = await loginOf(database.knex, parts, gatewayId)
    if (!given) return refused('handed_out')
    const signature = signerFor(agreement, signing()).sign(loginBytes(row.id, given)).toString('base64url')
    const told = { ...given, cloudKeys: [...given.cloudKeys] }
    return { status: 200, body: { state: 'confirmed', login: told, signature } }
  }
}

/** The handlers for gateways that are being enrolled. */
export function enrolmentEndpoint(parts: EnrolmentEndpointParts): EnrolmentHandlers {
  const { database, login, world } = parts
  return {
    takeCode: takingCodes(parts),
    askForLogin: handingOut(parts),

    async confirmStored({ body, params: { enrolmentId } }) {
      const found = await findProved(database.knex, enrolmentId, 'stored', body)
      if (!found) return noProof
      const { endedAs, gatewayId, spaceId, storedAt } = found.row
      if (endedAs !== 'confirmed' || gatewayId === null) return refused('not_confirmed')
      if (storedAt !== null) return { status: 204 }
      const isKept = login().keepPassword !== undefined
      await database.write(
        async tx => {
          await noteStored(tx, world, found.row)
          // Afterwards only an operator's broker needs the password.
          if (!isKept) await forgetPassword(tx, { gatewayId, spaceId })
        },
        { spaceId },
      )
      return { status: 204 }
    },
  }
}
