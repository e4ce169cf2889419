// The audit after a random sequence: compares all data and counters of the Space, and its activity log, with the model.

import type { OpeningRow } from '@callgate/cloud/core/opening'
import type { Access } from '@callgate/contract/rest/access'
import { expect } from 'vitest'
import type { Answer, Api } from '../apiServer.ts'
import { entryLine, type ModelMember, type SpaceModel } from './spaceModel.ts'

/** Reasons of granted openings whose call certainly never left the modem. They give the use back. */
const notDialled = ['not_dialled', 'sim_error', 'no_network', 'line_in_use']

type Counted = Pick<
  OpeningRow,
  'id' | 'gateId' | 'accessId' | 'status' | 'reason' | 'completedAt' | 'joinedOpeningId' | 'grantedAt'
>

/** The number of completed calls among these, and the time of the last one. */
function completed(openings: readonly Counted[]): { count: number; lastAt: string | null } {
  const done = openings.filter(({ joinedOpeningId, status }) => status === 'completed' && !joinedOpeningId)
  const times = done.map(({ completedAt }) => completedAt ?? '').sort()
  return { count: done.length, lastAt: times.at(-1) ?? null }
}

function usageOf(openings: readonly Counted[]): Pick<Access, 'usageCount' | 'lastUsedAt'> {
  const held = openings.filter(({ grantedAt, reason }) => grantedAt && !notDialled.includes(reason ?? ''))
  return { usageCount: held.length, lastUsedAt: completed(openings).lastAt }
}

const byId = <Item extends { readonly id: string }>(items: Iterable<Item>) =>
  [...items].sort((a, b) => (a.id < b.id ? -1 : 1))

function expectedMember({ accesses, email: _, url, ...member }: ModelMember, openings: readonly Counted[]) {
  const shown = [...accesses.values()].map(access => ({
    ...access,
    accessUrl: url,
    ...usageOf(openings.filter(({ accessId }) => accessId === access.id)),
  }))
  return { ...member, accesses: byId(shown) }
}

async function auditActivity(model: SpaceModel, read: (path: string) => Promise<Answer>): Promise<void> {
  const { json } = await read('/activity?limit=200')
  const lines = json.activity
    // Entries of the operator come from the set-up of the Space.
    .filter(entry => entry.actor !== 'operator')
    .map(({ details, ...entry }) => {
      const { changes, deviceName } = details as { deviceName?: string; changes?: object }
      return entryLine({ ...entry, deviceName, changed: Object.keys(changes ?? {}) })
    })
  expect(lines.sort()).toEqual([...model.entries].sort())
}

/** Reads the whole Space by its API after every opening has ended. Fails where it differs from the model. */
export async function audit(api: Api, model: SpaceModel): Promise<void> {
  const { key, spaceId } = model.space
  const read = (path: string) => api.send('GET', `/api/v1${path}`, { key })
  const openings: Counted[] = await api.database.knex('openings').where({ spaceId })
  expect(openings.map(({ id }) => id).sort()).toEqual([...model.openingIds].sort())
  expect(openings.map(({ status }) => status)).not.toContain('initiated')

  const gates = [...model.gates.values()].map(({ coolDownMs: _, ...gate }) => {
    const { count, lastAt } = completed(openings.filter(({ gateId }) => gateId === gate.id))
    return { ...gate, openCount: count, lastOpenedAt: lastAt }
  })
  expect(byId((await read('/gates')).json.gates)).toEqual(byId(gates))

  const members = [...model.members.values()].map(member => expectedMember(member, openings))
  const shown = (await read('/members')).json.members
  expect(byId(shown.map(member => ({ ...member, accesses: byId(member.accesses) })))).toEqual(byId(members))
  await auditActivity(model, read)
}
