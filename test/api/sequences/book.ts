// The book of one random sequence: what the Space must hold after the requests that were done, and who must have done it.

import type { Access } from '@callgate/contract/rest/access'
import type { Gate } from '@callgate/contract/rest/gate'
import type { Member } from '@callgate/contract/rest/member'
import type { Tenant } from '../api.ts'

/** Of the plan: low, so that the sequences reach them. */
export const limits = { gateLimit: 2, monthlyInvitationLimit: 2 } as const

/** What an administrator decides about a gate; the counters are recomputed from the openings. */
export type KeptGate = Omit<Gate, 'openCount' | 'lastOpenedAt'> & { readonly coolDownMs: number }
export type KeptAccess = Omit<Access, 'usageCount' | 'lastUsedAt' | 'accessUrl'>
export interface KeptMember extends Omit<Member, 'accesses'> {
  readonly email: string | null
  /** Undefined once the member is deactivated. */
  readonly url: string | undefined
  readonly accesses: ReadonlyMap<string, KeptAccess>
}

/** The key that every change is made with. */
export const actor = 'api:Desk'

export interface Book {
  readonly space: Tenant
  readonly gates: Map<string, KeptGate>
  readonly members: Map<string, KeptMember>
  /** One line for each entry that the activity log must have. */
  readonly entries: string[]
  /** Each attempt that was accepted, by a key or by a guest. */
  readonly openingIds: Set<string>
}

export function newBook(space: Tenant): Book {
  return { space, gates: new Map(), members: new Map(), entries: [], openingIds: new Set() }
}

/** What an entry says, in one line. `about` is the gate's name or the names of the changed fields. */
export function entryLine(entry: {
  readonly actor: string
  readonly action: string
  readonly targetLabel: string
  readonly deviceName?: unknown
  readonly changed?: readonly string[]
}): string {
  const { action, actor: by, changed = [], deviceName = '-', targetLabel } = entry
  return `${by} ${action} "${targetLabel}" at ${deviceName}: ${[...changed].sort().join(',')}`
}

/** The names of the fields that `wanted` changes. */
export function changedBy<Kept extends object>(before: Kept, wanted: Partial<Kept>): (keyof Kept & string)[] {
  const fields = Object.keys(wanted) as (keyof Kept & string)[]
  return fields.filter(field => JSON.stringify(before[field]) !== JSON.stringify(wanted[field]))
}

export const activeGates = (book: Book) => [...book.gates.values()].filter(({ isActive }) => isActive).length

const month = new Intl.DateTimeFormat('en', { timeZone: 'Europe/Bucharest', year: 'numeric', month: 'long' })

/** How many members were created in the month of `nowMs` on the wall of the Space. */
export function invitationsUsed(book: Book, nowMs: number): number {
  const monthOf = (at: number) => month.format(at)
  return [...book.members.values()].filter(
    ({ createdAt }) => monthOf(Date.parse(createdAt)) === monthOf(nowMs),
  ).length
}

export function changeGate(book: Book, gateId: string, wanted: Partial<KeptGate>, shown?: string): void {
  const before = book.gates.get(gateId)
  if (!before) throw new Error(`${gateId} is not in the book`)
  const changed = changedBy(before, wanted)
  if (changed.length === 0) return
  // Another module: what was learned about the old one counts no more.
  const coolDownMs = changed.includes('phoneNumber') ? defaultCoolDownMs : before.coolDownMs
  const after = { ...before, coolDownMs, ...wanted }
  book.gates.set(gateId, after)
  const switched = after.isActive ? 'reactivated' : 'deactivated'
  const action = `gate.${changed.includes('isActive') ? switched : 'updated'}`
  const isReset = coolDownMs !== before.coolDownMs
  const fields = shown === undefined ? [...changed, ...(isReset ? ['callProfile'] : [])] : [shown]
  book.entries.push(
    entryLine({ actor, action, targetLabel: after.name, deviceName: after.name, changed: fields }),
  )
}

/** Of a call profile that nobody has changed. */
export const defaultCoolDownMs = 5_000

export function changeMember(book: Book, memberId: string, wanted: Partial<KeptMember>): void {
  const before = book.members.get(memberId)
  if (before) book.members.set(memberId, { ...before, ...wanted })
}

/** An entry about a member, with the name that the member has by then. */
export function noteMember(
  book: Book,
  memberId: string,
  action: string,
  more: { readonly gateId?: string; readonly changed?: readonly string[] } = {},
): void {
  const targetLabel = book.members.get(memberId)?.name ?? ''
  const deviceName = more.gateId === undefined ? undefined : book.gates.get(more.gateId)?.name
  const { changed = [] } = more
  book.entries.push(
    entryLine({ actor, action, targetLabel, changed, ...(deviceName !== undefined && { deviceName }) }),
  )
}

export function keptAccess({ gateId, id, isActive, maxUsage, schedules }: Access): KeptAccess {
  return { id, gateId, isActive, maxUsage, schedules }
}
