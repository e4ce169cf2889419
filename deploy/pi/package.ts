// `pnpm package:pi`: makes the Debian packages of the gateway.

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { commandLine } from './commandLine.ts'
import { bundledGateway, gatewayPackage, nameOf, secondsOf } from './gatewayPackage.ts'
import { type Architecture, architectures, nodeFor } from './nodeBinaries.ts'
import { readReleaseKeys } from './releaseKeys.ts'

const usage = `Usage: package:pi [ARCHITECTURE...] [--to FOLDER] [--release-keys FILE] [--check]

Makes the Debian packages of the gateway: ${architectures.join(', ')}, or those that are named.

  --to FOLDER            where to; else deploy/pi/dist
  --release-keys FILE    the public keys that may sign releases, one or two, a line each
  --check                makes each twice, and compares the bytes
`

const { positionals, values } = commandLine(
  { to: { type: 'string' }, check: { type: 'boolean' }, 'release-keys': { type: 'string' } },
  usage,
)
const keysFile = values['release-keys']
const folder = values.to ?? join(import.meta.dirname, 'dist')

async function make(architecture: Architecture): Promise<string> {
  const build = async () =>
    gatewayPackage({
      architecture,
      bundle: await bundledGateway(),
      node: await nodeFor(architecture),
      ...(keysFile !== undefined && { releaseKeys: await readReleaseKeys(keysFile) }),
      seconds: secondsOf(process.env),
      level: 9,
    })
  const bytes = await build()
  if (values.check && !bytes.equals(await build())) throw new Error('made twice, it has other bytes')
  const path = join(folder, nameOf(architecture))
  await mkdir(folder, { recursive: true })
  await writeFile(path, bytes)
  const size = `${(bytes.length / 1_048_576).toFixed(1)} MiB`
  return `${path}: ${size}${values.check ? ', the same bytes twice' : ''}`
}

const unknown = positionals.find(name => !architectures.some(one => one === name))
if (unknown !== undefined) {
  process.stderr.write(`There is no package for ${unknown}: ${architectures.join(', ')}.\n`)
  process.exitCode = 1
} else
  for (const architecture of architectures) {
    if (positionals.length > 0 && !positionals.includes(architecture)) continue
    try {
      process.stdout.write(`${await make(architecture)}\n`)
    } catch (error) {
      process.stderr.write(`${architecture}: ${error instanceof Error ? error.message : error}.\n`)
      process.exitCode = 1
    }
  }
