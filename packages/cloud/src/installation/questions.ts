// The questions of `callgate setup`: the public address, the database, the mail server.

import { lookup } from 'node:dns/promises'
import { isServer, serverName } from '../database/databaseAddress.ts'
import { type Check, fine, whyOf, wrong } from '../doctor/check.ts'
import { checkDatabase, checkFreeDisk, notMadeYet } from '../doctor/dataChecks.ts'
import { checkMail } from '../doctor/reachChecks.ts'
import { addressOf, hostOf, passwordFault, type Question, withPassword } from './question.ts'

async function checkName(appUrl: string): Promise<Check> {
  const name = new URL(appUrl).hostname.replace(/^\[|\]$/g, '')
  try {
    const { address } = await lookup(name)
    return { name: 'address', ...fine(`${name} leads to ${address}`) }
  } catch (error) {
    const says = `${name} leads nowhere (${whyOf(error)})`
    return { name: 'address', ...wrong(says, 'Enter the name in the DNS, or in /etc/hosts of this machine.') }
  }
}

export const address: Question = {
  option: 'address',
  words: 'The address that people open, such as gates.example.com',
  variables: ['APP_URL'],
  answeredBy: ['APP_URL'],
  present: ({ APP_URL }) => APP_URL,
  standard: '',
  async read(answer) {
    const url = addressOf(answer, 'https')
    if (url?.protocol !== 'https:') return 'The address is a name, such as gates.example.com.'
    return { variables: { APP_URL: url.href.replace(/\/$/, '') } }
  },
  check: async (_world, { appUrl }) => [await checkName(appUrl)],
}

export const database: Question = {
  option: 'database',
  words: 'Database: sqlite, or postgres://USER@HOST:5432/NAME',
  variables: ['DATABASE_URL', 'DATABASE_URL_FILE'],
  answeredBy: ['DATABASE_URL', 'DATABASE_URL_FILE'],
  present: ({ DATABASE_URL = '', DATABASE_URL_FILE }) =>
    DATABASE_URL_FILE ?? (isServer(DATABASE_URL) ? serverName(DATABASE_URL) : DATABASE_URL || 'sqlite'),
  standard: 'sqlite',
  async read(answer, asking) {
    const none = { DATABASE_URL: undefined, DATABASE_URL_FILE: undefined }
    if (answer === 'sqlite') return { variables: none }
    const url = isServer(answer) ? addressOf(answer, 'postgres') : undefined
    if (!url) return 'The database is sqlite, or begins with postgres://.'
    const fault = passwordFault(url, asking)
    if (fault !== undefined) return `The database: ${fault}.`
    return { variables: { ...none, DATABASE_URL: await withPassword(url, asking) } }
  },
  async check(_world, config) {
    const [data, disk] = await Promise.all([checkDatabase(config), checkFreeDisk(config)])
    const where = isServer(config.databaseUrl) ? serverName(config.databaseUrl) : config.databaseUrl
    const said = notMadeYet.includes(data)
      ? fine(`${where} can be used; its tables are made at the end`)
      : data
    return [
      { name: 'database', ...said },
      { name: 'disk', ...disk },
    ]
  },
}

/** The sender that is proposed: the user where that is an address, else one of the public name. */
const senderOf = (user: string, appUrl = '') =>
  user.includes('@') ? user : `gates@${addressOf(appUrl, 'https')?.hostname ?? 'example.com'}`

export const mail: Question = {
  option: 'mail',
  words: 'Mail server: mail.example.com, smtp://HOST:587, or none to keep mails as files',
  variables: ['SMTP_URL', 'SMTP_URL_FILE', 'MAIL_FROM', 'ALLOW_MAIL_FILES'],
  answeredBy: ['SMTP_URL', 'SMTP_URL_FILE', 'ALLOW_MAIL_FILES'],
  present: ({ ALLOW_MAIL_FILES, SMTP_URL, SMTP_URL_FILE }) =>
    SMTP_URL_FILE ?? hostOf(SMTP_URL) ?? (ALLOW_MAIL_FILES === 'yes' ? 'none' : undefined),
  standard: '',
  async read(answer, asking) {
    const none = { SMTP_URL: undefined, SMTP_URL_FILE: undefined, MAIL_FROM: undefined }
    if (answer === 'none') return { variables: { ...none, ALLOW_MAIL_FILES: 'yes' } }
    const url = addressOf(answer, 'smtps')
    if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === '')
      return 'The mail server is a host, an address that begins with smtps:// or smtp://, or none.'
    const fault = passwordFault(url, asking)
    if (fault !== undefined) return `The mail server: ${fault}.`
    if (url.username === '') {
      const user = await asking.follow('mail-user', 'Its user (empty: it asks for no login)', '')
      url.username = encodeURIComponent(user)
    }
    const user = decodeURIComponent(url.username)
    const SMTP_URL = (await withPassword(url, asking)).replace(/\/$/, '')
    const { APP_URL, MAIL_FROM: before } = asking.draft.variables
    const standard = before ?? senderOf(user, APP_URL)
    const MAIL_FROM = await asking.follow(
      'mail-from',
      'Sender of the mails: an address, or Name <address>',
      standard,
    )
    return { variables: { ...none, SMTP_URL, MAIL_FROM, ALLOW_MAIL_FILES: undefined } }
  },
  async check(world, config) {
    const found = await checkMail(world, config)
    const isMeant = config.allowsMailFiles && !config.smtp
    return [
      { name: 'mail', ...(isMeant ? fine(`Mails are kept as files in ${config.dataFolder}/mails`) : found) },
    ]
  },
}
