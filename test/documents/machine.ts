// The machines of a walk: clean Debians in one network, with names that lead to each other.

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CleanRoot, copyDebian, type Ran, startCleanRoot } from './cleanRoot.ts'
import type { Network } from './network.ts'

/** The folder on each machine for what belongs to the walk. */
export const own = '/opt/walk'
const searched = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** SSH is replaced by the folders of the other machines, which each machine sees below `others`. */
const scp = `#!/bin/sh
place() {
  name=\${1%%:*} path=\${1#*:}
  case $1 in root@*:/*) ;; root@*:*) path=$HOME/$path ;; *) echo "$1"; return ;; esac
  echo "${own}/others/\${name#root@}$path"
}
more=
[ "$1" = -r ] && { shift; more=-r; }
exec cp $more "$(place "$1")" "$(place "$2")"
`

export interface Machine {
  /** The folder of its system on this machine. */
  readonly folder: string
  /** Types a text in the folder where the one before ended. `input` is what is answered to questions. */
  type(text: string, input?: string): Promise<Ran>
}

export interface Typing {
  /** Whose place is remembered. */
  readonly who: string
  /** The folder in which the first command is typed. */
  readonly home: string
  /** Commands before each text. */
  readonly before?: string
  /** The folders of programs before those of the system. */
  readonly programs?: string
}

export function typingInto(root: CleanRoot, { before = '', home, programs = '', who }: Typing): Machine {
  const at = `${own}/at-${who}`
  return {
    folder: root.folder,
    type: (text, input) =>
      root.run(
        `PATH=${own}/network:${programs}${searched}
${before}
cd "$(cat ${at} 2>/dev/null || echo ${home})" || exit
trap 'pwd > ${at}' EXIT
${text}
`,
        input,
      ),
  }
}

export interface Surroundings {
  readonly network: Network
  /** The release of Debian. */
  readonly debian: string
  /** The authority in place of the public ones, PEM. */
  readonly authority: string
  /** Names that lead to this machine. */
  readonly hostNames: readonly string[]
}

export interface Machines<Name extends string> {
  readonly addresses: Readonly<Record<Name, string>>
  readonly roots: Readonly<Record<Name, CleanRoot>>
  remove(): Promise<void>
}

/** Starts a machine for each entry, with the names that lead to it. */
export async function startMachines<Name extends string>(
  { authority, debian, hostNames, network }: Surroundings,
  names: Readonly<Record<Name, readonly string[]>>,
): Promise<Machines<Name>> {
  const places = (Object.keys(names) as Name[]).map(name => {
    const known = [name, ...names[name]]
    return { name, known, folder: copyDebian(debian), ...network.addMachine() }
  })
  const hosts = places.map(({ address, known }) => `${address} ${known.join(' ')}`)
  const { hostname, port } = new URL(network.proxy)
  const roots = new Map<Name, CleanRoot>()
  const remove = async () => {
    await Promise.all([...roots.values()].map(root => root.remove()))
  }
  try {
    for (const { folder, name, namespace } of places) {
      const write = (path: string, text: string, mode?: number) =>
        writeFileSync(join(folder, path), text, { mode })
      mkdirSync(join(folder, own, 'network'), { recursive: true })
      write(`${own}/network/scp`, scp, 0o755)
      write(
        'etc/hosts',
        ['127.0.0.1 localhost', ...hosts, `${network.host} ${hostNames.join(' ')}`, ''].join('\n'),
      )
      write(
        'etc/apt/apt.conf.d/90walk',
        `Acquire::http::Proxy::deb.debian.org "http://${hostname}:${port}";\n`,
      )
      write('usr/local/share/ca-certificates/walk.crt', authority)
      write('etc/hostname', `${name}\n`)
      const binds = places.flatMap(place =>
        place.known.map(to => `${place.folder}:${own}/others/${to}:norbind`),
      )
      roots.set(name, await startCleanRoot(folder, { namespace, hostname: name, binds }))
      await roots.get(name)?.run('update-ca-certificates')
    }
  } catch (error) {
    await remove()
    throw error
  }
  const addresses = Object.fromEntries(places.map(({ address, name }) => [name, address])) as Record<
    Name,
    string
  >
  return { roots: Object.fromEntries(roots) as Record<Name, CleanRoot>, addresses, remove }
}
