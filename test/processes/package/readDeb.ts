// Reads a Debian package, deb(5), without dpkg, which is not installed everywhere.

import { gunzipSync } from 'node:zlib'
import { extract } from 'tar-stream'

export interface Entry {
  readonly path: string
  readonly type: string
  readonly mode: number
  /** User and group, by number and by name. */
  readonly owner: string
  readonly seconds: number
  readonly content: Buffer
}

/** The members of an ar archive, by name. */
function membersOf(bytes: Buffer): Map<string, Buffer> {
  if (bytes.subarray(0, 8).toString() !== '!<arch>\n') throw new Error('no ar archive')
  const members = new Map<string, Buffer>()
  for (let at = 8; at < bytes.length; ) {
    const header = bytes.subarray(at, at + 60).toString()
    const size = Number(header.slice(48, 58))
    members.set(header.slice(0, 16).trim(), bytes.subarray(at + 60, at + 60 + size))
    at += 60 + size + (size % 2)
  }
  return members
}

async function entriesOf(archive: Buffer | undefined): Promise<Entry[]> {
  if (!archive) throw new Error('a member is missing')
  const reader = extract()
  reader.end(gunzipSync(archive))
  const entries: Entry[] = []
  for await (const entry of reader) {
    const chunks: Uint8Array[] = []
    for await (const chunk of entry as AsyncIterable<Uint8Array>) chunks.push(chunk)
    const { gid, gname, mode = 0, mtime, name, type, uid, uname } = entry.header
    entries.push({
      path: name,
      type: type ?? '',
      mode,
      owner: `${uid}:${gid} ${uname}:${gname}`,
      seconds: (mtime?.getTime() ?? 0) / 1_000,
      content: Buffer.concat(chunks),
    })
  }
  return entries
}

/** The content of a package: its control files and its files, in the order of the archives. */
export async function readDeb(bytes: Buffer) {
  const members = membersOf(bytes)
  return {
    members: [...members.keys()],
    control: await entriesOf(members.get('control.tar.gz')),
    files: await entriesOf(members.get('data.tar.gz')),
  }
}
