// The files of the guest's pages: style, script, service worker and icons, read when the cloud starts.

import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'

/** Beside a bundle (deploy/bundle.ts copies it there), or in the repository. */
const folder = [new URL('./guest/', import.meta.url), new URL('./browser/', import.meta.url)].find(place =>
  existsSync(new URL('page.js', place)),
)

function read(name: string): Buffer {
  if (!folder) throw new Error('the folder of the guest pages is not beside the program')
  return readFileSync(new URL(name, folder))
}

/** Removes comments and indentation. None of our texts looks like a comment; a test checks that for the script. */
function squeezed(name: string): string {
  return read(name)
    .toString()
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s+(\/\/.*)?|^\/\/.*\n/gm, '')
}

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

export const style: string = squeezed('page.css')
  .replace(/\s*\n\s*/g, '')
  .replace(/\s*([{}:;,>])\s+/g, '$1')
export const script: string = squeezed('page.js')

/** Allows only our own style and script, and forms, requests and icons of our own address. */
export const contentSecurityPolicy: string = [
  "default-src 'none'",
  `style-src ${hashOf(style)}`,
  `script-src ${hashOf(script)}`,
  "connect-src 'self'",
  "img-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types guest',
].join('; ')

export interface Asset {
  readonly type: string
  readonly body: Buffer | string
  /** `Cache-Control`. */
  readonly keep: string
  readonly policy: string
}

const image = (name: string, type: string): Asset => ({
  type,
  body: read(name),
  keep: 'public, max-age=86400',
  policy: "default-src 'none'",
})

/** The files that all links share, by their path. */
export const assets: Readonly<Record<string, Asset>> = {
  '/g/icon.svg': image('mark.svg', 'image/svg+xml'),
  '/g/icon-192.png': image('icon-192.png', 'image/png'),
  '/g/icon-512.png': image('icon-512.png', 'image/png'),
  '/g/worker.js': {
    type: 'text/javascript; charset=utf-8',
    body: squeezed('worker.js'),
    keep: 'no-cache',
    policy: "default-src 'none'; connect-src 'self'",
  },
}

/** The manifest of one link: on a home screen it opens this link, with the name of its Space. */
export function manifestOf(home: string, spaceName: string): string {
  const icon = (size: string, type: string, file: string) => ({ src: `/g/${file}`, sizes: size, type })
  return JSON.stringify({
    name: spaceName,
    short_name: spaceName,
    id: home,
    start_url: home,
    scope: '/g/',
    display: 'standalone',
    background_color: '#F4F5F2',
    theme_color: '#F4F5F2',
    icons: [
      icon('any', 'image/svg+xml', 'icon.svg'),
      icon('192x192', 'image/png', 'icon-192.png'),
      icon('512x512', 'image/png', 'icon-512.png'),
    ],
  })
}
