// The dashboard's operations on enrolments: a code is created and shown once, and its gateway is confirmed or refused.

import { refuse } from '@callgate/contract/app/refusals'
import { groupedCode } from '@callgate/contract/enrolment/enrolmentCode'
import type { World } from '@callgate/world/world'
import { actorOf } from '../activity/activity.ts'
import type { Database } from '../database/database.ts'
import { timeIn } from '../database/databaseTime.ts'
import type { GatewayLogin } from '../gateway/gatewayHandlers.ts'
import { type BeatsSeen, giveCallerNumber } from '../gateway/gatewayRows.ts'
import { insertGateway, passwordKeeper, shutOut } from '../gateway/gateways.ts'
import { readViewRows, toGatewayView } from '../gateway/gatewayViews.ts'
import type { AppHandlers } from '../http/handler.ts'
import { notFound } from '../http/notFound.ts'
import type { Seal } from '../secrets/sealing.ts'
import { newestOf, type SigningKeys } from '../secrets/signingKeys.ts'
import { isSandbox } from '../space/spaceModes.ts'
import { limitProblem } from '../space/spaces.ts'
import { cardFileOf, linkOf } from './codeForms.ts'
import { confirmFault, enrolmentState } from './core/enrolmentDecision.ts'
import {
  type EnrolmentRow,
  endAsConfirmed,
  endAsRefused,
  findEnrolment,
  insertEnrolment,
  listGoingOn,
  mostGoingOn,
  toEnrolmentView,
} from './enrolmentRows.ts'
import { type GatewayInstaller, installCommandOf } from './gatewayInstaller.ts'

interface EnrolmentHandlersParts {
  readonly database: Database
  readonly world: World
  readonly seal: Pick<Seal, 'seal'>
  readonly heard: Pick<BeatsSeen, 'now'>
  readonly login: () => GatewayLogin
  /** The address at which gateways call the cloud. */
  readonly appUrl: string
  /** Where a new gateway gets its package. */
  readonly installer?: GatewayInstaller | undefined
  /** Signs the answers to a gateway that is being enrolled. */
  readonly signing: () => SigningKeys
}

/** The key of the new gateway may be that of a gateway of any Space. */
const ofAllSpaces = {}

type Names = 'listEnrolments' | 'startEnrolment' | 'getEnrolment' | 'confirmEnrolment' | 'refuseEnrolment'

const answerOf = (row: EnrolmentRow, nowMs: number) => ({ enrolment: toEnrolmentView(row, nowMs) })
const idOf = (params: { readonly enrolmentId: string }, spaceId: string) => ({
  id: params.enrolmentId,
  spaceId,
})

function enrolmentReadHandlers({
  database: { knex },
  world,
}: EnrolmentHandlersParts): Pick<AppHandlers, 'listEnrolments' | 'getEnrolment'> {
  return {
    async listEnrolments({ principal }) {
      const nowMs = world.nowMs()
      const rows = await listGoingOn(knex, principal.spaceId, nowMs)
      return { status: 200, body: { enrolments: rows.map(row => toEnrolmentView(row, nowMs)) } }
    },

    async getEnrolment({ principal, params }) {
      const row = await findEnrolment(knex, idOf(params, principal.spaceId))
      return row ? { status: 200, body: answerOf(row, world.nowMs()) } : notFound('enrolment')
    },
  }
}

