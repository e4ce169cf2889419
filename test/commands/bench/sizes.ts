// A press, and lists, at growing sizes of the history and of the members.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '@callgate/cloud/database/database'
import { migrate } from '@callgate/cloud/database/migrate'
import { realWorld } from '@callgate/world/real'
import { type Fleet, startFleet } from './fleet.ts'
import { type ClockFigures, measureWarm } from './gateListClock.ts'
import { addMembers } from './listsData.ts'
import { fillHistory } from './rest.ts'
import { furnish, type Tenant } from './served.ts'

const world = realWorld({ logLevel: 'silent' })

/** What grows: its sizes, how a Space gets so many, and its lists, with the rounds and the requests in each. */
interface Growing {
  readonly sizes: readonly number[]
  readonly lists: readonly { readonly path: string; readonly rounds: number; readonly requests: number }[]
  fill(file: string, tenant: Pick<Tenant, 'gateId' | 'spaceId'>, size: number): Promise<void>
}

export const growing = {
  openings: {
    sizes: [1, 100, 10_000, 1_000_000],
    lists: [{ path: '/api/v1/openings', rounds: 3, requests: 320 }],
    fill: async (file, tenant, size) => fillHistory(file, tenant, size),
  },
  members: {
    sizes: [10, 500, 5_000],
    lists: [
      { path: '/api/v1/members?limit=50', rounds: 3, requests: 160 },
      { path: '/api/v1/members', rounds: 3, requests: 6 },
    ],
    async fill(file, tenant, size) {
      const database = await openDatabase({ url: file })
      await addMembers({ database, world }, tenant, size)
      await database.close()
    },
  },
} as const satisfies Readonly<Record<string, Growing>>
export type GrowingName = keyof typeof growing

const sizesOf = (name: GrowingName, most: number) => growing[name].sizes.filter(size => size <= most)

const [warmPresses, presses] = [8, 40] as const

/** The presses at one size, from the request to the answer, in milliseconds. */
export interface SizedPresses {
  readonly size: number
  readonly pressMs: readonly number[]
}

/** Presses in turn at a cloud for each size, with a gateway that reports at once: so a disturbance meets all sizes. */
export async function measurePresses(name: GrowingName, most: number): Promise<readonly SizedPresses[]> {
  const sides: { readonly size: number; readonly fleet: Fleet; readonly pressMs: number[] }[] = []
  try {
    for (const size of sizesOf(name, most)) {
      const fleet = await startFleet(1, 1, async (file, { gates: [gate] }) => {
        if (gate) await growing[name].fill(file, gate, size)
      })
      sides.push({ size, fleet, pressMs: [] })
      await fleet.connect(1)
    }
    for (let round = 0; round < warmPresses + presses; round++)
      for (const { fleet, pressMs, size } of sides) {
        const { endMs, startMs, status } = await fleet.open(0)
        if (status !== 200) throw new Error(`a press at ${size} ${name}: ${status}`)
        if (round >= warmPresses) pressMs.push(endMs - startMs)
      }
    return sides.map(({ pressMs, size }) => ({ size, pressMs }))
  } finally {
    for (const { fleet } of sides) await fleet.remove()
  }
}

/** Asks for each list at each size, in a database of its own. */
export async function measureSizedLists(
  name: GrowingName,
  most: number,
  tell: (size: number, path: string, figures: ClockFigures) => void,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'callgate-sizes-'))
  try {
    for (const size of sizesOf(name, most)) {
      const file = join(folder, `${size}.sqlite`)
      const database = await openDatabase({ url: file })
      await migrate(database)
      const tenant = await furnish(world, database, 1)
      await database.close()
      await growing[name].fill(file, tenant, size)
      for (const { path, requests, rounds } of growing[name].lists)
        for (const figures of await measureWarm({ file, tenant, path }, rounds, requests))
          tell(size, path, figures)
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
