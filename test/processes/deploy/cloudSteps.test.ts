// The steps of "One machine" in deploy/cloud/README.md, run as they are written, each block in a folder where nothing else is.

import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'

const top = fileURLToPath(new URL('../../..', import.meta.url))
const page = readFileSync(join(top, 'deploy/cloud/README.md'), 'utf8')

/** The shell commands of a part of the page, block by block. */
function blocksOf(heading: string): readonly string[] {
  const [, part = ''] = page.split(`\n${heading}\n`)
  const [own = ''] = part.split(/\n##? /)
  return [...own.matchAll(/```sh\n(.*?)```/gs)].map(([, text = '']) => text.replace(/^ {3}/gm, ''))
}

/** What stands in for the network and for the users of another machine. */
const stubs = {
  // The bundle is built before all tests.
  npx: 'case "$*" in *process.execPath*) echo "$NODE" ;; esac',
  scp: 'for to; do :; done; to="$ROOT$(echo "$to" | sed "s/^[^:]*://")"; [ "$1" != -r ] || shift; cp -r "$1" "$to"',
  useradd: ':',
  systemctl: ':',
}

/** A machine on which nothing is but its folders of the system. */
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
    /** Runs a block. On the machine, its paths are below `root`, and no user of the cloud is there. */
    run(block: string, where: 'checkout' | 'machine') {
      const here = (text: string) =>
        text.replace(/(^|[\s"'])\/(opt|var|etc|usr)\//gm, `$1${root}/$2/`).replace(/-[og] callgate /g, '')
      const { status, stderr } = spawnSync('sh', ['-euc', where === 'machine' ? here(block) : block], {
        cwd: where === 'machine' ? join(root, 'root') : top,
        env: { PATH: `${bin}:${process.env['PATH']}`, ROOT: root, NODE: process.execPath },
        encoding: 'utf8',
      })
      expect(stderr, block).toBe('')
      expect(status, block).toBe(0)
    },
  }
}

it('puts everything in its place that the units and the command name', () => {
  const { root, run } = cleanMachine()
  const [onCheckout = '', onMachine = ''] = blocksOf('## One machine')
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
  for (const [place, block] of blocksOf('## One machine').slice(0, 2).entries())
    run(block, place === 0 ? 'checkout' : 'machine')
  writeFileSync(join(root, 'usr/local/bin/callgate'), 'old')
  const [update = ''] = blocksOf('### An update of one machine')
  const [copying = '', ...rest] = update.trim().split('\n')
  run(copying, 'checkout')
  run(rest.join('\n'), 'machine')
  expect(readFileSync(join(root, 'usr/local/bin/callgate'), 'utf8')).toContain('callgate.mjs')
  expect(existsSync(join(root, 'opt/callgate.old/callgate.mjs'))).toBe(true)
})
