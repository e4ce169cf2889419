// The operator's commands on members and their accesses: what they do and print.

import { memberAppOperations } from '@callgate/contract/app/appMember'
import { type Access, type AccessUpdate, accessOperations } from '@callgate/contract/rest/access'
import { linkOperations } from '@callgate/contract/rest/link'
import { type Member, type MemberUpdate, memberOperations } from '@callgate/contract/rest/member'
import { notFound } from '../http/notFound.ts'
import { memberAppHandlers } from '../member/memberAppHandlers.ts'
import { memberHandlers } from '../member/members.ts'
import {
  type CommandParts,
  type CommandWork,
  columns,
  type Options,
  refuse,
  type Said,
} from './commandWork.ts'
import { sayExternal } from './externalOptions.ts'
import { isRefused, linkParts, numberOf, type Operator, operatorIn, orNull } from './operator.ts'
import { sayWhen, schedulesOf } from './scheduleOptions.ts'

const operations = { ...memberOperations, ...accessOperations, ...linkOperations, ...memberAppOperations }

/** The operator in a Space, with the handlers of members. */
interface Desk extends Operator {
  readonly does: ReturnType<typeof memberHandlers> & ReturnType<typeof memberAppHandlers>
}

/** Runs a command with the parts that every command on members needs. */
const atDesk =
  (work: (desk: Desk, options: Options) => Promise<Said>): CommandWork =>
  async (parts: CommandParts, options) => {
    const operator = await operatorIn(parts, options)
    if (isRefused(operator)) return operator
    const links = await linkParts(parts)
    if (isRefused(links)) return links
    const given = { ...parts, ...links }
    return work({ ...operator, does: { ...memberHandlers(given), ...memberAppHandlers(given) } }, options)
  }

/** An access without the link of its member: output is kept in logs, and a link opens gates. */
const withoutLink = ({ accessUrl: _, ...access }: Access) => access
const shown = ({ accesses, ...member }: Member) => ({ ...member, accesses: accesses.map(withoutLink) })

const yes = (is: boolean, word: string) => (is ? word : `not ${word}`)

const accessLines = (accesses: readonly Omit<Access, 'accessUrl'>[]) =>
  columns(
    ['ACCESS', 'GATE', 'WHEN', 'USES', 'STATE', 'LAST USED'],
    accesses.map(({ gateId, id, isActive, lastUsedAt, maxUsage, schedules, usageCount }) => [
      id,
      gateId,
      schedules.map(sayWhen).join('; '),
      maxUsage === null ? String(usageCount) : `${usageCount} of ${maxUsage}`,
      yes(isActive, 'active'),
      lastUsedAt,
    ]),
  )

const memberLines = (members: readonly Member[]) =>
  columns(
    ['MEMBER', 'NAME', 'PHONE', 'STATE', 'ACCESSES', 'SINCE'],
    members.map(({ accesses, createdAt, id, isActive, name, phone }) => [
      id,
      name,
      phone,
      yes(isActive, 'active'),
      String(accesses.length),
      createdAt,
    ]),
  )

const sayAccesses = (count: number) => (count === 1 ? '1 access' : `${count} accesses`)

/** The line that says how to read the next page. */
const more = (next: string | null | undefined) => (next ? `\n\nMore: --cursor ${next}` : '')

const hint = 'see "callgate member list".'
const sayNone = ({ message }: { readonly message: string }) =>
  refuse(message === notFound('member').message ? `${message.slice(0, -1)}; ${hint}` : message)

/** The fields of a new access from options: the gate, when, and the cap. */
const grantOf = (options: Options, timezone: string) => ({
  gateId: options['gate'],
  schedules: schedulesOf(options, timezone),
  maxUsage: options['maxUsage'] === 'none' ? null : numberOf(options['maxUsage']),
})

