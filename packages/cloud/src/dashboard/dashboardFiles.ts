// The built files of the dashboard: its HTML, and its assets with their compressed forms.

import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'

/** Beside a bundle (deploy/bundle.ts copies them there), or in the repository's build folder. */
const folders = [new URL('./web/', import.meta.url), new URL('../../../web/dist/', import.meta.url)]

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

export interface Asset {
  readonly type: string
  readonly plain: Buffer
  /** Undefined where compression saves nothing. */
  readonly br: Buffer | undefined
  readonly gzip: Buffer | undefined
}

export interface DashboardFiles {
  readonly html: string
  /** By their names, which contain a hash of the content. */
  readonly assets: ReadonlyMap<string, Asset>
}

async function readFolder(folder: URL): Promise<DashboardFiles | undefined> {
  const read = (name: string) => readFile(new URL(name, folder)).catch(() => undefined)
  const html = await read('index.html')
  const names = await readdir(new URL('assets/', folder)).catch(() => undefined)
  if (!html || !names) return undefined
  const assets = new Map<string, Asset>()
  for (const name of names) {
    const type = types[extname(name)]
    const plain = type === undefined ? undefined : await read(`assets/${name}`)
    if (type === undefined || !plain) continue
    const [br, gzip] = await Promise.all([read(`assets/${name}.br`), read(`assets/${name}.gz`)])
    assets.set(name, { type, plain, br, gzip })
  }
  return { html: html.toString(), assets }
}

/** The dashboard's files; undefined where it has not been built. `given` replaces the usual places. */
export async function readDashboardFiles(
  given: readonly URL[] = folders,
): Promise<DashboardFiles | undefined> {
  for (const folder of given) {
    const files = await readFolder(folder)
    if (files) return files
  }
  return undefined
}

/** The service worker that shows pushes: beside a bundle, or in the repository. */
export function readPushWorker(): Promise<string> {
  const read = (place: string) => readFile(new URL(`${place}/pushWorker.js`, import.meta.url), 'utf8')
  return read('./web').catch(() => read('./browser'))
}

/** The rules of the dashboard's fonts, for other pages in the same type; empty where it has not been built. */
export function fontFacesIn(files: DashboardFiles | undefined): string {
  const sheets = [...(files?.assets ?? [])].filter(([name]) => name.endsWith('.css'))
  const rules = sheets.flatMap(([, { plain }]) => plain.toString().match(/@font-face\s*\{[^}]*\}/g) ?? [])
  return [...new Set(rules)].map(rule => `${rule}\n`).join('')
}
