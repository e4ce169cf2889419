// What a random sequence is made of: one request each, and what it must leave behind when it succeeds.

import type { AnswerJson } from '../api.ts'
import { numberOf } from '../gateway.ts'
import {
  activeGates,
  actor,
  type Book,
  changedBy,
  changeGate,
  changeMember,
  defaultCoolDownMs,
  entryLine,
  invitationsUsed,
  type KeptAccess,
  type KeptMember,
  keptAccess,
  limits,
  noteMember,
} from './book.ts'

/** A request that is about to be sent. */
export interface Asked {
  readonly method: 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: object
  /** Writes into the book what a success has done. */
  done(json: AnswerJson): void
  /** What it answers, where the book knows. */
  readonly expected?: string | undefined
}

/** Which of what is there, and what is to become of it. Any two numbers will do, so that sequences can be shortened. */
export interface Choice {
  readonly which: number
  readonly to: number
  readonly nowMs: number
}

type Deed = (book: Book, choice: Choice) => Asked | undefined

export function pick<Item>(items: Iterable<Item>, which: number): Item | undefined {
  const all = [...items]
  return all[which % Math.max(1, all.length)]
}

const limitReached = '403 plan_limit_reached'
const names = ['North', 'South', 'East']
/** Two numbers of each kind, so that gates share them now and then. */
const numberAt = (to: number) =>
  numberOf((['opens', 'busy', 'neverReports'] as const)[to % 3] ?? 'opens', to % 2)
const always = [{ type: 'always' as const, timezone: 'Europe/Bucharest' }]
const never = [{ type: 'one-shot' as const, expiresAt: '2020-01-01T00:00:00Z', timezone: 'Europe/Bucharest' }]

function onGate(wantedOf: (to: number) => { name?: string; phoneNumber?: string; isActive?: boolean }): Deed {
  return (book, { to, which }) => {
    const gate = pick(book.gates.values(), which)
    const body = wantedOf(to)
    const reactivates = gate && body.isActive === true && !gate.isActive
    return (
      gate && {
        method: 'PATCH',
        path: `/gates/${gate.id}`,
        body,
        done: () => changeGate(book, gate.id, body),
        expected: reactivates && activeGates(book) >= limits.gateLimit ? limitReached : undefined,
      }
    )
  }
}

const gateDeeds = {
  createGate: (book, { to }) => ({
    method: 'POST',
    path: '/gates',
    body: { name: names[to % 3], phoneNumber: numberAt(to) },
    expected: activeGates(book) < limits.gateLimit ? '201' : limitReached,
    done({ gate: { lastOpenedAt: _, openCount: __, ...gate } }) {
      book.gates.set(gate.id, { ...gate, coolDownMs: defaultCoolDownMs })
      const { name } = gate
      book.entries.push(entryLine({ actor, action: 'gate.created', targetLabel: name, deviceName: name }))
    },
  }),
  renameGate: onGate(to => ({ name: names[to % 3] ?? '' })),
  renumberGate: onGate(to => ({ phoneNumber: numberAt(to) })),
  switchGate: onGate(to => ({ isActive: to % 2 === 0 })),
  profileGate: (book, { to, which }) => {
    const gate = pick(book.gates.values(), which)
    const body = { coolDownMs: 1_000 * (to % 6) }
    const done = () => changeGate(book, gate?.id ?? '', body, 'callProfile')
    return gate && { method: 'PATCH', path: `/gates/${gate.id}/profile`, body, done }
  },
  deactivateGate: (book, { which }) => {
    const gate = pick(book.gates.values(), which)
    const done = () => changeGate(book, gate?.id ?? '', { isActive: false })
    return gate && { method: 'DELETE', path: `/gates/${gate.id}`, done }
  },
  openGate: (book, { which }) => {
    const gate = pick(book.gates.values(), which)
    const done = ({ openingId, error }: AnswerJson) =>
      void book.openingIds.add(openingId ?? error?.openingId ?? '')
    return gate && { method: 'POST', path: `/gates/${gate.id}/open`, done }
  },
} as const satisfies Record<string, Deed>

/** One for each Space: mails to one address are bounded over all Spaces. */
const emailOf = (book: Book) => `${book.space.spaceId}@example.com`

/** A member with all that hangs on the link. */
function toKept(json: AnswerJson, email: string | null): KeptMember {
  const { accesses, ...member } = json.member
  const url = accesses[0]?.accessUrl
  return { ...member, email, url, accesses: new Map(accesses.map(access => [access.id, keptAccess(access)])) }
}

