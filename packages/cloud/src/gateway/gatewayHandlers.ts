// The dashboard's operations on gateways, which are shown, added, changed and shut out.

import { refuse } from '@callgate/contract/app/refusals'
import type { ActivityState } from '@callgate/contract/rest/activity'
import type { Problem } from '@callgate/contract/rest/problem'
import { verifyingKey } from '@callgate/contract/wire/signature'
import type { World } from '@callgate/world/world'
import { actorOf, changesOf } from '../activity/activity.ts'
import { changeRow, endRow, showRow } from '../activity/changeRow.ts'
import type { Database, Db } from '../database/database.ts'
import { forgetKnownNumber } from '../gate/gateCallerHandlers.ts'
import { readCallerNumber } from '../gate/phoneNumber.ts'
import type { AppHandlers, Handlers, Request } from '../http/handler.ts'
import { notFound } from '../http/notFound.ts'
import type { Seal } from '../secrets/sealing.ts'
import { readGatewayHistory } from './gatewayHistory.ts'
import type { BeatsSeen } from './gatewayRows.ts'
import {
  type AddGatewayAnswer,
  givePassword,
  insertGateway,
  type KeepPassword,
  passwordKeeper,
  shutOut,
} from './gateways.ts'
import { readViewRows, toGatewayView, type ViewRow } from './gatewayViews.ts'

/** The settings with which every gateway of this cloud connects. */
export interface GatewayLogin {
  readonly mqttUrl: string
  readonly cloudKeys: readonly string[]
  /** Whether the broker is the operator's, and the operator has to add each account there. */
  readonly hasOwnBroker: boolean
  /** PEM of the authority that signed the broker's certificate, where the operator has one of their own. */
  readonly ca?: string | undefined
  /** Present where the cloud adds the accounts itself. */
  readonly keepPassword?: KeepPassword | undefined
}

interface GatewayHandlersParts {
  readonly database: Database
  readonly world: World
  readonly heard: BeatsSeen
  /** For the password of a gateway whose account the cloud maintains, or that still has to fetch it. */
  readonly seal: Pick<Seal, 'seal'>
  /** Known once the broker listens. */
  readonly login: () => GatewayLogin
}

/** Its key may be that of a gateway of any Space. */
const ofAllSpaces = {}

type Refused = Exclude<AddGatewayAnswer, { ok: true }>

/** Why a key is refused. A gateway of another Space is not named. */
function sayRefused(refused: Refused, spaceId: string): Problem {
  if (refused.code === 'limit') return refused.problem
  const holder =
    refused.code === 'known_key' && refused.holder.spaceId === spaceId ? refused.holder : undefined
  if (!holder) return refuse('gateway_key_known')
  const gateway = holder.name
  return refuse(holder.revokedAt === null ? 'gateway_key_held' : 'gateway_key_revoked', { gateway })
}

function gatewayAt(
  { heard, world }: Pick<GatewayHandlersParts, 'heard' | 'world'>,
  { principal: { spaceId }, params: { gatewayId } }: Pick<Request<'getGateway'>, 'principal' | 'params'>,
) {
  return {
    find: async (db: Db) => (await readViewRows(db, heard, spaceId, gatewayId))[0],
    none: notFound('gateway'),
    show: (row: ViewRow) => ({ gateway: toGatewayView(row, world.nowMs()) }),
  }
}

/** The gateways as they are now, for keys and users. */
export function gatewayReadHandlers(
  parts: Pick<GatewayHandlersParts, 'database' | 'heard' | 'world'>,
): Pick<Handlers, 'listGateways' | 'getGateway'> {
  const {
    database: { knex },
    heard,
    world,
  } = parts
  return {
    async listGateways({ principal }) {
      await heard.catchUp(principal.spaceId)
      const rows = await readViewRows(knex, heard, principal.spaceId)
      const nowMs = world.nowMs()
      return { status: 200, body: { gateways: rows.map(row => toGatewayView(row, nowMs)) } }
    },

    async getGateway(request) {
      await heard.catchUp(request.principal.spaceId)
      return showRow(knex, gatewayAt(parts, request))
    },
  }
}

