// `pnpm release:pi`: makes a release key, and the signed releases of the gateway.

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SigningKey } from '../../packages/contract/src/wire/signature.ts'
import { readKeyFile, writeKeyFile } from '../../packages/gateway/src/keyFile.ts'
import { realWorld } from '../../packages/world/src/real.ts'
import { version } from '../../packages/world/src/version.ts'
import { isCandidate } from '../version.ts'
import { commandLine } from './commandLine.ts'
import { bundledGateway, secondsOf } from './gatewayPackage.ts'
import { gatewayRelease } from './gatewayRelease.ts'
import { type Architecture, architectures, nodeFor } from './nodeBinaries.ts'

const usage = `Usage: release:pi keygen --out FILE
       release:pi sign --key FILE [ARCHITECTURE...] [--to FOLDER] [--with-node] [--replaces VERSION]

keygen makes a release key. sign makes the signed releases of the gateway: ${architectures.join(', ')}, or those that are named.

  --out FILE             where the private key is written
  --key FILE             the private key
  --to FOLDER            where the releases are written; else deploy/pi/dist
  --with-node            puts the Node inside
  --replaces VERSION     the oldest version that it may replace; else 0.1.0
`

const { positionals, values } = commandLine(
  {
    key: { type: 'string' },
    out: { type: 'string' },
    replaces: { type: 'string', default: '0.1.0' },
    to: { type: 'string' },
    'with-node': { type: 'boolean', default: false },
  },
  usage,
)
const [command, ...named] = positionals
const folder = values.to ?? join(import.meta.dirname, 'dist')

function fail(message: string): void {
  process.stderr.write(`${message}\n`)
  process.exitCode = 1
}

async function keygen(path: string): Promise<void> {
  const made = await writeKeyFile(path, realWorld({ logLevel: 'silent' }).randomBytes(32))
  if (!made.ok) return fail(made.message)
  process.stdout.write(
    `The private key is in ${path}. Keep it on a machine without a network, and a copy elsewhere.\n` +
      'This line goes into the file for package:pi --release-keys:\n' +
      `${made.key.publicKey} # ${made.key.keyId}\n`,
  )
}

async function sign(key: SigningKey, architecture: Architecture): Promise<void> {
  const bytes = await gatewayRelease({
    key,
    version,
    architecture,
    bundle: await bundledGateway(),
    node: (await nodeFor(architecture)).program,
    hasNode: values['with-node'],
    replaces: values.replaces,
    seconds: secondsOf(process.env),
    level: 9,
  })
  const path = join(folder, `callgate-gateway_${version}_${architecture}.release`)
  await mkdir(folder, { recursive: true })
  await writeFile(path, bytes)
  process.stdout.write(`${path}: ${(bytes.length / 1_048_576).toFixed(1)} MiB\n`)
}

async function signAll(file: string): Promise<void> {
  if (isCandidate)
    return fail(
      `${version} is a release candidate, which gateways install as a package only: package:pi makes it.`,
    )
  const own = await readKeyFile(file)
  if (!own.ok) return fail(own.message)
  for (const architecture of architectures)
    if (named.length === 0 || named.includes(architecture))
      await sign(own.key, architecture).catch((error: unknown) =>
        fail(`${architecture}: ${error instanceof Error ? error.message : error}.`),
      )
}

const unknown = named.find(name => !architectures.some(one => one === name))
if (unknown !== undefined) fail(`There is no release for ${unknown}: ${architectures.join(', ')}.`)
else if (command === 'keygen' && values.out !== undefined) await keygen(values.out)
else if (command === 'sign' && values.key !== undefined) await signAll(values.key)
else fail(usage)