const memberDeeds = {
  createMember: (book, { nowMs, to, which }) => {
    const gate = pick(book.gates.values(), which)
    const email = to % 2 === 0 ? null : emailOf(book)
    const accesses = gate && to % 3 !== 0 ? [{ gateId: gate.id, maxUsage: 1 + (to % 2) }] : []
    const isFull = invitationsUsed(book, nowMs) >= limits.monthlyInvitationLimit
    return {
      method: 'POST',
      path: '/members',
      body: { name: names[to % 3], email, accesses },
      expected: isFull ? limitReached : '201',
      done(json) {
        book.members.set(json.member.id, toKept(json, email))
        noteMember(book, json.member.id, 'member.created')
      },
    }
  },
  updateMember: (book, { to, which }) => {
    const member = pick(book.members.values(), which)
    const email = to % 2 === 0 ? null : emailOf(book)
    const body = to < 3 ? { name: names[to] ?? '' } : { note: to % 2 === 0 ? null : 'seen', email }
    return (
      member && {
        method: 'PATCH',
        path: `/members/${member.id}`,
        body,
        done() {
          const changed = changedBy<KeptMember>(member, body)
          changeMember(book, member.id, body)
          if (changed.length > 0) noteMember(book, member.id, 'member.updated', { changed })
        },
      }
    )
  },
  deactivateMember: (book, { which }) => {
    const member = pick(book.members.values(), which)
    const done = () => {
      if (!member?.isActive) return
      changeMember(book, member.id, { isActive: false, accesses: new Map(), url: undefined })
      noteMember(book, member.id, 'member.deactivated')
    }
    return member && { method: 'DELETE', path: `/members/${member.id}`, done }
  },
  resetLink: (book, { which }) => {
    const member = pick(book.members.values(), which)
    const done = (json: AnswerJson) => {
      changeMember(book, member?.id ?? '', { url: json.member.accesses[0]?.accessUrl })
      noteMember(book, member?.id ?? '', 'member.link_reset')
    }
    return member && { method: 'POST', path: `/members/${member.id}/link/reset`, body: {}, done }
  },
  invite: (book, { which }) => {
    const member = pick(book.members.values(), which)
    return member && { method: 'POST', path: `/members/${member.id}/invitation`, body: {}, done() {} }
  },
} as const satisfies Record<string, Deed>

/** Some member's access; the members with the fewest accesses are as likely as the others. */
function pickAccess(book: Book, which: number): { member: KeptMember; access: KeptAccess } | undefined {
  const all = [...book.members.values()].flatMap(member =>
    [...member.accesses.values()].map(access => ({ member, access })),
  )
  return pick(all, which)
}

function setAccess(book: Book, member: KeptMember, access: KeptAccess | undefined, accessId: string): void {
  const kept = new Map(book.members.get(member.id)?.accesses)
  if (access) kept.set(accessId, access)
  else kept.delete(accessId)
  changeMember(book, member.id, { accesses: kept })
}

const accessDeeds = {
  grant: (book, { to, which }) => {
    const member = pick(book.members.values(), which)
    const gate = pick(book.gates.values(), to)
    if (!member || !gate) return undefined
    const has = [...member.accesses.values()].some(({ gateId }) => gateId === gate.id)
    return {
      method: 'POST',
      path: `/members/${member.id}/accesses`,
      body: { gateId: gate.id, schedules: to === 5 ? never : always },
      expected: has || !member.isActive ? '409 conflict' : '201',
      done({ access }) {
        setAccess(book, member, keptAccess(access), access.id)
        changeMember(book, member.id, { url: access.accessUrl })
        noteMember(book, member.id, 'guest.access_added', { gateId: gate.id })
      },
    }
  },
  changeAccess: (book, { to, which }) => {
    const found = pickAccess(book, which)
    const bodies = [{ maxUsage: null }, { maxUsage: 1 }, { maxUsage: 2, isActive: true }]
    const more = [{ isActive: false }, { schedules: never, isActive: true }, { schedules: always }]
    const body = [...bodies, ...more][to] ?? {}
    if (!found) return undefined
    const { access, member } = found
    return {
      method: 'PATCH',
      path: `/members/${member.id}/accesses/${access.id}`,
      body,
      done() {
        const changed = changedBy<KeptAccess>(access, body)
        setAccess(book, member, { ...access, ...body }, access.id)
        const { gateId } = access
        if (changed.length > 0) noteMember(book, member.id, 'guest.access_updated', { gateId, changed })
      },
    }
  },
  revoke: (book, { which }) => {
    const found = pickAccess(book, which)
    if (!found) return undefined
    const { access, member } = found
    return {
      method: 'DELETE',
      path: `/members/${member.id}/accesses/${access.id}`,
      done() {
        setAccess(book, member, undefined, access.id)
        noteMember(book, member.id, 'guest.access_revoked', { gateId: access.gateId })
      },
    }
  },
} as const satisfies Record<string, Deed>

export const deeds: Readonly<Record<string, Deed>> = { ...gateDeeds, ...memberDeeds, ...accessDeeds }
