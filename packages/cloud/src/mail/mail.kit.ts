// For the tests of mails: a Space with a member who has a gate, and a MIME reader that is independent of the writer.

import { type FakeWorld, fakeWorld } from '@callgate/world/fake'
import { newId } from '@callgate/world/ids'
import { isoTime } from '@callgate/world/world'
import type { Database } from '../database/database.ts'
import { testDatabase } from '../database/postgres.kit.ts'
import { newLink } from '../member/memberLinks.ts'
import { createSeal, type Seal } from '../secrets/sealing.ts'
import { newSpace } from '../space/space.kit.ts'
import { type MemberMailKind, queueMail } from './outbox.ts'

export interface MailHouse {
  readonly world: FakeWorld
  readonly database: Database
  readonly seal: Seal
  readonly spaceId: string
  readonly gateId: string
  readonly memberId: string
  /** Queues a mail to the member, and answers with its id. */
  queue(kind?: MemberMailKind): Promise<string>
  changeMember(columns: object): Promise<void>
  mail(mailId: string): Promise<Record<string, unknown>>
}

/** Ana of Lake view, who may open the Barrier on weekdays; her link is sealed as the keyring would seal it. */
export async function mailHouse(): Promise<MailHouse> {
  const world = fakeWorld()
  const database = await testDatabase(world)
  const { knex } = database
  const spaceId = await newSpace({ database, world }, { name: 'Lake view' })
  const seal = createSeal(world, new Map([[1, new Uint8Array(32).fill(1)]]))
  const createdAt = isoTime(world.nowMs())
  const [memberId, gateId] = [newId(world, 'member'), newId(world, 'gate')]
  await knex('gates').insert({
    id: gateId,
    spaceId,
    name: 'Barrier',
    phoneNumber: '+40722123456',
    location: '',
    createdAt,
    isActive: true,
    callProfile: '{}',
  })
  const link = newLink(world, seal, { spaceId, id: memberId })
  await knex('members').insert({
    id: memberId,
    spaceId,
    name: 'Ana',
    email: 'ana@example.com',
    createdAt,
    ...link,
  })
  await knex('accesses').insert({
    id: newId(world, 'access'),
    spaceId,
    memberId,
    gateId,
    createdAt,
    schedules: JSON.stringify([{ type: 'weekdays', timezone: 'Europe/Bucharest' }]),
  })
  return {
    world,
    database,
    seal,
    spaceId,
    gateId,
    memberId,
    async queue(kind = 'invitation') {
      const known: string[] = await knex('outbox').pluck('id')
      const { email } = await knex('members').where({ id: memberId }).first('email')
      const sent = { address: email ?? 'ana@example.com', actor: 'api:Desk' }
      const mail = { spaceId, memberId, kind, gateId: kind === 'invitation' ? null : gateId, ...sent }
      await database.write(tx => queueMail(tx, world, mail))
      const [mailId] = await knex('outbox').whereNotIn('id', known).pluck('id')
      return mailId
    },
    async changeMember(columns) {
      await knex('members').where({ id: memberId }).update(columns)
    },
    mail: mailId => knex('outbox').where({ id: mailId }).first(),
  }
}

/** Decodes the encoded words of RFC 2047; white space between two of them is dropped. */
function readWords(text: string): string {
  const joined = text.replace(/(=\?[^?]+\?[BQ]\?[^?]*\?=)\s+(?==\?)/gi, '$1')
  return joined.replace(/=\?utf-8\?([BQ])\?([^?]*)\?=/gi, (_, how: string, word: string) => {
    if (how.toUpperCase() === 'B') return Buffer.from(word, 'base64').toString()
    return readQuoted(word.replaceAll('_', ' '))
  })
}

function readQuoted(text: string): string {
  const bytes = text
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}

export interface ReadMail {
  /** Lower-case names, each once, in their order. */
  readonly names: readonly string[]
  header(name: string): string
  /** By media type. */
  readonly bodies: Readonly<Record<string, string>>
}

/** Reads a message of one level of parts. Throws when a header appears twice. */
export function readMime(raw: string): ReadMail {
  const end = raw.indexOf('\r\n\r\n')
  const lines = raw
    .slice(0, end)
    .replace(/\r\n[ \t]/g, ' ')
    .split('\r\n')
  const headers = new Map<string, string>()
  for (const line of lines) {
    const [, name = '', value = ''] = /^([!-9;-~]+): ?(.*)$/.exec(line) ?? []
    if (name === '' || headers.has(name.toLowerCase())) throw new Error(`a wrong header: ${line}`)
    headers.set(name.toLowerCase(), value)
  }
  const header = (name: string) => headers.get(name) ?? ''
  const type = header('content-type')
  const boundary = /boundary="([^"]+)"/.exec(type)?.[1]
  const body = raw.slice(end + 4)
  if (boundary !== undefined) {
    const parts = body
      .split(`--${boundary}`)
      .slice(1, -1)
      .map(part => readMime(part.slice(2)))
    const bodies = Object.assign({}, ...parts.map(part => part.bodies))
    return { names: [...headers.keys()], header: name => readWords(header(name)), bodies }
  }
  const encoding = header('content-transfer-encoding').toLowerCase()
  const text = encoding === 'base64' ? Buffer.from(body, 'base64').toString() : readQuoted(body)
  const mediaType = type.split(';')[0] ?? ''
  return {
    names: [...headers.keys()],
    header: name => readWords(header(name)),
    bodies: { [mediaType]: (encoding === '7bit' ? body : text).replaceAll('\r\n', '\n') },
  }
}
