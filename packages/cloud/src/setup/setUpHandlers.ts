// The dashboard's operations on set-up messages, by which a gateway registers its number in the module of a gate.

import { refuse } from '@callgate/contract/app/refusals'
import { wrongGiven } from '@callgate/contract/call/setUpMessage'
import { numberRefusal } from '@callgate/contract/number/refusedNumbers'
import type { Problem } from '@callgate/contract/rest/problem'
import { sealText } from '@callgate/contract/wire/sealedText'
import { aboutSms } from '@callgate/contract/wire/sms'
import type { World } from '@callgate/world/world'
import type { Knex } from 'knex'
import { changeRow, showRow } from '../activity/changeRow.ts'
import type { Database, Db } from '../database/database.ts'
import { timeIn } from '../database/databaseTime.ts'
import type { AppHandlers } from '../http/handler.ts'
import { notFound } from '../http/notFound.ts'
import { runningOpenings } from '../opening/openingRows.ts'
import { insertTask } from '../task/taskRows.ts'
import { type FoundSetUp, findSetUp } from './setUpRows.ts'

/** Why no message can be sent now, whatever its content; undefined where one can. */
function refusalOf({ gate, view }: FoundSetUp, gatewayId: string): Problem | undefined {
  const one = view.gateways.find(gateway => gateway.gatewayId === gatewayId)
  if (one?.callerNumber == null) return refuse('setup_no_number')
  if (!one.canSend) return refuse('setup_cannot_send')
  const range = numberRefusal(gate.phoneNumber)
  if (range) return refuse('setup_number_refused', range)
  return view.leftToday === 0 ? refuse('setup_too_many') : undefined
}

/** Whether the gate is being opened, or the gateway is opening one. */
async function isOpening(
  tx: Knex.Transaction,
  {
    gateId,
    gatewayId,
    spaceId,
  }: { readonly gateId: string; readonly gatewayId: string; readonly spaceId: string },
): Promise<boolean> {
  const running = await runningOpenings(tx)
    .where({ spaceId })
    .where(of => of.where({ gateId }).orWhere({ gatewayId }))
    .first('id')
  return running !== undefined
}

export function setUpHandlers({
  database,
  world,
}: {
  readonly database: Database
  readonly world: World
}): Pick<AppHandlers, 'getSetUpSms' | 'sendSetUpSms'> {
  const setUpAt = (place: { readonly spaceId: string; readonly gateId: string }) => ({
    find: (db: Db) => findSetUp(db, place, timeIn(db, world)),
    none: notFound('gate'),
    show: ({ view }: FoundSetUp) => view,
  })
  return {
    getSetUpSms: ({ principal: { spaceId }, params: { gateId } }) =>
      showRow(database.knex, setUpAt({ spaceId, gateId })),

    sendSetUpSms(request) {
      const { spaceId } = request.principal
      const { gateId } = request.params
      const { brand, gatewayId, password, place = null } = request.body
      return changeRow(
        world,
        request,
        setUpAt({ spaceId, gateId }),
        async (found, tx) => {
          const gateway = found.gateways.find(({ id }) => id === gatewayId)
          if (!gateway) return notFound('gateway')
          const fault = wrongGiven(brand, { password, place })
          if (fault) return refuse(`setup_${fault}`)
          const { callerNumber, publicKey } = gateway
          const refusal = refusalOf(found, gatewayId)
          if (refusal || callerNumber === null) return refusal ?? refuse('setup_no_number')
          if (await isOpening(tx, { spaceId, gateId, gatewayId })) return refuse('setup_opening')
          const { name: deviceName, phoneNumber } = found.gate
          const message = { brand, phoneNumber, callerNumber, place }
          // From here on, only this gateway can read the password.
          const about = aboutSms({ ...message, gatewayId })
          const sealedPassword = sealText(password, { about, publicKey, randomBytes: world.randomBytes(32) })
          const task = { kind: 'sms', details: { ...message, sealedPassword } } as const
          if (!(await insertTask(tx, world, { spaceId, gatewayId, ...task }))) return refuse('gateway_asked')
          const details = { deviceName, gatewayId, gatewayName: gateway.name, brand }
          return { action: 'gate.setup_sms_sent', targetId: gateId, targetLabel: deviceName, details }
        },
        202,
      )
    },
  }
}
