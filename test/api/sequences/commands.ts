// The commands of a random sequence: each is one request, with the change in the model after its success.

import type { AnswerJson } from '../apiServer.ts'
import { numberOf } from '../scriptedGateway.ts'
import {
  activeGates,
  actor,
  addMemberEntry,
  changedBy,
  changeGate,
  changeMember,
  defaultCoolDownMs,
  entryLine,
  invitationsUsed,
  limits,
  type ModelAccess,
  type ModelMember,
  modelAccess,
  type SpaceModel,
} from './spaceModel.ts'

/** A request that will be sent. */
export interface PlannedRequest {
  readonly method: 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: object
  /** Changes the model after a success. */
  done(json: AnswerJson): void
  /** The status and code that the model expects; undefined where it does not know. */
  readonly expected?: string | undefined
}

/**
 * Two numbers that determine the target of the request and its change. Any numbers are valid, so that fast-check can shrink a
 * sequence.
 */
export interface Choice {
  readonly which: number
  readonly to: number
  readonly nowMs: number
}

type Command = (model: SpaceModel, choice: Choice) => PlannedRequest | undefined

export function pick<Item>(items: Iterable<Item>, which: number): Item | undefined {
  const all = [...items]
  return all[which % Math.max(1, all.length)]
}

const limitReached = '403 plan_limit_reached'
const names = ['North', 'South', 'East']
/** Only two numbers of each kind, so that gates sometimes share one. */
const numberAt = (to: number) =>
  numberOf((['opens', 'busy', 'neverReports'] as const)[to % 3] ?? 'opens', to % 2)
const always = [{ type: 'always' as const, timezone: 'Europe/Bucharest' }]
const never = [{ type: 'one-shot' as const, expiresAt: '2020-01-01T00:00:00Z', timezone: 'Europe/Bucharest' }]

function onGate(
  wantedOf: (to: number) => { name?: string; phoneNumber?: string; isActive?: boolean },
): Command {
  return (model, { to, which }) => {
    const gate = pick(model.gates.values(), which)
    const body = wantedOf(to)
    const reactivates = gate && body.isActive === true && !gate.isActive
    return (
      gate && {
        method: 'PATCH',
        path: `/gates/${gate.id}`,
        body,
        done: () => changeGate(model, gate.id, body),
        expected: reactivates && activeGates(model) >= limits.gateLimit ? limitReached : undefined,
      }
    )
  }
}

const gateCommands = {
  createGate: (model, { to }) => ({
    method: 'POST',
    path: '/gates',
    body: { name: names[to % 3], phoneNumber: numberAt(to) },
    expected: activeGates(model) < limits.gateLimit ? '201' : limitReached,
    done({ gate: { lastOpenedAt: _, openCount: __, ...gate } }) {
      model.gates.set(gate.id, { ...gate, coolDownMs: defaultCoolDownMs })
      const { name } = gate
      model.entries.push(entryLine({ actor, action: 'gate.created', targetLabel: name, deviceName: name }))
    },
  }),
  renameGate: onGate(to => ({ name: names[to % 3] ?? '' })),
  renumberGate: onGate(to => ({ phoneNumber: numberAt(to) })),
  switchGate: onGate(to => ({ isActive: to % 2 === 0 })),
  profileGate: (model, { to, which }) => {
    const gate = pick(model.gates.values(), which)
    const body = { coolDownMs: 1_000 * (to % 6) }
    const done = () => changeGate(model, gate?.id ?? '', body, 'callProfile')
    return gate && { method: 'PATCH', path: `/gates/${gate.id}/profile`, body, done }
  },
  deactivateGate: (model, { which }) => {
    const gate = pick(model.gates.values(), which)
    const done = () => changeGate(model, gate?.id ?? '', { isActive: false })
    return gate && { method: 'DELETE', path: `/gates/${gate.id}`, done }
  },
  openGate: (model, { which }) => {
    const gate = pick(model.gates.values(), which)
    const done = ({ openingId, error }: AnswerJson) =>
      void model.openingIds.add(openingId ?? error?.openingId ?? '')
    return gate && { method: 'POST', path: `/gates/${gate.id}/open`, done }
  },
} as const satisfies Record<string, Command>

/** One address for each Space, because the number of mails to one address is limited over all Spaces. */
const emailOf = (model: SpaceModel) => `${model.space.spaceId}@example.com`

/** The model of a member in an answer. */
function modelMember(json: AnswerJson, email: string | null): ModelMember {
  const { accesses, ...member } = json.member
  const url = accesses[0]?.accessUrl
  return {
    ...member,
    email,
    url,
    accesses: new Map(accesses.map(access => [access.id, modelAccess(access)])),
  }
}

