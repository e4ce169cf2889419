// One question of `callgate setup`: what it asks, what an answer makes of the settings, and how the answer is tried.

import type { World } from '@callgate/world/world'
import type { OperatorFiles } from '../backup/operatorFiles.ts'
import type { Config } from '../config.ts'
import type { Check } from '../doctor/check.ts'

/** The settings of this machine as far as they are answered, and the files beside them. */
export interface Draft {
  readonly variables: Readonly<Record<string, string>>
  /** Files for the folder of the settings, by name. A variable names one by its path there. */
  readonly files: Readonly<Record<string, string>>
}

/** The file of the authority behind the broker's certificate, beside the settings. */
export const authorityFile = 'authority.pem'

/** An undefined value removes the variable. */
export interface Change {
  readonly variables: Readonly<Record<string, string | undefined>>
  readonly files?: Readonly<Record<string, string>>
}

/** What a question can do while it reads an answer. */
export interface Asking {
  readonly draft: Draft
  readonly files: OperatorFiles
  /** Where the files beside the settings will be. */
  readonly folder: string
  /** The option of this name, else an answer; where the question itself was answered by its option, `standard`. */
  follow(option: string, words: string, standard: string): Promise<string>
  secret(words: string): Promise<string>
  hasOption(option: string): boolean
  /** Whether the answer stood on the command line, which others on this machine can read. */
  readonly isOption: boolean
}

export interface Question {
  /** The name of the option that answers it. */
  readonly option: string
  readonly words: string
  /** The variables that it decides. */
  readonly variables: readonly string[]
  /** Those of them that answer it where a file of settings has one. */
  readonly answeredBy: readonly string[]
  /** The answer as it stands, without a password; undefined where there is none yet. */
  present(variables: Draft['variables']): string | undefined
  /** What an empty answer means where there is none yet. */
  readonly standard: string
  /** The change by an answer; or, as a text, what is wrong with it. */
  read(answer: string, asking: Asking): Promise<Change | string>
  /** Tries the answer, by connecting where it names a server. */
  check(world: World, config: Config): Promise<readonly Check[]>
}

/** The input has ended before everything was answered. */
export class AnswersEnded extends Error {
  constructor(words: string, option: string | undefined) {
    super(`There is no answer to: ${words}.${option === undefined ? '' : ` Give it, or --${option}.`}`)
  }
}

/** An address that may be typed without a scheme; undefined where it is none. */
export function addressOf(answer: string, scheme: string): URL | undefined {
  const text = /^[a-z]+:\/\//i.test(answer) ? answer : `${scheme}://${answer}`
  return URL.canParse(text) ? new URL(text) : undefined
}

/** The host of an address in the settings, without its login; undefined where there is none. */
export const hostOf = (address: string | undefined): string | undefined =>
  address ? addressOf(address, 'mqtts')?.host : undefined

const passwordShown =
  'others on this machine can read the command line: leave the password out there, and type it or give it on the standard input; or use --settings'

/** The address with a password, which is asked for where it names a user without one; or what is wrong. */
export async function withPassword(url: URL, { secret }: Pick<Asking, 'secret'>): Promise<string> {
  if (url.username === '' || url.password !== '') return url.href
  const password = await secret(`Password of ${decodeURIComponent(url.username)} at ${url.host}`)
  const whole = new URL(url.href)
  // Quotes too, which the file of settings cannot hold everywhere.
  whole.password = encodeURIComponent(password).replace(
    /[!'()*]/g,
    letter => `%${letter.charCodeAt(0).toString(16)}`,
  )
  return whole.href
}

/** Why an answer is refused before its password is asked for; undefined where it is not. */
export const passwordFault = (url: URL, { isOption }: Asking): string | undefined =>
  isOption && url.password !== '' ? passwordShown : undefined
