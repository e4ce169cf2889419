// The command first-boot: enrols this gateway by a code that somebody has put on its card, and deletes that code.

import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { spacedFingerprint } from '@callgate/contract/enrolment/agreement'
import { readEnrolmentCode } from '@callgate/contract/enrolment/enrolmentCode'
import type { World } from '@callgate/world/world'
import { systemCode } from '../journalDisk.ts'
import type { BootNetworkOptions } from './bootNetwork.ts'
import { type BootPartition, openBootPartition } from './bootPartition.ts'
import { type OpenPlace, thisDevice } from './device.ts'
import { type Enrolled, type EnrolmentNews, enrol } from './enrol.ts'
import { type Begun, enrolsElsewhere, forgetBegun, lockEnrolment, readBegun } from './enrolmentFile.ts'
import { type FirstBootFile, readFirstBoot } from './firstBootFile.ts'
import { hasIdentity, modemPlaceOf, storeLogin } from './newConfiguration.ts'
import type { EnrolFailure } from './notEnrolled.ts'

/** The longest time for which the daemon of an enrolled gateway waits for this. */
const longestReplaceMs = 15 * 60_000

export type FirstBoot =
  /** There is no file, or no code in it. */
  'nothing' | 'enrolled' | 'failed'

export interface FirstBootGiven {
  readonly world: World
  /** The addresses of this machine in its networks, now. */
  addresses(): readonly string[]
  readonly boot: BootPartition
  /** The configuration, as an absolute path. */
  readonly config: string
  /** The folder of the daemon's journal. */
  readonly dataFolder: string
  readonly openPlace: OpenPlace
  print(text: string): void
}

/** Failures after which the code is useless. A wrong code or address can be corrected, and the others may pass. */
const spent: ReadonlySet<EnrolFailure> = new Set<EnrolFailure>([
  'code_used',
  'code_spent',
  'code_expired',
  'code_cancelled',
  'not_confirmed',
  'too_late',
  'handed_out',
])

type Plan =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'refuse'; readonly why: string }
  | { readonly kind: 'enrol'; readonly cloudUrl: string; readonly code: string | undefined }

interface FirstBootStatus {
  readonly begun: Begun | undefined
  /** Whether the configuration names a gateway. */
  readonly isEnrolled: boolean
  /** Whether that is the gateway of the enrolment that was begun, whose last step a power cut has prevented. */
  readonly isOfBegun: boolean
}

/** Decides what to do with the code of the file, depending on what an earlier run has done. */
function planFor(asked: FirstBootFile, { begun, isEnrolled, isOfBegun }: FirstBootStatus): Plan {
  const cloudUrl = asked.cloud.replace(/\/$/, '')
  const read = asked.code === undefined ? undefined : readEnrolmentCode(asked.code)
  if (begun && isOfBegun && !(read?.ok && read.name !== begun.codeName))
    return { kind: 'enrol', cloudUrl: begun.cloudUrl, code: undefined }
  if (!read) return { kind: 'nothing' }
  if (!read.ok) return { kind: 'refuse', why: read.message }
  const goesOn = begun?.codeName === read.name
  if (isEnrolled && !goesOn && asked.replace !== 'true')
    return {
      kind: 'refuse',
      why: 'This gateway is enrolled already, so the code was not used. To enrol it anew, write replace: true into the file, with a code that replaces the gateway on the dashboard. Otherwise delete the code.',
    }
  return { kind: 'enrol', cloudUrl, code: read.code }
}

function sayNews(news: EnrolmentNews, addresses: readonly string[]): string {
  if (news.kind === 'compare')
    return [
      `The code was taken. Fingerprint: ${spacedFingerprint(news.fingerprint)}`,
      'Compare these six digits with those on the dashboard, and confirm there only if they are the same.',
      ...(news.ofDevice === undefined ? [] : [news.ofDevice]),
    ].join('\n')
  const network =
    addresses.length === 0
      ? 'This gateway has no address in a network: look at the cable, or at the name and the password of the Wi-Fi.'
      : `This gateway has the address ${addresses.join(', ')}: look at the address of the cloud in the file, and at the router.`
  return `The cloud cannot be asked: ${news.why}.\nTrying again. ${network} The clock sets itself once there is a network.`
}

function sayEnd(enrolled: Enrolled): string {
  if (enrolled.ok) return 'Enrolled. The gateway starts now. The code was deleted from the file.'
  const next = spent.has(enrolled.code)
    ? 'The code was deleted from the file: write a new one there, and start the gateway again.'
    : 'The code is still in the file. Start the gateway again to try again.'
  return `Not enrolled: ${enrolled.message}\n${next}`
}

