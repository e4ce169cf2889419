// A repository for apt as a folder behind any web server: packages, their list, and its signature by the release key.

import { createHash } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import { extract } from 'tar-stream'
import type { SigningKey } from '../../packages/contract/src/wire/signature.ts'
import { detachedSignature, signedText } from './openpgp.ts'

/** A file of the repository. */
export interface NamedFile {
  readonly name: string
  readonly content: Buffer
}

const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex')

/** The member of an ar archive whose name begins so, deb(5). */
function memberOf(archive: Buffer, name: string): Buffer {
  for (let at = 8; at < archive.length; ) {
    const header = archive.subarray(at, at + 60).toString()
    const size = Number(header.slice(48, 58))
    if (header.startsWith(name)) return archive.subarray(at + 60, at + 60 + size)
    at += 60 + size + (size % 2)
  }
  throw new Error(`the package has no ${name}`)
}

/** The control file of a package. */
async function controlOf(deb: Buffer): Promise<string> {
  const reader = extract()
  reader.end(gunzipSync(memberOf(deb, 'control.tar.gz')))
  let control: string | undefined
  for await (const entry of reader) {
    const chunks: Uint8Array[] = []
    for await (const chunk of entry as AsyncIterable<Uint8Array>) chunks.push(chunk)
    if (entry.header.name === './control') control = Buffer.concat(chunks).toString()
  }
  if (control === undefined) throw new Error('the package has no control file')
  return control.trim()
}

async function stanzaOf({ content, name }: NamedFile): Promise<string> {
  const facts = [`Filename: ${name}`, `Size: ${content.length}`, `SHA256: ${sha256(content)}`]
  return `${[await controlOf(content), ...facts].join('\n')}\n`
}

/**
 * The lists and signatures for these packages, without the packages. The repository is flat: all files stand beside each other,
 * https://wiki.debian.org/DebianRepository/Format. `seconds` is the time of the release.
 */
export async function aptLists(
  key: SigningKey,
  packages: readonly NamedFile[],
  seconds: number,
): Promise<readonly NamedFile[]> {
  const sorted = [...packages].sort((a, b) => (a.name < b.name ? -1 : 1))
  const list = Buffer.from((await Promise.all(sorted.map(stanzaOf))).join('\n'))
  const lists = [
    { name: 'Packages', content: list },
    { name: 'Packages.gz', content: gzipSync(list, { level: 9 }) },
  ]
  const sums = lists.map(({ content, name }) => ` ${sha256(content)} ${content.length} ${name}`)
  const release = [
    'Origin: Callgate',
    'Label: Callgate',
    'Suite: /',
    `Date: ${new Date(seconds * 1_000).toUTCString().replace('GMT', 'UTC')}`,
    'Architectures: amd64 arm64 armhf',
    'SHA256:',
    ...sums,
    '',
  ].join('\n')
  return [
    ...lists,
    { name: 'Release', content: Buffer.from(release) },
    { name: 'Release.gpg', content: Buffer.from(detachedSignature(key, Buffer.from(release), seconds)) },
    { name: 'InRelease', content: Buffer.from(signedText(key, release, seconds)) },
  ]
}
