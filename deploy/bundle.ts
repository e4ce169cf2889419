// Bundles a part into one folder that runs with Node alone: `node --import tsx deploy/bundle.ts gateway` writes
// packages/gateway/dist/gateway.mjs. Several parts may be named, and `--to FOLDER` writes FOLDER/gateway/gateway.mjs.

import { cp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type BuildOptions, build, type Plugin } from 'esbuild'
import { isBundleStale } from '../packages/demo/src/bundles.ts'
import { version } from '../packages/world/src/version.ts'
import { clientTypes, proofTypes } from './clientTypes.ts'
import { addArgon2, addKoffi, addSerialport, addSqlite } from './nativePackages.ts'
import { makePython } from './pythonPackage.ts'
import { addSbom } from './sbom.ts'
import { commitOf } from './version.ts'
import { buildWeb } from './web.ts'

const top = join(dirname(fileURLToPath(import.meta.url)), '..')

/** CommonJS libraries within a bundle need `require`, and some need to know their own path. */
const requireOfModules = `import { createRequire as callgateRequire } from 'node:module'
const require = callgateRequire(import.meta.url)
const __filename = import.meta.filename ?? ''`

/**
 * Only @serialport/bindings-cpp uses `__dirname`: it looks for `prebuilds` one folder above it. So it is a folder beside the
 * bundle that need not exist. The flags keep the heap of new objects at its first size, because on a Pi memory is scarcer than
 * processor time.
 */
const gatewayBanner = `import { setFlagsFromString as callgateFlags } from 'node:v8'
callgateFlags('--semi-space-growth-factor=1')
callgateFlags('--optimize-for-size')
const __dirname = import.meta.dirname + '/lib'`

/**
 * Parts that a small machine does not need. At its first packet mqtt-packet makes a buffer for each of 65,536 numbers: 10 MB for
 * a daemon that sends a packet every few seconds. mqtt.js does not pass on the switch against that. And the daemon uses MQTT over
 * TCP or TLS, never over WebSocket or a SOCKS proxy.
 */
const lighter: Plugin = {
  name: 'lighter',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]mqtt-packet[\\/]writeToStream\.js$/ }, async ({ path }) => ({
      contents: `${await readFile(path, 'utf8')}\nmodule.exports.cacheNumbers = false\n`,
    }))
    onLoad({ filter: /[\\/]node_modules[\\/](ws|socks)[\\/]/ }, () => ({ contents: 'module.exports = {}' }))
  },
}

/** Replaces the rules of time zones in the cloud's bundle: the cloud reads them from the file beside it. */
const readRules = `import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
const path = fileURLToPath(new URL('timezones.json', import.meta.url))
let rules
let fault = 'it is not data/packed/latest.json of the npm package moment-timezone'
try {
  rules = JSON.parse(readFileSync(path, 'utf8'))
} catch (error) {
  fault = error.message
}
if (typeof rules?.version !== 'string' || !Array.isArray(rules.zones) || !Array.isArray(rules.links)) {
  process.stderr.write('The rules of the time zones cannot be read from ' + path + ': ' + fault + '.\\n')
  process.exit(1)
}
export default rules`

/** So an operator can replace the file by newer rules, without a new Callgate or Node. */
const rulesBeside: Plugin = {
  name: 'rulesBeside',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]moment-timezone[\\/]data[\\/]/ }, () => ({ contents: readRules, loader: 'js' }))
  },
}

/** Copies the rules of time zones in the version at the time of bundling. */
async function addTimezones(folder: string): Promise<void> {
  const fromContract = createRequire(join(top, 'packages/contract/src/time/zoneRules.ts'))
  await cp(fromContract.resolve('moment-timezone/data/packed/latest.json'), join(folder, 'timezones.json'))
}

/** Copies the content of /docs: the pages, and the script of the reference with its licence. */
async function addDocs(folder: string): Promise<void> {
  await cp(join(top, 'packages/cloud/docs'), join(folder, 'docs'), { recursive: true })
  const fromCloud = createRequire(join(top, 'packages/cloud/src/main.ts'))
  const scalar = dirname(fromCloud.resolve('@scalar/api-reference'))
  await cp(join(scalar, 'browser/standalone.js'), join(folder, 'docs/scalar.js'))
  await cp(join(scalar, '../package.json'), join(folder, 'docs/scalar.package.json'))
}

/** Copies the style, script and icons of the guests' pages. */
async function addGuest(folder: string): Promise<void> {
  const source = join(top, 'packages/cloud/src/guest/browser')
  await cp(source, join(folder, 'guest'), { recursive: true, filter: path => !path.endsWith('.json') })
}

/** For any runtime. The check of proofs alone takes modules of Node, and libraries, which are found by `main` of their manifests. */
const ofClient: BuildOptions = {
  platform: 'neutral',
  target: 'es2022',
  mainFields: ['main'],
  external: ['node:*'],
}

/** Makes a package of the client: CommonJS beside the module, its types, its README, and the fields that npm needs. */
async function addPackage(folder: string): Promise<void> {
  const source = join(top, 'packages/client')
  const { description } = JSON.parse(await readFile(join(source, 'package.json'), 'utf8')) as {
    description: string
  }
  const entryOf = (name: string) => ({
    import: { types: `./${name}.d.mts`, default: `./${name}.mjs` },
    require: { types: `./${name}.d.ts`, default: `./${name}.js` },
  })
  const manifest = {
    name: 'callgate-client',
    version,
    description,
    // For tools that do not read `exports`.
    main: './client.js',
    types: './client.d.ts',
    exports: {
      '.': entryOf('client'),
      './proof': entryOf('proof'),
      './package.json': './package.json',
    },
    sideEffects: false,
  }
  const types = await clientTypes()
  await build({
    entryPoints: ['client', 'proof'].map(name => join(source, `src/${name}.ts`)),
    outdir: folder,
    bundle: true,
    format: 'cjs',
    ...ofClient,
    logLevel: 'warning',
  })
  for (const [kind, module] of [
    ['ts', 'js'],
    ['mts', 'mjs'],
  ]) {
    await writeFile(join(folder, `client.d.${kind}`), types)
    await writeFile(join(folder, `proof.d.${kind}`), await proofTypes(`./client.${module}`))
  }
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  await cp(join(source, 'README.md'), join(folder, 'README.md'))
}