async function statusOf(config: string): Promise<FirstBootStatus> {
  const begun = await readBegun(dirname(config))
  const isEnrolled = await hasIdentity(config)
  const isOfBegun =
    begun !== undefined && isEnrolled && (await readFile(config, 'utf8')).includes(begun.keyFile)
  return { begun, isEnrolled, isOfBegun }
}

/** Resolves with undefined after `ms`. */
const after = (world: World, ms: number) =>
  new Promise<undefined>(resolve => void world.after(ms, () => resolve(undefined)))

/**
 * Enrols with the values of the file, and waits for the network, the clock and the admin. The next run repeats a run that was
 * interrupted at any step. Rejects with the system's error when the configuration or the card cannot be used.
 */
export async function firstBoot({
  addresses,
  boot,
  config,
  dataFolder,
  openPlace,
  print,
  world,
}: FirstBootGiven): Promise<FirstBoot> {
  const show = async (text: string) => {
    print(text)
    await boot.show(text)
  }
  const fail = async (why: string) => {
    await show(`Not enrolled: ${why}`)
    return 'failed' as const
  }
  const read = boot.text.ok ? readFirstBoot(boot.text.value) : boot.text
  if (!read.ok) return fail(`${boot.file} is not right:\n${read.message}`)
  const { asked, places } = read.value
  const status = await statusOf(config)
  const plan = planFor(asked, status)
  if (plan.kind === 'nothing') return 'nothing'
  if (plan.kind === 'refuse') return fail(plan.why)
  const deleteCode = async () => places.code && boot.overwrite(places.code)
  const { ca, cloudKey, serialPort, simPin } = asked
  const ofModem = { ...(serialPort !== undefined && { serialPort }), ...(simPin !== undefined && { simPin }) }
  const { cloudUrl } = plan
  const usual = { cloudUrl, serialPort: '/dev/serial0', dataFolder, allowPlainMqtt: false, ofModem }
  const enrolling = enrol({
    world,
    cloudUrl,
    code: plan.code,
    cloudKey,
    ca,
    folder: dirname(config),
    device: async () => thisDevice(world, await modemPlaceOf(config, usual), openPlace),
    tell: news => void show(sayNews(news, addresses())),
    async store(login) {
      const stored = await storeLogin(config, login, usual)
      if (!stored.ok) return stored
      if (places.simPin) await boot.overwrite(places.simPin)
      await deleteCode()
      return stored
    },
  })
  const enrolled = await (status.isEnrolled && !status.isOfBegun
    ? Promise.race([enrolling, after(world, longestReplaceMs)])
    : enrolling)
  if (!enrolled)
    return fail(
      'nobody has confirmed it in 15 minutes. The gateway starts as it was. Start it again to go on.',
    )
  if (enrolled.ok || spent.has(enrolled.code)) await deleteCode()
  if (!enrolled.ok && spent.has(enrolled.code)) await forgetBegun(dirname(config))
  await show(sayEnd(enrolled))
  return enrolled.ok ? 'enrolled' : 'failed'
}

export interface FirstBootOptions extends BootNetworkOptions {
  readonly config: string
  readonly dataFolder: string
  /** Set the network up, and nothing else. */
  readonly network?: boolean
}

interface Terminal extends Pick<FirstBootGiven, 'addresses'> {
  readonly world: World
  readonly openPlace: OpenPlace
  print(text: string): void
  /** Becomes the owner of a folder, permanently. */
  dropRoot(folder: string): Promise<void>
}

/** Opens the files as the calling user, and does the rest as the daemon's user. `unusable`: a file cannot be used. */
export async function firstBootCommand(
  { addresses, dropRoot, openPlace, print, world }: Terminal,
  options: FirstBootOptions,
): Promise<FirstBoot | 'unusable'> {
  const { dataFolder, folder } = options
  const config = resolve(options.config)
  try {
    const boot = await openBootPartition(options)
    if (!boot) {
      print(`There is no callgate-gateway.yaml in ${folder}: nothing to do.`)
      return 'nothing'
    }
    const own = dirname(config)
    await dropRoot(own)
    const locked = await lockEnrolment(own)
    if (!locked.ok) {
      print(enrolsElsewhere(own, locked))
      await boot.close()
      return 'failed'
    }
    const ended = await firstBoot({ world, addresses, boot, config, dataFolder, openPlace, print })
    locked.release()
    await boot.close()
    if (ended === 'nothing') print(`${boot.file} has no code: nothing to do.`)
    return ended
  } catch (error) {
    const code = systemCode(error)
    if (code === undefined) throw error
    const path = error instanceof Error && 'path' in error ? ` ${String(error.path)}` : ''
    print(`A file cannot be used:${path} ${code}. Run first-boot as root.`)
    return 'unusable'
  }
}
