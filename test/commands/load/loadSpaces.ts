// Makes the Space of the abusive tenant: the largest that a plan allows, with the worst schedules.

import { join } from 'node:path'
import { openDatabase } from '@callgate/cloud/database/database'
import { gateHandlers } from '@callgate/cloud/gate/gates'
import { bodyOf, principalIn, requestOf } from '@callgate/cloud/http/requests.kit'
import { memberHandlers } from '@callgate/cloud/member/members'
import { loadKeyring } from '@callgate/cloud/secrets/keyring'
import { createApiKey } from '@callgate/cloud/space/apiKeys'
import { setOwnLimits } from '@callgate/cloud/space/plans'
import { createSpace } from '@callgate/cloud/space/spaces'
import type { ScheduleInput } from '@callgate/contract/rest/schedule'
import { scopeNames } from '@callgate/contract/rest/scope'
import { realWorld } from '@callgate/world/real'

export interface Tenant {
  readonly spaceId: string
  readonly keys: readonly string[]
  readonly gateIds: readonly string[]
  /** Magic links of guests with the worst schedules for 25 gates. */
  readonly links: readonly string[]
}

/** The most that an access may have: 20 schedules of 10 windows, without gaps between them. */
const worstSchedules: readonly ScheduleInput[] = Array.from({ length: 20 }, () => ({
  type: 'custom',
  daysOfWeek: [0, 1, 2, 3, 4, 5, 6],
  timeWindows: Array.from({ length: 10 }, (_, place) => {
    const hour = (at: number) => `${String((at * 2) % 24).padStart(2, '0')}:00`
    return { from: hour(place), to: place === 9 ? '23:59' : hour(place + 1) }
  }),
}))

const size = { gates: 100, members: 5_000, accesses: 5, guests: 4, guestGates: 25, keys: 5 } as const

/** Makes the Space in the data folder of a running cloud. It takes half a minute. */
export async function furnishTenant(dataFolder: string, appUrl: string): Promise<Tenant> {
  const world = realWorld({ logLevel: 'warn' })
  const database = await openDatabase({
    url: join(dataFolder, 'callgate.sqlite'),
    patience: { world, withinMs: 30_000 },
  })
  try {
    const loaded = await loadKeyring(world, { folder: dataFolder })
    if (!loaded.ok) throw new Error(loaded.message)
    const parts = { world, database, seal: loaded.keyring.seal, appUrl }
    const home = { name: 'Load', plan: 'business', country: 'RO', timezone: 'Europe/Bucharest' } as const
    const { spaceId } = await createSpace(parts, home)
    const limits = { gateLimit: size.gates, monthlyInvitationLimit: size.members + size.guests }
    await setOwnLimits(parts, { spaceId, limits, actor: 'load' })
    const principal = principalIn(spaceId, 'load')
    const gates = gateHandlers(parts)
    const members = memberHandlers(parts)
    const gateIds: string[] = []
    for (let place = 0; place < size.gates; place++) {
      const body = { name: `Gate ${place}`, phoneNumber: `+4072300${String(place).padStart(4, '0')}` }
      const { gate } = await bodyOf(gates.createGate(requestOf<'createGate'>(database, principal, { body })))
      gateIds.push(gate.id)
    }
    const enter = async (
      name: string,
      grants: readonly { gateId: string; schedules?: ScheduleInput[] }[],
    ) => {
      const body = { name, accesses: [...grants] }
      const made = await bodyOf(
        members.createMember(requestOf<'createMember'>(database, principal, { body })),
      )
      return made.member.accesses[0]?.accessUrl ?? ''
    }
    for (let place = 0; place < size.members; place++) {
      const theirs = Array.from(
        { length: size.accesses },
        (_, of) => gateIds[(place + of) % size.gates] ?? '',
      )
      await enter(
        `Member ${place}`,
        theirs.map(gateId => ({ gateId })),
      )
    }
    const links: string[] = []
    const worst = gateIds
      .slice(0, size.guestGates)
      .map(gateId => ({ gateId, schedules: [...worstSchedules] }))
    for (let place = 0; place < size.guests; place++) links.push(await enter(`Guest ${place}`, worst))
    const keys: string[] = []
    for (let place = 0; place < size.keys; place++) {
      const given = { spaceId, name: `Load ${place}`, scopes: scopeNames, expiresAt: null, actor: 'load' }
      keys.push((await createApiKey(parts, given))?.key ?? '')
    }
    return { spaceId, keys, gateIds, links }
  } finally {
    await database.close()
  }
}
