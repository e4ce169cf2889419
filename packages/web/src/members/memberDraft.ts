// The draft of a member: typed text over read values, its changes, and what stays when another person was faster.

import type { AccessView, MemberView } from '@callgate/contract/app/appMember'
import { formOf, newForm, type ScheduleForm, scheduleOf } from '../schedule/scheduleForm.ts'

export interface AccessValues {
  /** Its id; a new one has a name that no id has. */
  readonly key: string
  readonly isNew: boolean
  readonly gateId: string
  readonly isActive: boolean
  /** The typed text; empty: no cap. */
  readonly maxUsage: string
  readonly schedules: readonly ScheduleForm[]
}

export const personFields = ['name', 'email', 'phone', 'note'] as const
export type PersonField = (typeof personFields)[number]

export interface MemberValues extends Readonly<Record<PersonField, string>> {
  readonly accesses: readonly AccessValues[]
}

/** The read values, and those that the page shows. */
export interface MemberDraft {
  readonly base: MemberValues
  readonly now: MemberValues
}

/** One change: of a field of the person, or of an access. */
export type Change =
  | { readonly of: 'person'; readonly field: PersonField }
  | { readonly of: 'access'; readonly gateId: string; readonly what: AccessChange }
export type AccessChange = 'added' | 'removed' | 'switched' | 'cap' | 'schedule'

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

export const noMember: MemberValues = { name: '', email: '', phone: '', note: '', accesses: [] }

/** The values of the fields for a member. */
export function valuesOfMember({ accesses, email, name, note, phone }: MemberView): MemberValues {
  return {
    name,
    email: email ?? '',
    phone: phone ?? '',
    note: note ?? '',
    accesses: accesses.map(accessValuesOf),
  }
}

/** The values of the fields for an access. */
export function accessValuesOf({ gateId, id, isActive, maxUsage, schedules }: AccessView): AccessValues {
  return {
    key: id,
    isNew: false,
    gateId,
    isActive,
    maxUsage: maxUsage === null ? '' : String(maxUsage),
    schedules: schedules.map(formOf),
  }
}

/** An access to another gate: at any time, without a cap. */
export function newAccess(gateId: string, timezone: string): AccessValues {
  return {
    key: `new ${gateId}`,
    isNew: true,
    gateId,
    isActive: true,
    maxUsage: '',
    schedules: [newForm(timezone)],
  }
}

/** The names of the gates of the accesses, in their order. */
export function gateNamesOf(
  { accesses }: MemberValues,
  gates: readonly { readonly id: string; readonly name: string }[],
): readonly string[] {
  return accesses.map(({ gateId }) => gates.find(({ id }) => id === gateId)?.name ?? '')
}

const find = (values: MemberValues, { key }: AccessValues) =>
  values.accesses.find(access => access.key === key)

/** One for each place of the list whose schedule has changed. */
function scheduleChanges(base: readonly ScheduleForm[], now: readonly ScheduleForm[]): number {
  const places = Array.from({ length: Math.max(base.length, now.length) }, (_, place) => place)
  return places.filter(place => {
    const [was, is] = [base[place], now[place]]
    return !was || !is || !isSame(scheduleOf(was), scheduleOf(is))
  }).length
}

function accessChanges(was: AccessValues | undefined, is: AccessValues): readonly AccessChange[] {
  if (!was) return ['added']
  return [
    ...(was.isActive === is.isActive ? [] : ['switched' as const]),
    ...(was.maxUsage.trim() === is.maxUsage.trim() ? [] : ['cap' as const]),
    ...Array.from({ length: scheduleChanges(was.schedules, is.schedules) }, () => 'schedule' as const),
  ]
}

/** Whether nothing of an access has changed. */
export const hasSameAccess = (was: AccessValues, is: AccessValues): boolean =>
  accessChanges(was, is).length === 0

/** Every difference between two states of a member. */
export function changesBetween(base: MemberValues, now: MemberValues): readonly Change[] {
  const fields = personFields.filter(field => base[field].trim() !== now[field].trim())
  const removed = base.accesses.filter(access => !find(now, access))
  return [
    ...fields.map(field => ({ of: 'person' as const, field })),
    ...now.accesses.flatMap(access =>
      accessChanges(find(base, access), access).map(what => ({
        of: 'access' as const,
        gateId: access.gateId,
        what,
      })),
    ),
    ...removed.map(({ gateId }) => ({ of: 'access' as const, gateId, what: 'removed' as const })),
  ]
}

