// The command first-boot --network: sets the network of this machine up, as root, by the file on the boot partition.

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { systemCode } from '../journalDisk.ts'
import { type BootPartition, openBootPartition } from './bootPartition.ts'
import { readFirstBoot } from './firstBootFile.ts'
import { type AskedNetwork, askedNetwork } from './networkFields.ts'
import { keptPassword, type NetworkManager, networkPlan, passwordFiles, stateFile } from './networkPlan.ts'
import { writeWhole } from './syncedFile.ts'

export interface BootNetworkOptions {
  readonly folder: string
  readonly console: string
  /** What is said of the network, for the enrolment that follows. */
  readonly said: string
}

export interface BootNetworkGiven {
  /** The root of the system, `/`. */
  readonly root: string
  print(text: string): void
  /** Runs a program to its end; false when it is missing or fails. */
  run(command: readonly string[]): Promise<boolean>
}

/** `failed`: a person has to correct the file. `unusable`: a file cannot be used. */
export type BootNetwork = 'nothing' | 'set' | 'failed' | 'unusable'

const commandLimitMs = 30_000

/** Runs a program without a shell. */
export function runProgram([program = '', ...args]: readonly string[]): Promise<boolean> {
  return new Promise(resolve =>
    execFile(program, args, { timeout: commandLimitMs }, error => resolve(error === null)),
  )
}

async function textAt(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  })
}

async function managerOf(root: string): Promise<NetworkManager | undefined> {
  if (existsSync(join(root, 'usr/sbin/NetworkManager'))) {
    const isRunning = existsSync(join(root, 'run/NetworkManager'))
    return { kind: 'NetworkManager', isRunning, state: await textAt(join(root, stateFile)) }
  }
  const hasNetworkd = existsSync(join(root, 'usr/lib/systemd/systemd-networkd'))
  return hasNetworkd ? { kind: 'systemd-networkd' } : undefined
}

function sayNetwork({ fixed, wifi }: AskedNetwork): string {
  const address = fixed ? `the address ${fixed.address}` : 'an address from the router'
  return `The network is set up: ${wifi ? `the Wi-Fi ${wifi.name}` : 'the cable'}, with ${address}.`
}

const noManager =
  'The network was not set up: this system has neither NetworkManager nor systemd-networkd, and for a Wi-Fi without NetworkManager it needs wpasupplicant.'

type Done = { readonly kind: BootNetwork; readonly said: string; readonly isNew?: boolean }

async function setUp(boot: BootPartition, { print, root, run }: BootNetworkGiven): Promise<Done> {
  const read = boot.text.ok ? readFirstBoot(boot.text.value) : boot.text
  if (!read.ok) return { kind: 'failed', said: `${boot.file} is not right:\n${read.message}`, isNew: true }
  const { asked: fields, lineOf, places } = read.value
  const asked = askedNetwork(fields)
  if (!asked) return { kind: 'nothing', said: '' }
  const manager = await managerOf(root)
  const lacks = manager?.kind === 'systemd-networkd' && !existsSync(join(root, 'usr/sbin/wpa_supplicant'))
  if (!manager || (asked.wifi && lacks)) return { kind: 'failed', said: noManager, isNew: true }
  const kept = keptPassword((await textAt(join(root, passwordFiles[manager.kind]))) ?? '')
  const plan = networkPlan(asked, manager, kept)
  if (!plan) {
    const said = `${boot.file} is not right:\nline ${lineOf('wifi')}: wifiPassword is missing: the password of the Wi-Fi`
    return { kind: 'failed', said, isNew: true }
  }
  let isNew = false
  for (const { mode, path, text } of plan.files) {
    const whole = join(root, path)
    if ((await textAt(whole)) === text) continue
    await mkdir(dirname(whole), { recursive: true })
    await writeWhole(whole, text, mode)
    isNew = true
  }
  if (places.wifiPassword) await boot.overwrite(places.wifiPassword)
  for (const command of isNew ? plan.commands : [])
    if (!(await run(command))) print(`${command.join(' ')}: failed`)
  return { kind: 'set', said: sayNetwork(asked), isNew }
}

/**
 * Sets the network up, and overwrites the password of the Wi-Fi once it is stored. It needs no network and asks nobody. Nothing is
 * written where the file asks for what is there.
 */
export async function bootNetworkCommand(
  given: BootNetworkGiven,
  { console: screen, folder, said }: BootNetworkOptions,
): Promise<BootNetwork> {
  try {
    const boot = await openBootPartition({ folder, console: screen })
    if (!boot) return 'nothing'
    const done = await setUp(boot, given)
    if (done.said !== '') {
      given.print(done.said)
      await writeWhole(said, `${done.said}\n`, 0o644)
    }
    if (done.isNew) await boot.show(done.said)
    await boot.close()
    return done.kind
  } catch (error) {
    const code = systemCode(error)
    if (code === undefined) throw error
    const path = error instanceof Error && 'path' in error ? ` ${String(error.path)}` : ''
    given.print(`The network was not set up: a file cannot be used:${path} ${code}. Run it as root.`)
    return 'unusable'
  }
}
