// The request of a member's draft: only changes, with the whole list of accesses where one of them changed.

import type { AppBodyOf } from '@callgate/contract/app/appOperations'
import { isEmail as isAddress } from '../form/checks.ts'
import { isWhole, scheduleOf } from '../schedule/scheduleForm.ts'
import { type AccessValues, changesBetween, type MemberDraft, type PersonField } from './memberDraft.ts'

type Saved = AppBodyOf<'saveMember'>
type SavedAccess = NonNullable<Saved['accesses']>[number]
type Created = AppBodyOf<'createMember'>

const textOrNull = (text: string) => (text.trim() === '' ? null : text.trim())
const capOf = ({ maxUsage }: AccessValues) => (maxUsage.trim() === '' ? null : Number(maxUsage))
const schedulesOf = ({ schedules }: AccessValues) => schedules.map(scheduleOf)

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** The changes of an existing access. */
function savedAccess(was: AccessValues | undefined, is: AccessValues): SavedAccess {
  const { gateId, isActive, isNew, key } = is
  const [cap, schedules] = [capOf(is), schedulesOf(is)]
  return {
    ...(!isNew && { id: key }),
    gateId,
    ...(was?.isActive !== isActive && { isActive }),
    ...(!(was && capOf(was) === cap) && { maxUsage: cap }),
    ...(!(was && isSame(schedulesOf(was), schedules)) && { schedules }),
  }
}

/** The changes of an existing member. */
export function savedBody({ base, now }: MemberDraft): Saved {
  const changes = changesBetween(base, now)
  const has = (field: PersonField) => changes.some(change => change.of === 'person' && change.field === field)
  return {
    ...(has('name') && { name: now.name.trim() }),
    ...(has('email') && { email: textOrNull(now.email) }),
    ...(has('phone') && { phone: textOrNull(now.phone) }),
    ...(has('note') && { note: textOrNull(now.note) }),
    ...(changes.some(change => change.of === 'access') && {
      accesses: now.accesses.map(access =>
        savedAccess(
          base.accesses.find(({ key }) => key === access.key),
          access,
        ),
      ),
    }),
  }
}

/** A new member. */
export function createdBody({ now }: MemberDraft): Created {
  return {
    name: now.name.trim(),
    email: textOrNull(now.email),
    phone: textOrNull(now.phone),
    note: textOrNull(now.note),
    accesses: now.accesses.map(access => ({
      gateId: access.gateId,
      schedules: schedulesOf(access),
      maxUsage: capOf(access),
    })),
  }
}

export const isCap = (text: string) => /^\s*([1-9]\d{0,8})?\s*$/.test(text)
/** An e-mail address, or none. */
export const isEmail = (text: string) => text.trim() === '' || isAddress(text)

/** Whether all changes can be sent. Unchanged values need no check. */
export function canBeSent({ base, now }: MemberDraft): boolean {
  return (
    now.name.trim() !== '' &&
    (isEmail(now.email) || now.email === base.email) &&
    now.accesses.every(access => {
      const was = base.accesses.find(({ key }) => key === access.key)
      return (
        isCap(access.maxUsage) &&
        access.schedules.every((form, place) => isWhole(form) || isSame(was?.schedules[place], form))
      )
    })
  )
}
