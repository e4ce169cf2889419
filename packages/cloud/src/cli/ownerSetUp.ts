// The first Space and its owner, as `callgate setup` asks for them and makes them.

import type { Config } from '../config.ts'
import { isCountry } from '../core/country.ts'
import { sentZone } from '../core/schedule/zone.ts'
import { type Database, databaseTrouble, explained } from '../database/database.ts'
import { serverName } from '../database/databaseAddress.ts'
import { migrate } from '../database/migrate.ts'
import { openData } from '../database/openData.ts'
import { openFor } from '../doctor/readData.ts'
import type { Interview } from '../installation/interview.ts'
import { AnswersEnded } from '../installation/question.ts'
import { isMailAddress } from '../mail/message.ts'
import { loadKeyring } from '../secrets/keyring.ts'
import { invitationUrl } from '../user/invitations.ts'
import { invitationWork } from './invitationCommands.ts'
import { checkName } from './optionChecks.ts'
import { spaceWork } from './spaceCommands.ts'
import type { Terminal } from './terminal.ts'

export interface NewOwner {
  readonly space: string
  readonly email: string
  readonly name: string
  readonly country: string
  readonly timezone: string
}

/** How long another program may write to the database, milliseconds. */
const lockedWithinMs = 10_000

/** Whether the data has Spaces. Data that is not there yet has none. */
export async function spacesThere(config: Config): Promise<'some' | 'none' | 'unreadable'> {
  let database: Database | undefined
  try {
    database = await openFor(config)
    const { knex } = database
    const isThere = (await knex.schema.hasTable('spaces')) && (await knex('spaces').first('id')) !== undefined
    return isThere ? 'some' : 'none'
  } catch (error) {
    return databaseTrouble(error) === 'missing' ? 'none' : 'unreadable'
  } finally {
    await database?.close()
  }
}

/** An option, or an answer that passes `fault`; undefined where an option does not. */
async function answer(
  { ask, complain, options }: Interview,
  option: string,
  words: string,
  fault: (text: string) => string | undefined,
): Promise<string | undefined> {
  for (;;) {
    const given = options[option]
    const text = given ?? (await ask(`${words}: `))
    if (text === undefined) throw new AnswersEnded(words, option)
    const why = fault(text.trim())
    if (why === undefined) return text.trim()
    complain(why)
    if (given !== undefined) return undefined
  }
}

const nameFault = (name: string) => {
  const checked = checkName({ name })
  return checked.ok ? undefined : `The ${checked.message}.`
}

/** Asks for the first owner. Undefined where there is a Space already, or none is wanted; a text where an option is wrong. */
export async function askOwner(interview: Interview, config: Config): Promise<NewOwner | undefined | string> {
  const { options } = interview
  const there = await spacesThere(config)
  if (there === 'unreadable')
    return `The database ${serverName(config.databaseUrl)} cannot be read. Nothing was changed.`
  if (there === 'some') return undefined
  const { country = '', timezone = '' } = options
  if (!isCountry(country)) return '--country must be a code of ISO 3166, such as RO.'
  if (!sentZone(timezone)) return '--timezone must be an IANA name, such as Europe/Bucharest.'
  const wrong = 'Nothing was changed.'
  const space = await answer(
    interview,
    'space',
    'Name of the first Space, such as Lake view; none: no owner',
    nameFault,
  )
  if (space === undefined) return wrong
  if (space === 'none') return undefined
  const email = await answer(interview, 'owner-email', 'E-mail address of its owner', text =>
    isMailAddress(text) ? undefined : 'That is no e-mail address.',
  )
  if (email === undefined) return wrong
  const name = await answer(interview, 'owner-name', 'Name of its owner, such as Olga Marin', nameFault)
  return name === undefined ? wrong : { space, email, name, country, timezone }
}

export type OwnerMade =
  /** The address by which the owner chooses a password. */
  { readonly ok: true; readonly link: string } | { readonly ok: false; readonly message: string }

/** Makes the tables, the Space and the invitation of its owner. Rejects with a `DatabaseError`. */
export async function makeOwner(
  { world }: Interview,
  { files, readSecret }: Terminal,
  config: Config,
  { country, email, name, space, timezone }: NewOwner,
): Promise<OwnerMade> {
  const url = config.databaseUrl
  let database: Database | undefined
  try {
    database = await openData({ url, world, patience: { world, withinMs: lockedWithinMs } })
    await migrate(database)
    const parts = { config, database, world, readSecret, files }
    const made = await spaceWork.create(parts, { name: space, plan: 'pro', country, timezone })
    if (!made.ok) return made
    const { spaceId } = made.json as { readonly spaceId: string }
    const invited = await invitationWork.invite(parts, { space: spaceId, email, name, role: 'owner' })
    if (!invited.ok) return invited
    const { invitation } = invited.json as { readonly invitation: { readonly id: string } }
    const loaded = await loadKeyring(world, config.keys)
    if (!loaded.ok) return loaded
    const link = await invitationUrl(
      database.knex,
      { appUrl: config.appUrl, seal: loaded.keyring.seal },
      invitation.id,
    )
    if (link === undefined) throw new Error('an invitation can be read when it was made')
    return { ok: true, link }
  } catch (error) {
    throw explained(error, url)
  } finally {
    await database?.close()
  }
}