/** Creates a code and shows it in all its forms. */
function starting(parts: EnrolmentHandlersParts): AppHandlers['startEnrolment'] {
  const { appUrl, heard, installer, login, signing, world } = parts
  return ({ body, principal, write }) =>
    write(async tx => {
      const { spaceId } = principal
      const { isForCard, replaces = null } = body
      const [replaced] = replaces === null ? [] : await readViewRows(tx, heard, spaceId, replaces)
      if (replaces !== null && !replaced) return notFound('gateway')
      const name = body.name ?? replaced?.name
      if (name === undefined) return { problem: 'validation_error', message: 'name is required' }
      if (login().hasOwnBroker) return refuse('enrolment_own_broker')
      if (replaced && replaced.revokedAt !== null) return refuse('enrolment_replaces_revoked')
      if (await isSandbox(tx, spaceId)) return refuse('sandbox_gateway')
      const nowMs = timeIn(tx, world)
      if ((await listGoingOn(tx, spaceId, nowMs)).length >= mostGoingOn)
        return refuse('enrolments_full', { most: mostGoingOn })
      // The limit is checked again at the confirmation. This check avoids a wasted trip to the new gateway.
      const full = replaced ? undefined : await limitProblem(tx, 'gatewayLimit', { spaceId, nowMs })
      if (full) return full
      const cloudKey = newestOf(signing()).publicKey
      const given = { spaceId, name, replaces, isForCard, cloudKey }
      const { code, row } = await insertEnrolment(tx, world, given, actorOf(principal))
      const shown = { code: groupedCode(code), cloudUrl: appUrl, cloudKey }
      const forms = {
        installCommand: installer && !isForCard ? installCommandOf(installer, shown) : null,
        link: linkOf(shown),
        cardFile: cardFileOf({ ...shown, name, expiresAt: row.expiresAt }),
      }
      return { status: 201, body: { ...answerOf(row, nowMs), ...shown, ...forms } } as const
    })
}

/** Adds the gateway that has taken the code, in place of the one that it replaces. */
function confirming({ heard, seal, world }: EnrolmentHandlersParts): AppHandlers['confirmEnrolment'] {
  return ({ body, principal, params, write }) =>
    write(async tx => {
      const { spaceId } = principal
      const row = await findEnrolment(tx, idOf(params, spaceId))
      if (!row) return notFound('enrolment')
      const nowMs = timeIn(tx, world)
      const fault = confirmFault(row, body.fingerprint, nowMs)
      if (fault === 'other_fingerprint') return refuse('enrolment_other_fingerprint')
      if (fault || row.publicKey === null) return refuse('enrolment_not_pending')
      const { name, publicKey, replaces } = row
      const by = actorOf(principal)
      // Sealed, until the gateway has asked for it.
      const keepPassword = passwordKeeper(seal)
      const [replaced] = replaces === null ? [] : await readViewRows(tx, heard, spaceId, replaces)
      const isInPlace = replaced?.revokedAt === null
      const given = { spaceId, name, publicKey, keepPassword, isInPlace, ...by }
      const added = await insertGateway(tx, world, given)
      if (!added.ok) return added.code === 'limit' ? added.problem : refuse('enrolment_key_known')
      const { gatewayId } = added.gateway
      if (replaced) {
        const { callerNumber, id } = replaced
        await giveCallerNumber(tx, { gatewayId, spaceId }, callerNumber)
        await shutOut(tx, world, { ...replaced, gatewayId: id, spaceId }, by)
      }
      const ended = await endAsConfirmed(tx, world, row, gatewayId)
      const [view] = await readViewRows(tx, heard, spaceId, gatewayId)
      if (!view) return notFound('gateway')
      const gateway = toGatewayView(view, nowMs)
      return { status: 200, body: { ...answerOf(ended, nowMs), gateway } } as const
    }, ofAllSpaces)
}

/** The dashboard's operations on enrolments. */
export function enrolmentHandlers(parts: EnrolmentHandlersParts): Pick<AppHandlers, Names> {
  const { world } = parts
  return {
    ...enrolmentReadHandlers(parts),
    startEnrolment: starting(parts),
    confirmEnrolment: confirming(parts),

    refuseEnrolment: ({ principal, params, write }) =>
      write(async tx => {
        const row = await findEnrolment(tx, idOf(params, principal.spaceId))
        if (!row) return notFound('enrolment')
        if (enrolmentState(row, timeIn(tx, world)) === 'confirmed') return refuse('enrolment_confirmed')
        if (row.endedAt === null) await endAsRefused(tx, world, row, actorOf(principal))
        return { status: 204 } as const
      }),
  }
}
