// The names of the columns in a file of members: our own, and those of other programs and people.

import type { MemberColumn } from '@callgate/contract/app/memberFile'

/** Each in the form of `plain`: lower case without accents, blanks and signs. In the languages of the dashboard. */
const aliases: Readonly<Record<MemberColumn, readonly string[]>> = {
  id: ['id', 'memberid', 'idmembru'],
  name: ['name', 'fullname', 'membername', 'member', 'nume', 'numecomplet', 'numelecomplet', 'membru'],
  email: ['email', 'emailaddress', 'mail', 'adresaemail', 'adresadeemail'],
  phone: ['phone', 'phonenumber', 'telephone', 'tel', 'mobile', 'telefon', 'numardetelefon', 'mobil'],
  note: ['note', 'notes', 'comment', 'comments', 'remark', 'nota', 'notita', 'observatii', 'comentariu'],
  gateId: ['gateid', 'idpoarta'],
  gate: ['gate', 'gatename', 'barrier', 'poarta', 'numelepoartii', 'bariera'],
  schedules: ['schedules', 'schedule', 'hours', 'times', 'program', 'programe', 'programul', 'orar', 'ore'],
  maxUsage: ['maxusage', 'maxuses', 'uses', 'usesatmost', 'usagelimit', 'limit', 'limita', 'folosiri'],
  isActive: ['isactive', 'active', 'activ', 'esteactiv'],
}

const columns = new Map(
  (Object.keys(aliases) as MemberColumn[]).flatMap(column =>
    aliases[column].map(alias => [alias, column] as const),
  ),
)

const plain = (name: string) =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

/** The column of a heading, in any case, with or without accents, blanks and signs; undefined where it is unknown. */
export const columnOf = (heading: string): MemberColumn | undefined => columns.get(plain(heading))
