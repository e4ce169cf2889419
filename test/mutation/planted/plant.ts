// Planted bugs: a judge of the house, bundled with one place of the product's source replaced, in a process of its own.

import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { build, type Plugin } from 'esbuild'

/** What a judge looks at: a file of `judges`, which exports `judge`; it may stop at the first breach of the promise that it is given. */
export type JudgeName =
  | 'connection'
  | 'driver'
  | 'effects'
  | 'exchange'
  | 'gateway'
  | 'interleavings'
  | 'seeds'
  | 'wires'

export interface PlantedBug {
  readonly name: string
  /** Below `packages`. */
  readonly file: string
  /** Stands exactly once in the file. */
  readonly find: string
  readonly replace: string
  /** What would go wrong. */
  readonly why: string
  readonly judge: JudgeName
  /** The promise that the judge has to find broken. */
  readonly breaks: string
  /** Where `seeds` begins to look, for what shows in few of them; 1 where nothing is said. */
  readonly fromSeed?: number
}

type Place = Pick<PlantedBug, 'name' | 'file' | 'find' | 'replace'> & Partial<PlantedBug>

const repository = join(import.meta.dirname, '../../..')
/** A judge takes 2 s on a machine of its own, 20 on a busy one; a bug that makes one hang is not caught. */
const judgeWithinMs = 60_000

/** The source with the bug in it; throws when its place is gone or is not the only one. */
export function planted(source: string, { file, find, name, replace }: Place): string {
  const places = source.split(find).length - 1
  if (places !== 1) throw new Error(`the bug "${name}" has ${places} places in ${file}, not one`)
  return source.replace(find, () => replace)
}

/** Whatever is not ours stays outside the bundle, by its full path, so that the bundle can lie anywhere. */
const foreignOutside: Plugin = {
  name: 'foreign outside',
  setup(within) {
    within.onResolve({ filter: /^[^./]/ }, async ({ importer, kind, path, pluginData, resolveDir }) => {
      if (pluginData === 'asked' || path.startsWith('@callgate/') || path.startsWith('node:'))
        return undefined
      const found = await within.resolve(path, { importer, kind, resolveDir, pluginData: 'asked' })
      return found.errors.length > 0 ? found : { path: pathToFileURL(found.path).href, external: true }
    })
  },
}

/** `met` is called when the file is loaded. */
function replacing(bug: Place, met: () => void): Plugin {
  const path = join(repository, 'packages', bug.file)
  return {
    name: 'planted bug',
    setup(within) {
      within.onLoad({ filter: /\.ts$/ }, async loaded => {
        if (loaded.path !== path) return undefined
        met()
        return { contents: planted(await readFile(path, 'utf8'), bug), loader: 'ts' }
      })
    },
  }
}

/**
 * What the judge finds with the bug in the product, or without any. Throws when the bug's place is gone or not unique,
 * when the judge never loads it, and when the judge fails or takes longer than a minute.
 */
export async function judged(judge: JudgeName, folder: string, bug?: Place): Promise<readonly string[]> {
  let isMet = bug === undefined
  const met = () => {
    isMet = true
  }
  const outfile = join(folder, `${judge}-${(bug?.name ?? 'nothing planted').replaceAll(/\W+/g, '-')}.mjs`)
  await build({
    stdin: {
      contents: `import { judge } from './judges/${judge}.ts'
process.stdout.write(JSON.stringify(await judge(...process.argv.slice(2))), () => process.exit())`,
      resolveDir: import.meta.dirname,
      loader: 'ts',
    },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'silent',
    plugins: [foreignOutside, ...(bug ? [replacing(bug, met)] : [])],
  })
  if (!isMet) throw new Error(`the judge "${judge}" never loads ${bug?.file}`)
  const run = promisify(execFile)
  const sought = bug?.breaks === undefined ? [] : [bug.breaks, `${bug.fromSeed ?? 1}`]
  const { stdout } = await run(process.execPath, [outfile, ...sought], {
    timeout: judgeWithinMs,
    maxBuffer: 2 ** 24,
  })
  return JSON.parse(stdout) as string[]
}