const webSource = join(top, 'packages/web')
const webFolder = join(webSource, 'dist')

const { positionals, values } = parseArgs({ allowPositionals: true, options: { to: { type: 'string' } } })
/** The dashboard: built when it is named, or when the cloud contains it and it is out of date. */
const web =
  positionals.includes('web') || (positionals.includes('cloud') && (await isBundleStale(top, 'web')))
    ? buildWeb(webSource, webFolder)
    : undefined

/** Copies the built dashboard, which the cloud serves, with its service worker. */
async function addDashboard(folder: string): Promise<void> {
  await web
  await cp(webFolder, join(folder, 'web'), { recursive: true })
  const worker = join(top, 'packages/cloud/src/dashboard/browser/pushWorker.js')
  await cp(worker, join(folder, 'web/pushWorker.js'))
}

interface Part {
  readonly entry: string
  readonly name: string
  /** Other scripts beside it, by name. */
  readonly others?: Readonly<Record<string, string>>
  /** The first lines of a program for Node; none for code that runs anywhere. */
  readonly banner?: string
  /** Not bundled: native libraries, which `add` puts beside the bundle, and drivers that knex loads only by configuration. */
  readonly options: BuildOptions
  /** Puts files that cannot be bundled beside the bundle. */
  readonly add?: (folder: string) => Promise<void>
}

const parts: Readonly<Record<string, Part>> = {
  gateway: {
    entry: 'packages/gateway/src/main.ts',
    name: 'gateway',
    banner: gatewayBanner,
    options: { plugins: [lighter] },
    add: addSerialport,
  },
  cloud: {
    entry: 'packages/cloud/src/main.ts',
    name: 'callgate',
    banner: 'const __dirname = import.meta.dirname',
    // Split, so that a small command does not load the modules of `serve`.
    options: {
      splitting: true,
      plugins: [rulesBeside],
      external:
        '@node-rs/argon2 better-sqlite3 mariadb mysql mysql2 oracledb pg-native pg-query-stream sqlite3 tedious'.split(
          ' ',
        ),
    },
    async add(folder) {
      await addDocs(folder)
      await addGuest(folder)
      await addDashboard(folder)
      await addTimezones(folder)
      await addSqlite(folder)
      await addArgon2(folder)
    },
  },
  simulator: {
    entry: 'packages/simulator/src/main.ts',
    name: 'simulator',
    banner: 'const __dirname = import.meta.dirname',
    options: { external: ['koffi'] },
    add: addKoffi,
  },
  client: {
    entry: 'packages/client/src/client.ts',
    name: 'client',
    others: { proof: 'packages/client/src/proof.ts' },
    options: { ...ofClient, minifyWhitespace: false, minifySyntax: false },
    add: addPackage,
  },
}

/** Bundles into `folder`, replacing its content, and returns the size of the scripts in bytes. */
async function bundle({ add, banner, entry, name, options, others }: Part, folder: string): Promise<number> {
  // Made beside the folder and moved at the end: a program that is started meanwhile is the old one or the new one.
  const fresh = `${folder}.${process.pid}`
  try {
    const { metafile } = await build({
      entryPoints: Object.entries({ [name]: entry, ...others }).map(([out, path]) => ({
        out,
        in: join(top, path),
      })),
      outdir: fresh,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      define: {
        callgateVersion: JSON.stringify(version),
        callgateCommit: JSON.stringify(await commitOf(top)),
      },
      platform: 'node',
      format: 'esm',
      target: 'node20',
      ...(banner !== undefined && { banner: { js: `${requireOfModules}\n${banner}` } }),
      // Names are kept, so that the trace of a bug can be read.
      minifyWhitespace: true,
      minifySyntax: true,
      legalComments: 'eof',
      ...options,
      metafile: true,
      logLevel: 'warning',
    })
    await add?.(fresh)
    await addSbom(fresh, { name, read: Object.keys(metafile.inputs) })
    await rm(folder, { recursive: true, force: true })
    await rename(fresh, folder)
    return Object.values(metafile.outputs).reduce((sum, { bytes }) => sum + bytes, 0)
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
}

/** Makes one part, and returns the text about it for a person. */
async function make(name: string): Promise<string> {
  const folder = values.to ? join(values.to, name) : join(top, 'packages', name, 'dist')
  if (name === 'python') return makePython(top, values.to ? folder : join(top, 'deploy/python/dist'))
  const part = parts[name]
  const bytes = part ? await bundle(part, folder) : ((await web) ?? 0)
  if (!part && folder !== webFolder) await cp(webFolder, folder, { recursive: true })
  return `${join(folder, part ? `${part.name}.mjs` : 'index.html')}: ${Math.round(bytes / 1024)} KiB\n`
}

const known = [...Object.keys(parts), 'python', 'web']
const unknown = positionals.find(name => !known.includes(name))
if (positionals.length === 0 || unknown !== undefined) {
  process.stderr.write(
    `${unknown === undefined ? 'Name what to bundle' : `There is no part ${unknown}`}: ${known.join(', ')}.\n`,
  )
  process.exitCode = 1
} else
  await Promise.all(
    positionals.map(async name => {
      process.stdout.write(await make(name))
    }),
  )
