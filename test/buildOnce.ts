// Builds the bundles once before all tests, because parallel test files would build them at the same time.

import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type BundleName, isBundleStale } from '../packages/demo/src/bundles.ts'

const top = fileURLToPath(new URL('..', import.meta.url))
const names: readonly BundleName[] = ['cloud', 'gateway', 'simulator']

export async function setup(): Promise<void> {
  const isStale = await Promise.all(names.map(name => isBundleStale(top, name)))
  const stale = names.filter((_, place) => isStale[place])
  if (stale.length > 0)
    execFileSync(process.execPath, ['--import', 'tsx', 'deploy/bundle.ts', ...stale], {
      cwd: top,
      stdio: 'inherit',
    })
}
