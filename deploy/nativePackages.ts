// Copies libraries that cannot be bundled because of a native part, which they load from files beside them.

import { existsSync, realpathSync } from 'node:fs'
import { cp, readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const top = join(dirname(fileURLToPath(import.meta.url)), '..')

/** The folder of the package that the file `by` imports as `name`; undefined where it is not installed. */
function folderOf(name: string, by: string): string | undefined {
  const folders = createRequire(by).resolve.paths(name) ?? []
  return folders.map(folder => join(folder, name)).find(folder => existsSync(join(folder, 'package.json')))
}

function installed(name: string, by: string): string {
  const found = folderOf(name, by)
  if (found === undefined) throw new Error(`${name} is not installed`)
  return realpathSync(found)
}

const inModem = join(top, 'packages/modem/src/serial.ts')
const inCloud = join(top, 'packages/cloud/src/database/database.ts')
const inSimulator = join(top, 'packages/simulator/src/pty.ts')

/** The files that load a library: its manifest, its licence and its scripts. */
const isLoaded = (path: string) => /package\.json$|LICENSE|\.c?js$/.test(basename(path))

/** Native parts for Linux, whatever the processor, and for the machine that bundles. */
const isForHere = (platform: string) => /^linux/.test(platform) || platform.startsWith(process.platform)

/** The native part of serialport, which the gateway's bundle looks for in `prebuilds` beside it. */
export async function addSerialport(folder: string): Promise<void> {
  const serialport = join(installed('serialport', inModem), 'package.json')
  const prebuilds = join(installed('@serialport/bindings-cpp', serialport), 'prebuilds')
  for (const platform of await readdir(prebuilds))
    if (platform.startsWith('linux-'))
      await cp(join(prebuilds, platform), join(folder, 'prebuilds', platform), { recursive: true })
}

/** better-sqlite3 with its native parts. They are in `prebuilds`, and nothing else is needed. */
export async function addSqlite(folder: string): Promise<void> {
  const from = installed('better-sqlite3', inCloud)
  const to = join(folder, 'node_modules/better-sqlite3')
  for (const name of ['package.json', 'LICENSE', 'lib'])
    await cp(join(from, name), join(to, name), { recursive: true })
  for (const file of await readdir(join(from, 'prebuilds')))
    if (isForHere(file)) await cp(join(from, 'prebuilds', file), join(to, 'prebuilds', file))
}

/**
 * A package with its native part for the machine that bundles. The native part is a package of its own; npm installs only the
 * fitting one.
 */
async function addWithPart(name: string, by: string, folder: string): Promise<void> {
  const from = installed(name, by)
  const manifest = JSON.parse(await readFile(join(from, 'package.json'), 'utf8'))
  for (const partName of Object.keys(manifest.optionalDependencies)) {
    const part = folderOf(partName, join(from, 'package.json'))
    if (part) await cp(part, join(folder, 'node_modules', partName), { recursive: true, dereference: true })
  }
  for (const path of await readdir(from, { recursive: true }))
    if (isLoaded(path) && !/^(vendor|doc)/.test(path))
      await cp(join(from, path), join(folder, 'node_modules', name, path))
}

/** koffi, which makes the simulator's virtual serial port. */
export function addKoffi(folder: string): Promise<void> {
  return addWithPart('koffi', inSimulator, folder)
}

/** argon2, with which the cloud hashes passwords. */
export function addArgon2(folder: string): Promise<void> {
  return addWithPart('@node-rs/argon2', inCloud, folder)
}
