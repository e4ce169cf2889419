// Builds the dashboard: packages/web into a folder with one HTML file and hashed assets, each beside its compressed forms.

import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build, type Plugin } from 'vite'
import { wholeWords } from '../packages/contract/src/wholeWords.ts'
import { cutFonts } from './fonts.ts'
import { addSbom } from './sbom.ts'

/** A schema would bring in its library, which is larger than the dashboard. */
const noSchemas: Plugin = {
  name: 'noSchemas',
  enforce: 'pre',
  resolveId(source, importer) {
    if (/^(typebox|ajv)(\/|$)/.test(source))
      this.error(`${importer} brings ${source}: the dashboard imports types and files without schemas only.`)
  },
}

/** Romanian joins many short words by a hyphen, at which a narrow column would break. English has its hyphens between whole words. */
const wholeRomanianWords: Plugin = {
  name: 'wholeRomanianWords',
  transform: (code, id) =>
    /\/src\/words\/ro(\/\w+|First|More)?\.ts$/.test(id) ? wholeWords(code) : undefined,
}

/** Collects the files of the build: modules, and the files that styles name, such as fonts. */
function collectFiles(root: string): { readonly plugin: Plugin; readonly files: readonly string[] } {
  const files: string[] = []
  const plugin: Plugin = {
    name: 'collectFiles',
    generateBundle(_options, made) {
      for (const id of this.getModuleIds()) if (id.startsWith('/')) files.push(id.replace(/[?].*/, ''))
      for (const part of Object.values(made))
        if (part.type === 'asset') files.push(...part.originalFileNames.map(name => join(root, name)))
    },
  }
  return { plugin, files }
}

/**
 * The files of a first visit: each holds what it is named after, with all that it imports and no earlier one has. Otherwise every
 * part that two pages share would be a file of its own.
 */
const groups = [
  { name: 'first', test: /\/src\/(main\.tsx|words\/known\.ts)$/ },
  { name: 'roFirst', test: /\/src\/words\/roFirst\.ts$/ },
  { name: 'roMore', test: /\/src\/words\/roMore\.ts$/ },
  { name: 'entrance', test: /\/src\/signIn\/SignInPage\.tsx$/ },
  { name: 'frame', test: /\/src\/(SignedIn|confirm\/ConfirmDialog)\.tsx$/ },
  { name: 'gates', test: /\/src\/gates\/GatesPage\.tsx$/ },
].map((group, place, { length }) => ({ ...group, priority: length - place }))

/** The first program lists all that come later, and their names would cost each visit some hundred bytes. */
const fileName = ({ name }: { readonly name?: string | undefined }, ending: string) =>
  groups.some(group => group.name === name) ? `assets/[name]-[hash:7]${ending}` : `assets/[hash:7]${ending}`

/** A smaller file fits into one packet. */
const leastBytes = 1_400

async function compress(path: string): Promise<void> {
  const plain = await readFile(path)
  if (plain.length < leastBytes || path.endsWith('.woff2')) return
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(plain, quality),
    promisify(gzip)(plain, { level: 9 }),
  ])
  await Promise.all([writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gz)])
}

/**
 * Builds into `folder`, replacing its content, and returns the size of the assets in bytes. `page` is a page of packages/web
 * other than the dashboard.
 */
export async function buildWeb(root: string, folder: string, page = 'index.html'): Promise<number> {
  // Made beside the folder and moved at the end: a server meanwhile finds the old files or the new ones.
  const fresh = `${folder}.${process.pid}`
  // Otherwise the libraries would include their checks for developers when tests start the build.
  process.env['NODE_ENV'] = 'production'
  const { files, plugin } = collectFiles(root)
  const fonts = cutFonts(`${fresh}.fonts`)
  try {
    await build({
      root,
      configFile: false,
      logLevel: 'warn',
      plugins: [noSchemas, wholeRomanianWords, fonts.plugin, plugin],
      build: {
        outDir: fresh,
        emptyOutDir: true,
        target: ['chrome123', 'firefox121', 'safari17.5'],
        // The policy of the page allows no `data:` scripts or fonts, and small files compress well anyway.
        assetsInlineLimit: 0,
        // It would add a style or script of its own; each browser above can preload by itself.
        modulePreload: { polyfill: false },
        reportCompressedSize: false,
        // A test compares what the first page loads with its limit.
        chunkSizeWarningLimit: 10_000,
        // The libraries mark their files for servers that render; here everything runs in the browser.
        rolldownOptions: {
          input: join(root, page),
          checks: { moduleLevelDirective: false },
          output: {
            chunkFileNames: chunk => fileName(chunk, '.js'),
            assetFileNames: ({ names: [name = ''] }) =>
              name.endsWith('.css')
                ? fileName({ name: name.slice(0, -4) }, '[extname]')
                : 'assets/[name]-[hash][extname]',
            codeSplitting: { groups },
          },
        },
      },
    })
    const assets = join(fresh, 'assets')
    const names = await readdir(assets)
    const sizes = await Promise.all(
      names.map(async name => {
        await compress(join(assets, name))
        return (await readFile(join(assets, name))).length
      }),
    )
    await addSbom(fresh, { name: 'dashboard', read: [...files, ...fonts.files] })
    await rm(folder, { recursive: true, force: true })
    await rename(fresh, folder)
    return sizes.reduce((sum, size) => sum + size, 0)
  } finally {
    await rm(fresh, { recursive: true, force: true })
    await rm(`${fresh}.fonts`, { recursive: true, force: true })
  }
}
