// The audit after a random sequence: every counter against its recomputation, and the activity log against the book.

import type { OpeningRow } from '@callgate/cloud/core/opening'
import type { Access } from '@callgate/contract/rest/access'
import { expect } from 'vitest'
import type { Answer, Api } from '../api.ts'
import { type Book, entryLine, type KeptMember } from './book.ts'

/** Endings of a call that was granted and yet certainly never left the modem: they give the usage back. */
const notDialled = ['not_dialled', 'sim_error', 'no_network', 'line_in_use']

type Counted = Pick<
  OpeningRow,
  'id' | 'gateId' | 'accessId' | 'status' | 'reason' | 'completedAt' | 'joinedOpeningId' | 'grantedAt'
>

/** How often, and when last, a call of these was completed. */
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

function expectedMember({ accesses, email: _, url, ...member }: KeptMember, openings: readonly Counted[]) {
  const shown = [...accesses.values()].map(access => ({
    ...access,
    accessUrl: url,
    ...usageOf(openings.filter(({ accessId }) => accessId === access.id)),
  }))
  return { ...member, accesses: byId(shown) }
}

async function auditActivity(book: Book, read: (path: string) => Promise<Answer>): Promise<void> {
  const { json } = await read('/activity?limit=200')
  const lines = json.activity
    // How the Space was furnished.
    .filter(entry => entry.actor !== 'operator')
    .map(({ details, ...entry }) => {
      const { changes, deviceName } = details as { deviceName?: string; changes?: object }
      return entryLine({ ...entry, deviceName, changed: Object.keys(changes ?? {}) })
    })
  expect(lines.sort()).toEqual([...book.entries].sort())
}

/** Reads all of the Space by its API, once every opening has ended, and fails where it is not what the book says. */
export async function audit(api: Api, book: Book): Promise<void> {
  const { key, spaceId } = book.space
  const read = (path: string) => api.send('GET', `/api/v1${path}`, { key })
  const openings: Counted[] = await api.database.knex('openings').where({ spaceId })
  expect(openings.map(({ id }) => id).sort()).toEqual([...book.openingIds].sort())
  expect(openings.map(({ status }) => status)).not.toContain('initiated')

  const gates = [...book.gates.values()].map(({ coolDownMs: _, ...gate }) => {
    const { count, lastAt } = completed(openings.filter(({ gateId }) => gateId === gate.id))
    return { ...gate, openCount: count, lastOpenedAt: lastAt }
  })
  expect(byId((await read('/gates')).json.gates)).toEqual(byId(gates))

  const members = [...book.members.values()].map(member => expectedMember(member, openings))
  const shown = (await read('/members')).json.members
  expect(byId(shown.map(member => ({ ...member, accesses: byId(member.accesses) })))).toEqual(byId(members))
  await auditActivity(book, read)
}
