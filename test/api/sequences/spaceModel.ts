// The model of a Space in one random sequence: its expected content and activity log after the successful requests.

import type { Access } from '@callgate/contract/rest/access'
import type { Gate } from '@callgate/contract/rest/gate'
import type { Member } from '@callgate/contract/rest/member'
import type { Tenant } from '../servedCloud.ts'

/** The limits of the plan: low, so that the sequences reach them. */
export const limits = { gateLimit: 2, monthlyInvitationLimit: 2 } as const

/** A gate as an administrator sets it. Its counters are computed from the openings. */
export type ModelGate = Omit<Gate, 'openCount' | 'lastOpenedAt'> & { readonly coolDownMs: number }
export type ModelAccess = Omit<Access, 'usageCount' | 'lastUsedAt' | 'accessUrl'>
export interface ModelMember extends Omit<Member, 'accesses'> {
  readonly email: string | null
  /** Undefined once the member is deactivated. */
  readonly url: string | undefined
  readonly accesses: ReadonlyMap<string, ModelAccess>
}

/** The actor of every change: an API key. */
export const actor = 'api:Desk'

export interface SpaceModel {
  readonly space: Tenant
  readonly gates: Map<string, ModelGate>
  readonly members: Map<string, ModelMember>
  /** One line for each entry that the activity log must contain. */
  readonly entries: string[]
  /** Each accepted opening, of a key or of a guest. */
  readonly openingIds: Set<string>
}

export function newModel(space: Tenant): SpaceModel {
  return { space, gates: new Map(), members: new Map(), entries: [], openingIds: new Set() }
}

/** An entry of the activity log in one line. */
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

export const activeGates = (model: SpaceModel) =>
  [...model.gates.values()].filter(({ isActive }) => isActive).length

const month = new Intl.DateTimeFormat('en', { timeZone: 'Europe/Bucharest', year: 'numeric', month: 'long' })

/** How many members were created in the month of `nowMs`, in the time zone of the Space. */
export function invitationsUsed(model: SpaceModel, nowMs: number): number {
  const monthOf = (at: number) => month.format(at)
  return [...model.members.values()].filter(
    ({ createdAt }) => monthOf(Date.parse(createdAt)) === monthOf(nowMs),
  ).length
}

export function changeGate(
  model: SpaceModel,
  gateId: string,
  wanted: Partial<ModelGate>,
  shown?: string,
): void {
  const before = model.gates.get(gateId)
  if (!before) throw new Error(`${gateId} is not in the model`)
  const changed = changedBy(before, wanted)
  if (changed.length === 0) return
  // Another number is another GSM module: what was learned about the old one is reset.
  const coolDownMs = changed.includes('phoneNumber') ? defaultCoolDownMs : before.coolDownMs
  const after = { ...before, coolDownMs, ...wanted }
  model.gates.set(gateId, after)
  const switched = after.isActive ? 'reactivated' : 'deactivated'
  const action = `gate.${changed.includes('isActive') ? switched : 'updated'}`
  const isReset = coolDownMs !== before.coolDownMs
  const fields = shown === undefined ? [...changed, ...(isReset ? ['callProfile'] : [])] : [shown]
  model.entries.push(
    entryLine({ actor, action, targetLabel: after.name, deviceName: after.name, changed: fields }),
  )
}

/** The cool-down of an unchanged call profile. */
export const defaultCoolDownMs = 5_000

export function changeMember(model: SpaceModel, memberId: string, wanted: Partial<ModelMember>): void {
  const before = model.members.get(memberId)
  if (before) model.members.set(memberId, { ...before, ...wanted })
}

/** Adds an entry about a member, with the member's current name. */
export function addMemberEntry(
  model: SpaceModel,
  memberId: string,
  action: string,
  more: { readonly gateId?: string; readonly changed?: readonly string[] } = {},
): void {
  const targetLabel = model.members.get(memberId)?.name ?? ''
  const deviceName = more.gateId === undefined ? undefined : model.gates.get(more.gateId)?.name
  const { changed = [] } = more
  model.entries.push(
    entryLine({ actor, action, targetLabel, changed, ...(deviceName !== undefined && { deviceName }) }),
  )
}

export function modelAccess({ gateId, id, isActive, maxUsage, schedules }: Access): ModelAccess {
  return { id, gateId, isActive, maxUsage, schedules }
}
