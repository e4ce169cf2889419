// The parts' bundles: built when one is missing or older than a source. Without them each part takes seconds to load, and
// there is no dashboard.

import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunningParts } from './parts.ts'
import { done, type Result } from './result.ts'

const shared = [
  'packages/contract',
  'packages/world',
  'packages/mqtt',
  'deploy',
  'package.json',
  'pnpm-lock.yaml',
]

/** The path and the sources of each part's bundle. */
const bundles = {
  // The cloud's bundle carries the dashboard, so it is built after it, and whenever the dashboard is.
  web: { path: 'packages/web/dist/index.html', sources: ['packages/web', ...shared] },
  cloud: { path: 'packages/cloud/dist/callgate.mjs', sources: ['packages/cloud', 'packages/web', ...shared] },
  gateway: {
    path: 'packages/gateway/dist/gateway.mjs',
    sources: ['packages/gateway', 'packages/modem', ...shared],
  },
  simulator: { path: 'packages/simulator/dist/simulator.mjs', sources: ['packages/simulator', ...shared] },
}

export type BundleName = keyof typeof bundles
/** The path of each program's bundle. */
export type BundlePaths = Readonly<Record<Exclude<BundleName, 'web'>, string>>

export const bundleNames: readonly BundleName[] = ['web', 'cloud', 'gateway', 'simulator']

async function changedMs(path: string): Promise<number> {
  const about = await stat(path).catch(() => undefined)
  return about?.mtimeMs ?? 0
}

/** The time of the last change under `path`, a file or a folder; installed and built files do not count. */
async function newestMs(path: string): Promise<number> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => undefined)
  if (!entries) return changedMs(path)
  const kept = entries.filter(
    ({ name }) => !['node_modules', 'dist'].includes(name) && !/\.test\.tsx?$/.test(name),
  )
  const times = await Promise.all(
    kept.map(entry => (entry.isDirectory() ? newestMs : changedMs)(join(path, entry.name))),
  )
  return Math.max(0, ...times)
}

/** Whether a part's bundle under `top` has to be built. */
export async function isBundleStale(top: string, name: BundleName): Promise<boolean> {
  const { path, sources } = bundles[name]
  const [built, ...times] = await Promise.all([
    changedMs(join(top, path)),
    ...sources.map(source => newestMs(join(top, source))),
  ])
  return (built ?? 0) <= Math.max(...times)
}

/** Brings every bundle up to date. */
export async function openBundles(
  top: string,
  parts: RunningParts,
  say: (line: string) => void,
): Promise<Result<BundlePaths>> {
  const isStale = await Promise.all(bundleNames.map(name => isBundleStale(top, name)))
  const stale = bundleNames.filter((_, index) => isStale[index])
  if (stale.length > 0) {
    say(`Building the ${stale.join(', the ')} …`)
    const built = await parts.run(['--import', 'tsx', 'deploy/bundle.ts', ...stale])
    if (!built.ok) return built
  }
  const pathOf = (name: BundleName) => join(top, bundles[name].path)
  return done({ cloud: pathOf('cloud'), gateway: pathOf('gateway'), simulator: pathOf('simulator') })
}
