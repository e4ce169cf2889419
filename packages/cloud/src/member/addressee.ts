// The member that a queued mail is for, with the facts that the mail states.

import { type Language, languages } from '@callgate/contract/rest/member'
import type { Schedule } from '@callgate/contract/rest/schedule'
import type { Database } from '../database/database.ts'
import type { LetterFacts, ListedAccess } from '../mail/letter.ts'
import { isMailAddress } from '../mail/message.ts'
import type { ClaimedMail } from '../mail/outbox.ts'
import { type LinkParts, linkUrl } from './memberLinks.ts'

/** What a mail to a member names. */
type NamedMail = Pick<ClaimedMail, 'kind' | 'spaceId' | 'memberId' | 'gateId'>

/** The member with the facts of a letter, or why the mail is no longer needed. */
type LetterAddressee =
  | { readonly ok: true; readonly address: string; readonly facts: LetterFacts }
  | { readonly ok: false; readonly why: string }

function languageOf(...wanted: readonly (string | null)[]): Language {
  const known = wanted.flatMap(wish => languages.filter(language => language === wish))
  return known[0] ?? 'en'
}

/** The member's active accesses, oldest first, or only the one to `gateId`. */
async function readAccesses(database: Database, mail: NamedMail): Promise<readonly ListedAccess[]> {
  const query = database
    .knex('accesses')
    .join('gates', join => join.on('gates.id', 'accesses.gateId').andOn('gates.spaceId', 'accesses.spaceId'))
    .where({
      'accesses.spaceId': mail.spaceId,
      'accesses.memberId': mail.memberId,
      'accesses.isActive': true,
    })
  if (mail.kind === 'access_granted') query.where({ 'accesses.gateId': mail.gateId })
  const rows = await query
    .orderBy(['accesses.createdAt', 'accesses.id'])
    .select('gates.name as gateName', 'accesses.schedules', 'accesses.maxUsage')
  return rows.map(({ gateName, maxUsage, schedules }) => ({
    gateName,
    maxUsage,
    schedules: JSON.parse(schedules) as Schedule[],
  }))
}

/**
 * Reads the facts of `mail`. The mail is no longer needed when the member is inactive, has no e-mail or no link, or when the
 * access that it announces is gone. Throws when the link cannot be unsealed.
 */
export async function readAddressee(
  database: Database,
  link: LinkParts,
  mail: NamedMail,
): Promise<LetterAddressee> {
  const { kind, memberId, spaceId } = mail
  if (kind !== 'invitation' && kind !== 'access_granted')
    return { ok: false, why: 'it is no mail to a member' }
  const member = await database.knex('members').where({ id: memberId, spaceId }).first()
  if (!member?.isActive) return { ok: false, why: 'the member is not active' }
  if (member.email === null) return { ok: false, why: 'the member has no e-mail' }
  if (!isMailAddress(member.email)) return { ok: false, why: "the member's e-mail is not an address" }
  if (member.linkSealed === null) return { ok: false, why: 'the member has no link' }
  const accesses = await readAccesses(database, mail)
  if (kind === 'access_granted' && accesses.length === 0)
    return { ok: false, why: 'the access is gone or inactive' }
  const space = await database.knex('spaces').where({ id: spaceId }).first()
  const facts: LetterFacts = {
    kind,
    language: languageOf(member.preferredLanguage, space.language),
    spaceName: space.name,
    spaceTimezone: space.timezone,
    memberName: member.name,
    link: linkUrl(link, member),
    accesses,
  }
  return { ok: true, address: member.email, facts }
}