/** Another person's values where this person has typed something else. */
export type Theirs =
  | { readonly of: 'person'; readonly field: PersonField; readonly value: string }
  | { readonly of: 'access'; readonly gateId: string; readonly access: AccessValues | undefined }

/** `mine` where it was changed, else `theirs`; and whether both were changed, to different values. */
function chosen<Value>(base: Value, mine: Value, theirs: Value): { value: Value; isBoth: boolean } {
  if (isSame(mine, base)) return { value: theirs, isBoth: false }
  return { value: mine, isBoth: !isSame(theirs, base) && !isSame(theirs, mine) }
}

function mergedAccess(base: AccessValues, mine: AccessValues, theirs: AccessValues) {
  const isActive = chosen(base.isActive, mine.isActive, theirs.isActive)
  const maxUsage = chosen(base.maxUsage, mine.maxUsage, theirs.maxUsage)
  const schedules = chosen(base.schedules, mine.schedules, theirs.schedules)
  return {
    access: { ...mine, isActive: isActive.value, maxUsage: maxUsage.value, schedules: schedules.value },
    isBoth: isActive.isBoth || maxUsage.isBoth || schedules.isBoth,
  }
}

interface Merged {
  readonly accesses: AccessValues[]
  readonly theirs: Theirs[]
}

/** The current accesses of the member, each with the typed text over it. */
function ofTheirList({ base, now }: MemberDraft, fresh: MemberValues): Merged {
  const merged: Merged = { accesses: [], theirs: [] }
  for (const theirs of fresh.accesses) {
    const { gateId } = theirs
    const was = find(base, theirs)
    const mine = find(now, theirs) ?? (was ? undefined : now.accesses.find(one => one.gateId === gateId))
    const note = () => merged.theirs.push({ of: 'access', gateId, access: theirs })
    if (!mine) {
      // It is new, or it was removed here: then it stays removed, whatever was changed in it.
      if (!was) merged.accesses.push(theirs)
      else if (!isSame(was, theirs)) note()
      continue
    }
    if (was) {
      const { access, isBoth } = mergedAccess(was, mine, theirs)
      merged.accesses.push(access)
      if (isBoth) note()
      continue
    }
    // Both have given access to one gate: the typed text changes the existing access.
    merged.accesses.push({ ...mine, key: theirs.key, isNew: false })
    if (!isSame({ ...mine, key: '', isNew: false }, { ...theirs, key: '' })) note()
  }
  return merged
}

/** The accesses with typed text that the member no longer has, or never had. */
function ofMyList({ base, now }: MemberDraft, fresh: MemberValues): Merged {
  const merged: Merged = { accesses: [], theirs: [] }
  for (const mine of now.accesses) {
    const was = find(base, mine)
    if (fresh.accesses.some(({ gateId }) => gateId === mine.gateId)) continue
    if (!was) merged.accesses.push(mine)
    else if (!isSame(was, mine)) {
      // It was removed elsewhere and changed here: saving restores it.
      merged.accesses.push({ ...mine, key: `new ${mine.gateId}`, isNew: true, isActive: true })
      merged.theirs.push({ of: 'access', gateId: mine.gateId, access: undefined })
    }
  }
  return merged
}

/**
 * The draft over the current values. Typed text stays. `theirs` holds another person's values in the same places; all their other
 * changes are adopted.
 */
export function rebased(
  draft: MemberDraft,
  fresh: MemberValues,
): { readonly draft: MemberDraft; readonly theirs: readonly Theirs[] } {
  const { base, now } = draft
  const fields = personFields.map(field => ({ field, ...chosen(base[field], now[field], fresh[field]) }))
  const person = Object.fromEntries(fields.map(({ field, value }) => [field, value]))
  const [theirList, myList] = [ofTheirList(draft, fresh), ofMyList(draft, fresh)]
  const accesses = [...theirList.accesses, ...myList.accesses]
  return {
    draft: { base: fresh, now: { ...now, ...person, accesses } },
    theirs: [
      ...fields
        .filter(({ isBoth }) => isBoth)
        .map(({ field }) => ({ of: 'person' as const, field, value: fresh[field] })),
      ...theirList.theirs,
      ...myList.theirs,
    ],
  }
}
