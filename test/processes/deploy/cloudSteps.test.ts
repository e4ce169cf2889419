// The steps of deploy/cloud/README.md, run as they are written, each block in an otherwise empty folder.

import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { blocksOf } from '../../documents/blocks.ts'

const top = fileURLToPath(new URL('../../..', import.meta.url))
const page = readFileSync(join(top, 'deploy/cloud/README.md'), 'utf8')

/** The shell commands of a part of the page, block by block. */
function commandsBelow(heading: string): readonly string[] {
  const [, part = ''] = page.split(`\n${heading}\n`)
  const [own = ''] = part.split(/\n##? /)
  return blocksOf(own).flatMap(({ language, text }) => (language === 'sh' ? [text] : []))
}

/** Stand-ins for the network and for the users of another machine. */
const stubs = {
  // The bundle is built before all tests.
  npx: 'case "$*" in *process.execPath*) echo "$NODE" ;; esac',
  scp: 'for to; do :; done; to="$ROOT$(echo "$to" | sed "s/^[^:]*://")"; [ "$1" != -r ] || shift; cp -r "$1" "$to"',
  useradd: ':',
  systemctl: ':',
  chown: ':',
  openssl: 'echo 0123456789abcdef',
  // The image is the bundle; /secrets in the container is the folder of that name here.
  docker: `case $1 in run) while [ "$1" != callgate ]; do shift; done; shift
"$NODE" "$TOP/packages/cloud/dist/callgate.mjs" "$@" > /dev/null ;; esac`,
}

/** A machine with nothing but the folders of the system. */
function cleanMachine() {
  const root = mkdtempSync(join(tmpdir(), 'callgate-steps-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const bin = join(root, 'stubs')
  for (const name of [
    'stubs',
    'root',
    'opt',
    'usr/bin',
    'usr/local/bin',
    'etc/systemd/system',
    'var/lib',
    'var/backups',
  ])
    mkdirSync(join(root, name), { recursive: true })
  for (const [name, text] of Object.entries(stubs)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  return {
    root,
    /** Runs a block. Its paths on the machine are below `root`, and the user of the cloud does not exist. */
    run(block: string, where: 'checkout' | 'machine') {
      const here = (text: string) =>
        text.replace(/(^|[\s"'])\/(opt|var|etc|usr)\//gm, `$1${root}/$2/`).replace(/-[og] callgate /g, '')
      const { status, stderr } = spawnSync('sh', ['-euc', where === 'machine' ? here(block) : block], {
        cwd: where === 'machine' ? join(root, 'root') : top,
        env: { PATH: `${bin}:${process.env['PATH']}`, ROOT: root, NODE: process.execPath, TOP: top },
        encoding: 'utf8',
      })
      expect(stderr, block).toBe('')
      expect(status, block).toBe(0)
    },
  }
}

it('puts everything where the units and the command expect it', () => {
  const { root, run } = cleanMachine()
  const [onCheckout = '', onMachine = ''] = commandsBelow('## One machine')
  run(onCheckout, 'checkout')
  run(onMachine, 'machine')
  const units = join(root, 'etc/systemd/system')
  expect(readdirSync(units).sort()).toEqual([
    'callgate-backup.service',
    'callgate-backup.timer',
    'callgate.service',
  ])
  const texts = [...readdirSync(units).map(name => join(units, name)), join(root, 'usr/local/bin/callgate')]
  const named = texts.flatMap(file => {
    const lines = readFileSync(file, 'utf8').split('\n')
    const text = lines.filter(line => !line.startsWith('#')).join('\n')
    return text.match(/\/(opt|usr\/bin\/node|var)[\w./-]*/g) ?? []
  })
  expect(named).toContain('/opt/callgate/callgate.mjs')
  for (const path of new Set(named)) expect([path, existsSync(join(root, path))]).toEqual([path, true])
  const { stdout } = spawnSync(
    join(root, 'usr/bin/node'),
    [join(root, 'opt/callgate/callgate.mjs'), '--version'],
    {
      encoding: 'utf8',
    },
  )
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
})

it('updates the program together with its units and its command', () => {
  const { root, run } = cleanMachine()
  for (const [place, block] of commandsBelow('## One machine').slice(0, 2).entries())
    run(block, place === 0 ? 'checkout' : 'machine')
  writeFileSync(join(root, 'usr/local/bin/callgate'), 'old')
  writeFileSync(join(root, 'usr/bin/node'), 'old')
  const [copying = '', update = ''] = commandsBelow('### An update of one machine')
  run(copying, 'checkout')
  run(update, 'machine')
  expect(readFileSync(join(root, 'usr/bin/node')).length).toBe(statSync(process.execPath).size)
  expect(readFileSync(join(root, 'usr/local/bin/callgate'), 'utf8')).toContain('callgate.mjs')
  expect(existsSync(join(root, 'opt/callgate.old/callgate.mjs'))).toBe(true)
})

it('makes every file that the parts of several clouds read', () => {
  const { root, run } = cleanMachine()
  const blocks = commandsBelow('## Several clouds')
  run(blocks[0] ?? '', 'machine')
  for (const name of ['authority.crt', 'broker.crt', 'broker.key'])
    writeFileSync(join(root, 'root/secrets/broker', name), name)
  run((blocks[1] ?? '').replace('--to /secrets', `--to ${join(root, 'root')}/secrets`), 'machine')
  const compose = readFileSync(join(top, 'deploy/cloud/compose.yaml'), 'utf8')
  const named = [...compose.matchAll(/\.\/(secrets\/[\w./-]+)/g)].map(([, path = '']) => path)
  expect(named.length).toBeGreaterThan(4)
  for (const path of named) {
    expect([path, existsSync(join(root, 'root', path))]).toEqual([path, true])
    expect([path, statSync(join(root, 'root', path)).size > 0]).toEqual([path, true])
  }
  expect(readFileSync(join(root, 'root/secrets/mqtt-url'), 'utf8')).toMatch(
    /^mqtts:\/\/callgate:[^@]+@broker\.example\.com\n$/,
  )
})