export const memberWork = {
  list: atDesk(async ({ call, does }, { active, cursor, email, externalId, limit }) => {
    const isActive = active && (active === 'yes' ? 'true' : 'false')
    const listed = await call(operations.listMembers, does.listMembers, {
      query: { isActive, externalId, email, cursor, limit },
    })
    if (!listed.ok) return listed
    const { members, pagination } = listed.body
    const json = { members: members.map(shown), ...(pagination && { pagination }) }
    return { ok: true, json, text: memberLines(members) + more(pagination?.nextCursor) }
  }),

  find: atDesk(async ({ call, does }, { cursor, gate: gateId, limit, search, state }) => {
    const query = { search, gateId, state, cursor, limit }
    const found = await call(operations.listMemberViews, does.listMemberViews, { query })
    if (!found.ok) return found
    const { members, pagination } = found.body
    const json = {
      members: members.map(({ now: { link: _, ...now }, ...member }) => ({ ...member, now })),
      pagination,
    }
    const rows = members.map(({ email, id, name, now, phone }) => [
      ...[id, name, email, phone],
      now.standing?.replaceAll('_', ' ') ?? 'no access',
      now.lastUsedAt,
    ])
    const heading = ['MEMBER', 'NAME', 'E-MAIL', 'PHONE', 'STANDS', 'LAST USED']
    return { ok: true, json, text: columns(heading, rows) + more(pagination.nextCursor) }
  }),

  show: atDesk(async ({ call, does }, { member: memberId = '' }) => {
    const found = await call(operations.getMemberView, does.getMemberView, { params: { memberId } })
    if (!found.ok) return sayNone(found)
    const { member } = found.body
    const { link: _, ...now } = member.now
    const { accesses, email, id, name, note, phone } = member
    const facts = [
      `${name} (${id}), ${yes(member.isActive, 'active')}, since ${member.createdAt}`,
      `e-mail ${email ?? 'none'}, phone ${phone ?? 'none'}, language ${member.preferredLanguage}`,
      ...[note, sayExternal(member)].filter(text => text !== null),
      ...(now.mail ? [`The last mail is ${now.mail.state}: ${now.mail.says ?? 'not tried yet'}`] : []),
    ]
    const text = `${facts.join('\n')}\n\n${accessLines(accesses)}`
    return { ok: true, json: { member: { ...member, now } }, text }
  }),

  link: atDesk(async ({ call, does }, { member: memberId = '' }) => {
    const found = await call(operations.getMemberView, does.getMemberView, { params: { memberId } })
    if (!found.ok) return sayNone(found)
    const { id, name, now } = found.body.member
    if (now.link === null)
      return refuse(`${name} is not active and has no link; see "callgate member reactivate".`)
    return { ok: true, json: { memberId: id, link: now.link }, text: now.link }
  }),

  create: atDesk(async ({ readBody, call, does, timezone }, options) => {
    const { email, externalId, gates, name, note, phone } = options
    const when = grantOf(options, timezone)
    const accesses = gates?.split(',').map(gateId => ({ ...when, gateId: gateId.trim() }))
    if (!accesses && (when.schedules ?? when.maxUsage) !== undefined)
      return refuse('When and how often needs a gate: give --gates.')
    const body = await readBody(options, {
      name,
      email,
      phone,
      note,
      externalId: orNull(externalId),
      accesses,
    })
    if (!body.ok) return body
    const made = await call(operations.createMember, does.createMember, { body: body.value })
    if (!made.ok) return made
    const member = shown(made.body.member)
    const view = await call(operations.getMemberView, does.getMemberView, { params: { memberId: member.id } })
    const link = view.ok ? view.body.member.now.link : null
    const text = `${member.name} is a member now (${member.id}), with ${sayAccesses(member.accesses.length)} and this link:\n\n  ${link}\n`
    return { ok: true, json: { member, link }, text }
  }),

  update: atDesk(async ({ readBody, call, does }, options) => {
    const { email, externalId, member: memberId = '', name, note, phone } = options
    const fields = {
      name,
      email: orNull(email),
      phone: orNull(phone),
      note: orNull(note),
      externalId: orNull(externalId),
    } satisfies Record<Exclude<keyof MemberUpdate, 'metadata'>, unknown>
    const body = await readBody(options, fields)
    if (!body.ok) return body
    const changed = await call(operations.updateMember, does.updateMember, {
      params: { memberId },
      body: body.value,
    })
    if (!changed.ok) return sayNone(changed)
    const member = shown(changed.body.member)
    return { ok: true, json: { member }, text: `${member.name} (${member.id}) is saved.` }
  }),

  deactivate: atDesk(async ({ call, does }, { member: memberId = '' }) => {
    const done = await call(operations.deactivateMember, does.deactivateMember, { params: { memberId } })
    if (!done.ok) return sayNone(done)
    const text = `The member ${memberId} is not active: all accesses are revoked, and the link is dead.`
    return { ok: true, json: { memberId, isActive: false }, text }
  }),

  reactivate: atDesk(async ({ call, does }, { member: memberId = '' }) => {
    const given = { params: { memberId } }
    const done = await call(operations.reactivateMember, does.reactivateMember, given)
    if (!done.ok) return sayNone(done)
    const found = await call(operations.getMemberView, does.getMemberView, given)
    if (!found.ok) return sayNone(found)
    const { id, name, now } = found.body.member
    const text = `${name} is active again, without accesses, with this link:\n\n  ${now.link}\n`
    return { ok: true, json: { memberId: id, isActive: true, link: now.link }, text }
  }),

  resetLink: atDesk(async ({ call, does }, { member: memberId = '' }) => {
    const given = { params: { memberId } }
    const reset = await call(operations.resetMemberLink, does.resetMemberLink, given)
    if (!reset.ok) return sayNone(reset)
    const found = await call(operations.getMemberView, does.getMemberView, given)
    if (!found.ok) return sayNone(found)
    const { name, now } = found.body.member
    const text = `${name} has another link; the one before is dead:\n\n  ${now.link}\n`
    return { ok: true, json: { memberId, link: now.link }, text }
  }),

  invite: atDesk(async ({ call, does }, { member: memberId = '' }) => {
    const sent = await call(operations.sendInvitation, does.sendInvitation, { params: { memberId } })
    if (!sent.ok) return sayNone(sent)
    return {
      ok: true,
      json: { memberId, isQueued: true },
      text: 'The invitation is sent by the cloud that serves.',
    }
  }),
} satisfies Record<string, CommandWork>