const memberCommands = {
  createMember: (model, { nowMs, to, which }) => {
    const gate = pick(model.gates.values(), which)
    const email = to % 2 === 0 ? null : emailOf(model)
    const accesses = gate && to % 3 !== 0 ? [{ gateId: gate.id, maxUsage: 1 + (to % 2) }] : []
    const isFull = invitationsUsed(model, nowMs) >= limits.monthlyInvitationLimit
    return {
      method: 'POST',
      path: '/members',
      body: { name: names[to % 3], email, accesses },
      expected: isFull ? limitReached : '201',
      done(json) {
        model.members.set(json.member.id, modelMember(json, email))
        addMemberEntry(model, json.member.id, 'member.created')
      },
    }
  },
  updateMember: (model, { to, which }) => {
    const member = pick(model.members.values(), which)
    const email = to % 2 === 0 ? null : emailOf(model)
    const body = to < 3 ? { name: names[to] ?? '' } : { note: to % 2 === 0 ? null : 'seen', email }
    return (
      member && {
        method: 'PATCH',
        path: `/members/${member.id}`,
        body,
        done() {
          const changed = changedBy<ModelMember>(member, body)
          changeMember(model, member.id, body)
          if (changed.length > 0) addMemberEntry(model, member.id, 'member.updated', { changed })
        },
      }
    )
  },
  deactivateMember: (model, { which }) => {
    const member = pick(model.members.values(), which)
    const done = () => {
      if (!member?.isActive) return
      changeMember(model, member.id, { isActive: false, accesses: new Map(), url: undefined })
      addMemberEntry(model, member.id, 'member.deactivated')
    }
    return member && { method: 'DELETE', path: `/members/${member.id}`, done }
  },
  resetLink: (model, { which }) => {
    const member = pick(model.members.values(), which)
    const done = (json: AnswerJson) => {
      changeMember(model, member?.id ?? '', { url: json.member.accesses[0]?.accessUrl })
      addMemberEntry(model, member?.id ?? '', 'member.link_reset')
    }
    return member && { method: 'POST', path: `/members/${member.id}/link/reset`, body: {}, done }
  },
  invite: (model, { which }) => {
    const member = pick(model.members.values(), which)
    return member && { method: 'POST', path: `/members/${member.id}/invitation`, body: {}, done() {} }
  },
} as const satisfies Record<string, Command>

/** An access of any member. */
function pickAccess(
  model: SpaceModel,
  which: number,
): { member: ModelMember; access: ModelAccess } | undefined {
  const all = [...model.members.values()].flatMap(member =>
    [...member.accesses.values()].map(access => ({ member, access })),
  )
  return pick(all, which)
}

function setAccess(
  model: SpaceModel,
  member: ModelMember,
  access: ModelAccess | undefined,
  accessId: string,
): void {
  const kept = new Map(model.members.get(member.id)?.accesses)
  if (access) kept.set(accessId, access)
  else kept.delete(accessId)
  changeMember(model, member.id, { accesses: kept })
}

const accessCommands = {
  addAccess: (model, { to, which }) => {
    const member = pick(model.members.values(), which)
    const gate = pick(model.gates.values(), to)
    if (!member || !gate) return undefined
    const has = [...member.accesses.values()].some(({ gateId }) => gateId === gate.id)
    return {
      method: 'POST',
      path: `/members/${member.id}/accesses`,
      body: { gateId: gate.id, schedules: to === 5 ? never : always },
      expected: has || !member.isActive ? '409 conflict' : '201',
      done({ access }) {
        setAccess(model, member, modelAccess(access), access.id)
        changeMember(model, member.id, { url: access.accessUrl })
        addMemberEntry(model, member.id, 'guest.access_added', { gateId: gate.id })
      },
    }
  },
  changeAccess: (model, { to, which }) => {
    const found = pickAccess(model, which)
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
        const changed = changedBy<ModelAccess>(access, body)
        setAccess(model, member, { ...access, ...body }, access.id)
        const { gateId } = access
        if (changed.length > 0) addMemberEntry(model, member.id, 'guest.access_updated', { gateId, changed })
      },
    }
  },
  revokeAccess: (model, { which }) => {
    const found = pickAccess(model, which)
    if (!found) return undefined
    const { access, member } = found
    return {
      method: 'DELETE',
      path: `/members/${member.id}/accesses/${access.id}`,
      done() {
        setAccess(model, member, undefined, access.id)
        addMemberEntry(model, member.id, 'guest.access_revoked', { gateId: access.gateId })
      },
    }
  },
} as const satisfies Record<string, Command>

export const commands: Readonly<Record<string, Command>> = {
  ...gateCommands,
  ...memberCommands,
  ...accessCommands,
}
