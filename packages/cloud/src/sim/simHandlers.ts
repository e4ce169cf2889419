// The dashboard's operations on the SIM card of a gateway: show, set, and query its network.

import { refuse } from '@callgate/contract/app/refusals'
import type { ActivityState } from '@callgate/contract/rest/activity'
import type { Problem } from '@callgate/contract/rest/problem'
import { mayBuy } from '@callgate/contract/wire/ussd'
import type { World } from '@callgate/world/world'
import { actorOf, changesOf, recordActivity } from '../activity/activity.ts'
import { changeRow, showRow } from '../activity/changeRow.ts'
import type { Database, Db } from '../database/database.ts'
import { timeIn } from '../database/databaseTime.ts'
import type { AppHandlers, UserPrincipal } from '../http/handler.ts'
import { notFound } from '../http/notFound.ts'
import { confirmedOwnerProblem } from '../http/roleProblems.ts'
import { insertTask } from '../task/taskRows.ts'
import { type FoundSim, findSim, saveSim } from './simRows.ts'

/** Networks treat frequent codes as an attack. */
const askApartMs = 60_000

/** What the activity calls them. */
const named = ({ code, expiresOn, warnBelow }: FoundSim['settings']) => ({
  simCode: code,
  simWarnBelow: warnBelow,
  simExpiresOn: expiresOn,
})

/** Why the network cannot be queried now; undefined where it can. */
function refusalOf({ gateway, settings, view }: FoundSim, nowMs: number): Problem | undefined {
  const { asked } = view.now
  if (settings.code === null) return refuse('sim_without_code')
  if (!gateway.canAsk) return refuse('gateway_too_old')
  if (asked?.state === 'asking') return refuse('sim_asking')
  const sinceMs = asked ? nowMs - Date.parse(asked.at) : askApartMs
  if (sinceMs >= 0 && sinceMs < askApartMs) return refuse('sim_asked')
  return undefined
}

/** Why this user may not set or use this code. Networks sell options by codes with a group. */
const refusalFor = (principal: UserPrincipal, code: string | null): Problem | undefined =>
  code !== null && mayBuy(code) ? confirmedOwnerProblem(principal) : undefined

export function simHandlers({
  database,
  world,
}: {
  readonly database: Database
  readonly world: World
}): Pick<AppHandlers, 'getSim' | 'updateSim' | 'askSim'> {
  const simAt = (place: { readonly spaceId: string; readonly gatewayId: string }) => ({
    find: (db: Db) => findSim(db, place, timeIn(db, world)),
    none: notFound('gateway'),
    show: ({ view }: FoundSim) => ({ sim: view }),
  })
  return {
    getSim: ({ principal: { spaceId }, params: { gatewayId } }) =>
      showRow(database.knex, simAt({ spaceId, gatewayId })),

    updateSim: ({ body, principal, params: { gatewayId }, stale, write }) =>
      write(async tx => {
        const { spaceId } = principal
        const place = { spaceId, gatewayId }
        const found = await findSim(tx, place, timeIn(tx, world))
        if (!found || found.gateway.isShutOut) return notFound('gateway')
        const after = { ...found.settings, ...body }
        const mayNot = after.code === found.settings.code ? undefined : refusalFor(principal, after.code)
        if (mayNot) return mayNot
        const outdated = stale({ sim: found.view })
        if (outdated) return outdated
        const changes = changesOf<Omit<ActivityState<'gateway.updated'>, 'callerNumber' | 'name'>>(
          named(found.settings),
          named(after),
        )
        if (!changes) return { status: 200, body: { sim: found.view } } as const
        await saveSim(tx, place, after)
        const of = { spaceId, ...actorOf(principal), targetId: gatewayId, targetLabel: found.gateway.name }
        await recordActivity(tx, world, { ...of, action: 'gateway.updated', details: { changes } })
        const saved = await findSim(tx, place, timeIn(tx, world))
        return saved ? ({ status: 200, body: { sim: saved.view } } as const) : notFound('gateway')
      }),

    askSim(request) {
      const { principal, params } = request
      const place = { spaceId: principal.spaceId, gatewayId: params.gatewayId }
      return changeRow(
        world,
        request,
        simAt(place),
        async (found, tx) => {
          const { code } = found.settings
          if (found.gateway.isShutOut) return notFound('gateway')
          const refusal = refusalFor(principal, code) ?? refusalOf(found, timeIn(tx, world))
          if (refusal || code === null) return refusal ?? refuse('sim_without_code')
          if (!(await insertTask(tx, world, { ...place, kind: 'ussd', details: { code } })))
            return refuse('gateway_asked')
          const target = { targetId: place.gatewayId, targetLabel: found.gateway.name }
          return { action: 'gateway.sim_asked', ...target, details: { code } }
        },
        202,
      )
    },
  }
}