export const accessWork = {
  list: atDesk(async ({ call, does }, { member: memberId = '' }) => {
    const found = await call(operations.getMember, does.getMember, { params: { memberId } })
    if (!found.ok) return sayNone(found)
    const accesses = found.body.member.accesses.map(withoutLink)
    return { ok: true, json: { accesses }, text: accessLines(accesses) }
  }),

  add: atDesk(async ({ readBody, call, does, timezone }, options) => {
    const { member: memberId = '' } = options
    const body = await readBody(options, grantOf(options, timezone))
    if (!body.ok) return body
    const added = await call(operations.addAccess, does.addAccess, { params: { memberId }, body: body.value })
    if (!added.ok) return sayNone(added)
    const access = withoutLink(added.body.access)
    return { ok: true, json: { access }, text: `The access ${access.id} is given.` }
  }),

  update: atDesk(async ({ readBody, call, does, timezone }, options) => {
    const { access: accessId = '', active, member: memberId = '' } = options
    const { maxUsage, schedules } = grantOf(options, timezone)
    const isActive = active && active === 'yes'
    const fields = { schedules, maxUsage, isActive } satisfies Record<keyof AccessUpdate, unknown>
    const body = await readBody(options, fields)
    if (!body.ok) return body
    const given = { params: { memberId, accessId }, body: body.value }
    const changed = await call(operations.updateAccess, does.updateAccess, given)
    if (!changed.ok) return changed
    const access = withoutLink(changed.body.access)
    return {
      ok: true,
      json: { access },
      text: `The access ${access.id} is saved.\n\n${accessLines([access])}`,
    }
  }),

  revoke: atDesk(async ({ call, does }, { access: accessId = '', member: memberId = '' }) => {
    const done = await call(operations.revokeAccess, does.revokeAccess, { params: { memberId, accessId } })
    if (!done.ok) return done
    return { ok: true, json: { accessId, isRevoked: true }, text: `The access ${accessId} is revoked.` }
  }),
} satisfies Record<string, CommandWork>
