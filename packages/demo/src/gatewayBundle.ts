// The gateway's bundle: built when it is missing, or when a source is newer.

import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Parts } from './parts.ts'
import { done, type Result } from './result.ts'

const bundle = 'packages/gateway/dist/gateway.mjs'
/** What goes into it. */
const sources = [
  'packages/gateway',
  'packages/modem',
  'packages/contract',
  'packages/world',
  'pnpm-lock.yaml',
]

async function changedMs(path: string): Promise<number> {
  const about = await stat(path).catch(() => undefined)
  return about?.mtimeMs ?? 0
}

/** When anything under `path` changed last; what was installed or built does not count. */
async function newestMs(path: string): Promise<number> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => undefined)
  if (!entries) return changedMs(path)
  const kept = entries.filter(
    ({ name }) => !['node_modules', 'dist'].includes(name) && !name.endsWith('.test.ts'),
  )
  const times = await Promise.all(
    kept.map(entry => (entry.isDirectory() ? newestMs : changedMs)(join(path, entry.name))),
  )
  return Math.max(0, ...times)
}

/** Whether the bundle under `top` has to be built. */
export async function isBundleStale(top: string): Promise<boolean> {
  const [built, ...times] = await Promise.all([
    changedMs(join(top, bundle)),
    ...sources.map(source => newestMs(join(top, source))),
  ])
  return (built ?? 0) <= Math.max(...times)
}

/** The path of a bundle that is up to date. */
export async function gatewayBundle(
  top: string,
  parts: Parts,
  say: (line: string) => void,
): Promise<Result<string>> {
  if (await isBundleStale(top)) {
    say('Building the gateway daemon …')
    const built = await parts.run(['--import', 'tsx', 'packages/gateway/build.ts'])
    if (!built.ok) return built
  }
  return done(join(top, bundle))
}
