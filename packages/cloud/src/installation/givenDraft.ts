// What `callgate setup` begins with: the settings as they are, those of a file, or those of the cloud that it joins.

import { createServer } from 'node:net'
import { join } from 'node:path'
import type { World } from '@callgate/world/world'
import { type OperatorFiles, readNamed } from '../backup/operatorFiles.ts'
import { isJoinFile, readJoinFile } from './joinFile.ts'
import type { MachinePlaces } from './machineFiles.ts'
import { AnswersEnded, authorityFile, type Draft } from './question.ts'
import { readSettings } from './settingsFile.ts'
import { draftOf, settingsFault } from './sharedSettings.ts'

export interface GivenSettings {
  readonly draft: Draft
  /** The variables that a file gives: their questions are not asked. */
  readonly variables: Draft['variables']
  /** The keys of the cloud that is joined. */
  readonly keys: Readonly<Record<string, string>> | undefined
  /** The settings as they are. */
  readonly before: Draft['variables']
}

interface Beginning {
  readonly files: OperatorFiles
  readonly places: MachinePlaces
  readonly options: Readonly<Record<string, string | undefined>>
  /** The text of the file of settings; empty where there is none. */
  readonly present: string
  ask(question: string, isSecret?: boolean): Promise<string | undefined>
}

/** Whether this machine lets a program listen on the port. */
function isFree(port: number): Promise<boolean> {
  return new Promise(settle => {
    const server = createServer()
    server.once('error', () => settle(false))
    server.listen(port, '127.0.0.1', () => server.close(() => settle(true)))
  })
}

async function firstFree(port: number): Promise<number> {
  return (await isFree(port)) ? port : firstFree(port + 1)
}

/** Where a new cloud listens: beside another one on this machine, on the next ports. Metrics are for this machine alone. */
async function ownPorts(): Promise<Draft['variables']> {
  const [port, metrics] = [await firstFree(8_080), await firstFree(9_464)]
  return { ...(port !== 8_080 && { PORT: String(port) }), METRICS_PORT: String(metrics) }
}

/** The proxy stands on this machine, unless its address is given. */
function proxyOf(given: string | undefined, before: Draft['variables']): Draft['variables'] {
  if (given === 'loopback') return { TRUST_PROXY: given, HOST: '127.0.0.1' }
  if (given !== undefined) return { TRUST_PROXY: given, HOST: '0.0.0.0' }
  return before['TRUST_PROXY'] === undefined ? { TRUST_PROXY: 'loopback' } : {}
}

async function joined(world: World, { ask, files, places }: Beginning, file: string) {
  const text = await readNamed(files, file)
  if (typeof text === 'string') return `${file} ${text}.`
  if (!isJoinFile(text.toString())) return `${file} is no file of "callgate share".`
  const words = 'Passphrase that "callgate share" has shown'
  const passphrase = await ask(`${words}: `, true)
  if (passphrase === undefined) throw new AnswersEnded(words, undefined)
  const read = await readJoinFile(world, text.toString(), passphrase)
  if (!read.ok) return read.message
  return { draft: draftOf(read.shared, places.folder), keys: read.shared.keys }
}

/** The variables in the file of `--settings`, with the authority of the broker that they may name. */
async function settingsIn({ files, options, places }: Beginning, file: string): Promise<Draft | string> {
  const bytes = await readNamed(files, file)
  if (typeof bytes === 'string') return `${file} ${bytes}.`
  const read = readSettings(bytes.toString())
  if (!read.ok) return `${file}, ${read.message}.`
  const fault = settingsFault(read.variables)
  if (fault !== undefined) return fault
  const { 'broker-ca': authority = 'none' } = options
  if (authority === 'none' || read.variables['MQTT_URL'] === undefined)
    return { variables: read.variables, files: {} }
  const text = await readNamed(files, authority)
  if (typeof text === 'string') return `${authority} ${text}.`
  return {
    variables: { ...read.variables, MQTT_CA: join(places.folder, authorityFile) },
    files: { [authorityFile]: text.toString() },
  }
}

/** The draft before the first question; or why there is none, as a sentence. */
export async function givenDraft(world: World, beginning: Beginning): Promise<GivenSettings | string> {
  const { options, present } = beginning
  const read = readSettings(present)
  if (!read.ok) return `${beginning.places.settings}, ${read.message}.`
  const before = read.variables
  const own = { ...(present === '' && (await ownPorts())), ...proxyOf(options['proxy'], before) }
  if (options['join'] !== undefined) {
    if (present !== '') return `${beginning.places.settings} is there already: this machine has a cloud.`
    const shared = await joined(world, beginning, options['join'])
    if (typeof shared === 'string') return shared
    const { draft, keys } = shared
    return {
      draft: { variables: { ...draft.variables, ...own }, files: draft.files },
      variables: draft.variables,
      keys,
      before,
    }
  }
  const { settings } = options
  const given = settings === undefined ? { variables: {}, files: {} } : await settingsIn(beginning, settings)
  if (typeof given === 'string') return given
  const { files, variables } = given
  return {
    draft: { variables: { ...before, ...own, ...variables }, files },
    variables,
    keys: undefined,
    before,
  }
}
