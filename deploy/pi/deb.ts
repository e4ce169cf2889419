// Writes a Debian package: an ar archive of two tar archives, deb(5). The same files give the same bytes, and dpkg is not needed.

import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { gzipSync } from 'node:zlib'
import { pack } from 'tar-stream'

export interface PackageFile {
  /** The installed path, without the first slash. */
  readonly path: string
  readonly content: Buffer
  readonly isProgram: boolean
}

/** Every file below `folder`, with paths that begin with `place`. */
export async function filesBelow(
  folder: string,
  place: string,
  isProgram: (path: string) => boolean = () => false,
): Promise<PackageFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
  return Promise.all(
    paths.map(async path => {
      const name = relative(folder, path)
      return { path: `${place}${name}`, content: await readFile(path), isProgram: isProgram(name) }
    }),
  )
}

/** The scripts in a folder that dpkg runs, by name. */
export async function readScripts(folder: string): Promise<Record<string, string>> {
  const names = await readdir(folder)
  const texts = names.map(async name => [name, await readFile(join(folder, name), 'utf8')] as const)
  return Object.fromEntries(await Promise.all(texts))
}

/** The settings of an archive. */
export interface ArchiveStyle {
  /** The time of every file, in seconds since 1970. */
  readonly seconds: number
  /** 1 is fast, 9 is small. */
  readonly level: number
}

export interface DebParts extends ArchiveStyle {
  /** The fields of the control file, deb-control(5), without Installed-Size. */
  readonly control: Readonly<Record<string, string>>
  /** The scripts that dpkg runs, by name: preinst, postinst, prerm, postrm. */
  readonly scripts: Readonly<Record<string, string>>
  readonly files: readonly PackageFile[]
}

const byPath = (a: { readonly path: string }, b: { readonly path: string }) => (a.path < b.path ? -1 : 1)

/** The folders that lead to the files, parents first. */
function foldersOf(files: readonly PackageFile[]): string[] {
  const folders = new Set<string>()
  for (const { path } of files) {
    const steps = path.split('/').slice(0, -1)
    for (const place of steps.keys()) folders.add(steps.slice(0, place + 1).join('/'))
  }
  return [...folders].sort()
}

/** A tar archive, compressed; everything in it belongs to root, and is below `above`, which ends with a slash. */
export async function tarOf(
  files: readonly PackageFile[],
  { level, seconds }: ArchiveStyle,
  above = './',
): Promise<Buffer> {
  const root = { uid: 0, gid: 0, uname: 'root', gname: 'root', mtime: new Date(seconds * 1_000) }
  const archive = pack()
  const chunks: Buffer[] = []
  const read = (async () => {
    for await (const chunk of archive as AsyncIterable<Uint8Array>) chunks.push(Buffer.from(chunk))
  })()
  for (const folder of ['', ...foldersOf(files)])
    archive.entry({ ...root, name: `${above}${folder}${folder && '/'}`, type: 'directory', mode: 0o755 })
  for (const { content, isProgram, path } of [...files].sort(byPath))
    archive.entry({ ...root, name: `${above}${path}`, mode: isProgram ? 0o755 : 0o644 }, content)
  archive.finalize()
  await read
  return gzipSync(Buffer.concat(chunks), { level })
}

/** One member of an ar archive: a header of 60 bytes, and a line feed after an odd length. */
function arMember(name: string, content: Buffer, seconds: number): Buffer {
  const header = [
    name.padEnd(16),
    String(seconds).padEnd(12),
    '0'.padEnd(6),
    '0'.padEnd(6),
    '100644'.padEnd(8),
    String(content.length).padEnd(10),
    '`\n',
  ]
  return Buffer.concat([Buffer.from(header.join('')), content, Buffer.alloc(content.length % 2, '\n')])
}

const textFile = (path: string, text: string, isProgram = false): PackageFile => ({
  path,
  content: Buffer.from(text),
  isProgram,
})

/** The package as bytes. */
export async function debOf(parts: DebParts): Promise<Buffer> {
  const { control, files, scripts, seconds } = parts
  const sorted = [...files].sort(byPath)
  const bytes = files.reduce((sum, { content }) => sum + content.length, 0)
  const fields = { ...control, 'Installed-Size': String(Math.ceil(bytes / 1_024)) }
  const digestOf = (content: Buffer) => createHash('md5').update(content).digest('hex')
  const about = [
    textFile(
      'control',
      Object.entries(fields)
        .map(([name, value]) => `${name}: ${value}\n`)
        .join(''),
    ),
    // debsums(1) uses them to find damaged files.
    textFile('md5sums', sorted.map(({ content, path }) => `${digestOf(content)}  ${path}\n`).join('')),
    ...Object.entries(scripts).map(([name, text]) => textFile(name, text, true)),
  ]
  return Buffer.concat([
    Buffer.from('!<arch>\n'),
    arMember('debian-binary', Buffer.from('2.0\n'), seconds),
    arMember('control.tar.gz', await tarOf(about, parts), seconds),
    arMember('data.tar.gz', await tarOf(files, parts), seconds),
  ])
}
