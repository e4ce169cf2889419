// `pnpm release:pi keygen --out FILE`: makes a release key. `pnpm release:pi sign --key FILE`: makes the signed releases of the gateway,
// for all architectures or those that are named. `--with-node` puts the Node inside; `--replaces VERSION` says the oldest that it may replace.

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { SigningKey } from '../../packages/contract/src/wire/signature.ts'
import { readKeyFile, writeKeyFile } from '../../packages/gateway/src/keyFile.ts'
import { version } from '../../packages/gateway/src/version.ts'
import { realWorld } from '../../packages/world/src/real.ts'
import { bundledGateway, secondsOf } from './gatewayPackage.ts'
import { gatewayRelease } from './gatewayRelease.ts'
import { type Architecture, architectures, nodeFor } from './nodeBinaries.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    key: { type: 'string' },
    out: { type: 'string' },
    replaces: { type: 'string', default: '0.1.0' },
    to: { type: 'string' },
    'with-node': { type: 'boolean', default: false },
  },
})
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
else fail('Write: release:pi keygen --out FILE, or: release:pi sign --key FILE [ARCHITECTURE...]')