function gatewayHistoryHandler({
  database: { knex },
  heard,
  world,
}: GatewayHandlersParts): Pick<AppHandlers, 'getGatewayHistory'> {
  return {
    async getGatewayHistory({ principal, params, query }) {
      const { spaceId } = principal
      await heard.catchUp(spaceId)
      const [row] = await readViewRows(knex, heard, spaceId, params.gatewayId)
      if (!row) return notFound('gateway')
      // Two reads: a minute that is written between them counts twice until the next read.
      const additions = heard.additions(row.id)
      const body = await readGatewayHistory(knex, { spaceId, row, additions }, query.range, world.nowMs())
      return { status: 200, body }
    },
  }
}

/** Sets a new password, which is shown only once. */
function passwordHandler({
  login,
  seal,
  world,
}: GatewayHandlersParts): Pick<AppHandlers, 'changeGatewayPassword'> {
  return {
    changeGatewayPassword: ({ principal, params: { gatewayId }, write }) =>
      write(async tx => {
        const { spaceId } = principal
        const { hasOwnBroker, keepPassword } = login()
        const isKept = keepPassword !== undefined
        const given = { spaceId, gatewayId, isKept, keepPassword: passwordKeeper(seal) }
        const changed = await givePassword(tx, world, given, actorOf(principal))
        if (!changed.ok) return changed.code === 'revoked' ? refuse('gateway_shut_out') : notFound('gateway')
        const { mqttPassword } = changed
        return { status: 200, body: { mqttPassword, hasOwnBroker } } as const
      }),
  }
}

type Names = 'getGatewayHistory' | 'addGateway' | 'updateGateway' | 'changeGatewayPassword' | 'revokeGateway'

/** The dashboard's operations on gateways. */
export function gatewayHandlers(parts: GatewayHandlersParts): Pick<AppHandlers, Names> {
  const { heard, login, world } = parts
  return {
    ...gatewayHistoryHandler(parts),
    ...passwordHandler(parts),

    async addGateway({ body, principal, write }) {
      const { spaceId } = principal
      const { name, publicKey } = body
      if (!verifyingKey(publicKey)) return refuse('gateway_key_unread')
      return write(async tx => {
        const { cloudKeys, hasOwnBroker, keepPassword, mqttUrl } = login()
        const given = { spaceId, name, publicKey, keepPassword, ...actorOf(principal) }
        const added = await insertGateway(tx, world, given)
        if (!added.ok) return sayRefused(added, spaceId)
        const { gatewayId, mqttPassword } = added.gateway
        const [row] = await readViewRows(tx, heard, spaceId, gatewayId)
        if (!row) return notFound('gateway')
        const gateway = toGatewayView(row, world.nowMs())
        const told = { mqttUrl, mqttPassword, cloudKeys: [...cloudKeys], hasOwnBroker }
        return { status: 201, body: { gateway, login: told } } as const
      }, ofAllSpaces)
    },

    async updateGateway(request) {
      const { body, principal } = request
      const { spaceId } = principal
      const typed = body.callerNumber
      const read = typeof typed === 'string' ? readCallerNumber(typed, principal.country) : undefined
      if (read && !read.ok) return read.problem
      await heard.catchUp(spaceId)
      return changeRow(world, request, gatewayAt(parts, request), async ({ callerNumber, id, name }, tx) => {
        const before = { name, callerNumber }
        const after = { ...before, ...body, ...(read && { callerNumber: read.phoneNumber }) }
        type Changed = Pick<ActivityState<'gateway.updated'>, 'callerNumber' | 'name'>
        const changes = changesOf<Changed>(before, after)
        if (!changes) return undefined
        await tx('gateways').where({ id, spaceId }).update(after)
        if (callerNumber !== null && after.callerNumber !== callerNumber)
          await forgetKnownNumber(tx, { gatewayId: id, spaceId })
        return { action: 'gateway.updated', targetId: id, targetLabel: after.name, details: { changes } }
      })
    },

    revokeGateway: request =>
      endRow(world, request, gatewayAt(parts, request), async (row, tx) => {
        const { principal } = request
        await shutOut(
          tx,
          world,
          { ...row, gatewayId: row.id, spaceId: principal.spaceId },
          actorOf(principal),
        )
        return undefined
      }),
  }
}
