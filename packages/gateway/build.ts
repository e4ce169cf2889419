// Builds the daemon into dist, or the folder given: one file, and the native part of serialport for every Linux.

import { cp, mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'esbuild'

const here = dirname(fileURLToPath(import.meta.url))
const out = process.argv[2] ?? join(here, 'dist')

/** The folder of serialport's native part, found the way that the modem package finds it. */
function bindingsFolder(): string {
  const fromModem = createRequire(join(here, '../modem/src/serial.ts'))
  const fromSerialport = createRequire(fromModem.resolve('serialport'))
  return dirname(dirname(fromSerialport.resolve('@serialport/bindings-cpp')))
}

// CommonJS libraries within the bundle want `require`. `__dirname` is asked for by @serialport/bindings-cpp alone,
// which looks for `prebuilds` one folder above it: so it is a folder beside the bundle that need not exist.
// The flags keep the heap of new objects at its first size: on a Pi, memory is dearer than speed.
const banner = `import { createRequire as callgateRequire } from 'node:module'
import { setFlagsFromString as callgateFlags } from 'node:v8'
callgateFlags('--semi-space-growth-factor=1')
callgateFlags('--optimize-for-size')
const require = callgateRequire(import.meta.url)
const __filename = import.meta.filename ?? ''
const __dirname = import.meta.dirname + '/lib'`

/**
 * What a small machine need not carry. At its first packet mqtt-packet makes a buffer for each of 65,536 numbers, 10 MB for
 * a daemon that sends a packet every few seconds; its own switch against that is not handed through by mqtt.js. And the
 * daemon speaks MQTT over TCP or TLS, never over WebSocket or a SOCKS proxy.
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

const prebuilds = join(bindingsFolder(), 'prebuilds')
await rm(out, { recursive: true, force: true })
await mkdir(out, { recursive: true })
for (const platform of await readdir(prebuilds))
  if (platform.startsWith('linux-'))
    await cp(join(prebuilds, platform), join(out, 'prebuilds', platform), { recursive: true })

const result = await build({
  entryPoints: [join(here, 'src/main.ts')],
  outfile: join(out, 'gateway.mjs'),
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  banner: { js: banner },
  plugins: [lighter],
  // Names are kept, so that the trace of a bug can be read.
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: 'eof',
  metafile: true,
  logLevel: 'warning',
})
const bytes = Object.values(result.metafile.outputs).reduce((sum, { bytes }) => sum + bytes, 0)
process.stdout.write(`${join(out, 'gateway.mjs')}: ${Math.round(bytes / 1024)} KiB\n`)
