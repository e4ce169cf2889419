// `callgate setup`: makes of a machine with the package one that serves.

import { writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { realWorld } from '@callgate/world/real'
import type { Config } from '../config.ts'
import { serverName } from '../database/databaseAddress.ts'
import { DatabaseError } from '../database/databaseError.ts'
import type { Check } from '../doctor/check.ts'
import { checkAppUrl } from '../doctor/reachChecks.ts'
import { checkSigningKey } from '../doctor/signingKeyCheck.ts'
import { broker } from '../installation/brokerQuestion.ts'
import { type GivenSettings, givenDraft } from '../installation/givenDraft.ts'
import { configOf, type Interview, interviewed } from '../installation/interview.ts'
import {
  keysFault,
  type MachinePlaces,
  settingsText,
  writeKeys,
  writeMachine,
} from '../installation/machineFiles.ts'
import { AnswersEnded, type Draft } from '../installation/question.ts'
import { address, database, mail } from '../installation/questions.ts'
import { changeSettings } from '../installation/settingsFile.ts'
import { makeStaging, type StagingFolder } from '../installation/stagingFolder.ts'
import { startCloud } from '../installation/startCloud.ts'
import type { Options } from './commandWork.ts'
import { lineOf } from './doctorCommand.ts'
import { askOwner, makeOwner, spacesThere } from './ownerSetUp.ts'
import type { Terminal } from './terminal.ts'

const questions = [address, database, broker, mail]

/** What stops the command, as a sentence for a person. */
class SetUpRefused extends Error {}

function placesOf({ environment }: Terminal): MachinePlaces {
  const settings = environment['CALLGATE_SETTINGS']
  if (!settings)
    throw new SetUpRefused(
      'This command belongs to the package callgate-cloud: it writes the file that CALLGATE_SETTINGS names.',
    )
  const folder = join(dirname(settings), basename(settings, '.env'))
  return { settings, folder, dataFolder: resolve(environment['CALLGATE_DATA'] ?? '.callgate') }
}

/** The options that say what to change. */
const saying = [...questions.map(({ option }) => option), 'settings', 'proxy']

interface SetUp {
  readonly terminal: Terminal
  readonly options: Options
  readonly places: MachinePlaces
  /** The text of the settings; empty where there are none. */
  readonly present: string
  readonly interview: Interview
}

/** Everything that decides, before anything is written. */
async function decide({ interview, options, places, present, terminal }: SetUp) {
  const given = await givenDraft(interview.world, { ...terminal, places, options, present })
  if (typeof given === 'string') throw new SetUpRefused(given)
  const draft = await interviewed(interview, questions, given.draft, given.variables)
  if (!draft) throw new SetUpRefused('Nothing was changed.')
  const keys = given.keys && (await checkKeys(interview, places, draft, given.keys))
  if (keys !== undefined) throw new SetUpRefused(keys)
  const staged = await interview.stage(draft.files)
  const read = configOf(interview, draft, staged)
  if (!read.ok) throw new SetUpRefused(read.message)
  const left = await leftBehind(interview, given, read.config)
  if (left !== undefined) throw new SetUpRefused(left)
  const owner = given.keys ? undefined : await askOwner(interview, read.config)
  if (typeof owner === 'string') throw new SetUpRefused(owner)
  return { given, draft, owner }
}

/** Why this cloud may not turn to another database: its data would stay behind. Undefined where it may. */
async function leftBehind(
  interview: Interview,
  { before }: GivenSettings,
  next: Config,
): Promise<string | undefined> {
  const read = configOf(interview, { variables: before, files: {} }, interview.folder)
  if (!read.ok || read.config.databaseUrl === next.databaseUrl) return undefined
  const there = await spacesThere(read.config)
  if (there === 'none' || (await spacesThere(next)) === 'some') return undefined
  const from = serverName(read.config.databaseUrl)
  // The database is the same, and its password is a new one.
  if (there === 'unreadable' && from === serverName(next.databaseUrl)) return undefined
  return there === 'some'
    ? `The data of this cloud is in ${from}, and the other database has none: this command moves no data. Nothing was changed.`
    : `The data of this cloud is in ${from}, which cannot be read, and the other database has none. Make it readable, or move the settings away where it is gone for good. Nothing was changed.`
}

/** Whether the keys of the other machine fit its database, and are not in the way of others here. */
async function checkKeys(
  interview: Interview,
  { dataFolder }: MachinePlaces,
  draft: Draft,
  keys: NonNullable<GivenSettings['keys']>,
): Promise<string | undefined> {
  const fault = await keysFault(dataFolder, keys)
  if (fault !== undefined) return fault
  const staged = await interview.stage({ ...draft.files, ...keys })
  const read = configOf(interview, draft, staged)
  if (!read.ok) return read.message
  const config: Config = { ...read.config, keys: { folder: staged } }
  const check: Check = { name: 'signing key', ...(await checkSigningKey(interview.world, config)) }
  interview.tell(check)
  return check.state === 'ok'
    ? undefined
    : 'The file does not fit the cloud that serves: make a new one there, with "callgate share". Nothing was changed.'
}

/** Writes what was decided. Returns the configuration as the service reads it. */
async function write(
  { interview, places, present, terminal }: SetUp,
  { draft, given }: { readonly draft: Draft; readonly given: GivenSettings },
): Promise<Config> {
  const before = Object.keys(given.before).map(name => [name, undefined])
  const settings = changeSettings(present, { ...Object.fromEntries(before), ...draft.variables })
  if (given.keys) await writeKeys(places.dataFolder, given.keys)
  const content = { settings, files: draft.files }
  const fault = await writeMachine(terminal.files, places, content)
  if (fault !== undefined) throw new SetUpRefused(fault)
  const read = configOf(interview, draft, places.folder)
  if (!read.ok) throw new SetUpRefused(read.message)
  return read.config
}

/** Decides, writes, starts. Returns what is said at the end. */
async function setUp(parts: SetUp): Promise<{ readonly said: object; readonly text: string }> {
  const { interview, terminal } = parts
  const decided = await decide(parts)
  const config = await write(parts, decided)
  const made = decided.owner && (await makeOwner(interview, terminal, config, decided.owner))
  if (made?.ok === false) throw new SetUpRefused(made.message)
  const link = made?.link
  const started = await startCloud(
    interview.world,
    terminal.files,
    terminal.environment['CALLGATE_UNIT'],
    config,
  )
  interview.tell(started)
  const isServing = started.state === 'ok'
  if (started.state === 'wrong') terminal.exitWith(1)
  if (isServing) interview.tell({ name: 'APP_URL', ...(await checkAppUrl(interview.world, config)) })
  const { appUrl, host, port } = config
  const text = decided.given.keys
    ? `This machine serves ${appUrl} as well. Name it in the proxy: it listens on ${host}, port ${port}.`
    : link === undefined
      ? `Open this address:\n\n  ${appUrl}`
      : `Open this address and choose the owner's password. It works once, within 72 hours:\n\n  ${link}`
  return { said: { appUrl, link: link ?? null, isServing }, text: `\n${text}\n` }
}

/** The options by their names on the command line. */
const named = (options: Options): Options =>
  Object.fromEntries(
    Object.entries(options).map(([name, value]) => [
      name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`),
      value,
    ]),
  )

/** Runs the command. Nothing is written before everything is answered. */
export async function install(terminal: Terminal, given: Options): Promise<void> {
  const options = named(given)
  const world = realWorld({ logLevel: 'silent' })
  let staging: StagingFolder | undefined
  try {
    const places = placesOf(terminal)
    const present = await settingsText(terminal.files, places)
    if (present === undefined)
      throw new SetUpRefused(`${places.settings} cannot be written: run this command as root.`)
    const { CALLGATE_DATA, NODE_ENV } = terminal.environment
    const interview: Interview = {
      world,
      files: terminal.files,
      environment: { CALLGATE_DATA, NODE_ENV },
      folder: places.folder,
      options,
      keepsRest: present !== '' && saying.some(option => options[option] !== undefined),
      ask: terminal.ask,
      tell: check => terminal.complain(lineOf(check)),
      complain: terminal.complain,
      async stage(files) {
        staging ??= makeStaging(places.dataFolder, terminal.atExit)
        for (const [name, text] of Object.entries(files))
          await writeFile(join(staging.path, name), text, { mode: 0o600 })
        return staging.path
      },
    }
    const { said, text } = await setUp({ terminal, options, places, present, interview })
    terminal.print(options['json'] ? JSON.stringify(said) : text)
  } catch (error) {
    if (!(error instanceof SetUpRefused || error instanceof AnswersEnded || error instanceof DatabaseError))
      throw error
    terminal.complain(error.message)
    terminal.exitWith(1)
  } finally {
    staging?.remove()
  }
}
