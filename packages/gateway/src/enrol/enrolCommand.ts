// The command enrol: its options, its output, and the configuration that it writes.

import { X509Certificate } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { spacedFingerprint } from '@callgate/contract/enrolment/agreement'
import type { World } from '@callgate/world/world'
import { usualFile } from '../config.ts'
import { systemCode } from '../journalDisk.ts'
import { type OpenPlace, thisDevice } from './device.ts'
import { type Enrolled, type EnrolmentNews, enrol, readEnrolmentLink } from './enrol.ts'
import { enrolsElsewhere, lockEnrolment, readBegun } from './enrolmentFile.ts'
import { hasIdentity, modemPlaceOf, storeLogin } from './newConfiguration.ts'

export interface EnrolOptions {
  readonly cloud?: string
  readonly cloudKey?: string
  readonly ca?: string
  readonly config: string
  readonly serialPort: string
  readonly dataFolder: string
  readonly showAt?: readonly string[]
  readonly allowPlainMqtt?: boolean
  readonly again?: boolean
}

interface Terminal {
  readonly world: World
  readonly openPlace: OpenPlace
  print(text: string): void
}

type Said = { readonly ok: boolean; readonly text: string }
const fail = (text: string): Said => ({ ok: false, text })

/** The text for a person beside the gateway. */
function sayNews(news: EnrolmentNews): string {
  if (news.kind === 'trouble')
    return `The cloud cannot be asked: ${news.why}. Trying again for 10 minutes; Ctrl-C ends it and does no harm.`
  return [
    `The code was taken. Compare these six digits with those on the dashboard: ${spacedFingerprint(news.fingerprint)}`,
    ...(news.ofDevice === undefined ? [] : [news.ofDevice]),
    'Confirm there only if the digits are the same. Waiting for that…',
  ].join('\n')
}

/** Shows the news also on a console or in a file, for example on the boot partition of a machine without a screen. */
async function showAt({ print }: Terminal, places: readonly string[], text: string): Promise<void> {
  for (const place of places)
    await writeFile(place, `${text}\n`).catch((error: unknown) =>
      print(`It cannot be shown at ${place}: ${systemCode(error) ?? String(error)}.`),
    )
}

/** Why the enrolment cannot begin; undefined where it can. The configuration of a running gateway is not replaced by mistake. */
async function startFault(file: string, { again = false }: EnrolOptions): Promise<string | undefined> {
  if (again || !(await hasIdentity(file)) || (await readBegun(dirname(file)))) return undefined
  return `${file} names a gateway already: this one was enrolled. To enrol it anew, run enrol with --again, with a code that replaces it on the dashboard.`
}

/** Advice on an error code. The package's command runs as the user of the daemon, whoever called it. */
function adviceOn(code: string, isAuthority: boolean): string {
  if (code !== 'EACCES' && code !== 'EPERM') return ''
  return isAuthority
    ? ' The user of the daemon has to read it: copy it to /tmp, and let everybody read it.'
    : ' Put sudo before the command.'
}

function sayEnd(enrolled: Enrolled, file: string, authority: string | undefined): Said {
  if (enrolled.ok) return { ok: true, text: `Enrolled. The configuration is in ${file}. ${sayStart(file)}` }
  const ofAuthority = `The authority is that of ${authority}: it has to be the one that signed the certificate of the cloud. Whoever runs the cloud has it.`
  return fail(
    enrolled.code === 'strange_authority' && authority !== undefined
      ? `${enrolled.message} ${ofAuthority}`
      : enrolled.message,
  )
}

/** Reads the authority. Node silently ignores a file without a certificate. */
async function readAuthority(
  file: string | undefined,
): Promise<{ readonly ok: true; readonly pem: string | undefined } | (Said & { readonly ok: false })> {
  const pem = file === undefined ? undefined : await readFile(file, 'utf8')
  try {
    if (pem !== undefined) new X509Certificate(pem)
    return { ok: true, pem }
  } catch {
    return {
      ok: false,
      text: `${file} of --ca holds no certificate: name the PEM file of the authority, which begins with -----BEGIN CERTIFICATE-----`,
    }
  }
}

const sayStart = (file: string) =>
  file === usualFile
    ? 'Start the daemon: sudo systemctl restart callgate-gateway'
    : `Start the daemon with it: callgate-gateway run --config ${file}`

/** Enrols this machine, unless another command enrols with the same files. */
export async function enrolCommand(
  terminal: Terminal,
  typed: string | undefined,
  options: EnrolOptions,
): Promise<Said> {
  const folder = dirname(resolve(options.config))
  const locked = await lockEnrolment(folder)
  if (!locked.ok) return fail(enrolsElsewhere(folder, locked))
  try {
    return await enrolHere(terminal, typed, options)
  } finally {
    locked.release()
  }
}

/** `typed` is a code, or the link of its QR code; without it, the enrolment that was begun goes on. */
async function enrolHere(
  terminal: Terminal,
  typed: string | undefined,
  options: EnrolOptions,
): Promise<Said> {
  const { allowPlainMqtt = false, dataFolder, serialPort, showAt: places = [] } = options
  const file = resolve(options.config)
  const folder = dirname(file)
  try {
    const link = typed === undefined ? undefined : readEnrolmentLink(typed)
    const given = link?.cloudUrl ?? options.cloud ?? (await readBegun(folder))?.cloudUrl
    if (given === undefined) return fail('Say where the cloud is: --cloud https://gates.example.com')
    const cloudUrl = given.replace(/\/$/, '')
    const fault = await startFault(file, options)
    if (fault !== undefined) return fail(fault)
    const authority = await readAuthority(options.ca)
    if (!authority.ok) return authority
    const tell = (news: EnrolmentNews) => {
      const text = sayNews(news)
      terminal.print(text)
      void showAt(terminal, places, text)
    }
    const { openPlace, world } = terminal
    const enrolled = await enrol({
      world,
      cloudUrl,
      folder,
      tell,
      ca: authority.pem,
      isAttended: true,
      code: link?.code ?? typed,
      cloudKey: link?.cloudKey ?? options.cloudKey,
      device: async () => thisDevice(world, await modemPlaceOf(file, { dataFolder, serialPort }), openPlace),
      store: login => storeLogin(file, login, { cloudUrl, serialPort, dataFolder, allowPlainMqtt }),
    })
    for (const place of places.filter(path => !path.startsWith('/dev/'))) await rm(place, { force: true })
    return sayEnd(enrolled, file, options.ca)
  } catch (error) {
    const code = systemCode(error)
    if (code === undefined) throw error
    const path = error instanceof Error && 'path' in error ? String(error.path) : ''
    return fail(`A file cannot be used: ${path} ${code}.${adviceOn(code, path === options.ca)}`)
  }
}
