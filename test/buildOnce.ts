// Before all tests: prints the Node that they run on, and builds the bundles, which parallel test files would otherwise build at
// the same time.

import { execFileSync } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type BundleName, bundleNames, isBundleStale } from '../packages/demo/src/bundles.ts'

const top = fileURLToPath(new URL('..', import.meta.url))

/** Prints the Node of the tests. Fails if CALLGATE_NODE names another one. */
function tellNode(): void {
  process.stdout.write(`Node ${process.version}\n`)
  const { CALLGATE_NODE: named } = process.env
  if (named && realpathSync(named) !== process.execPath)
    throw new Error(`CALLGATE_NODE is ${named}, but the tests run on ${process.execPath}.`)
}

/** Builds those of the bundles that are missing or older than a source. */
export async function buildStale(names: readonly BundleName[]): Promise<void> {
  const isStale = await Promise.all(names.map(name => isBundleStale(top, name)))
  const stale = names.filter((_, place) => isStale[place])
  if (stale.length > 0)
    execFileSync(process.execPath, ['--import', 'tsx', 'deploy/bundle.ts', ...stale], {
      cwd: top,
      stdio: 'inherit',
    })
}

export async function setup(): Promise<void> {
  tellNode()
  await buildStale(bundleNames)
}
