// The units and the udev rules of the package, as systemd itself reads them, where its programs are installed.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

const root = join(import.meta.dirname, '../../../deploy/pi/root/usr/lib')

function ran(program: string, args: readonly string[]) {
  const { status, stderr, stdout } = spawnSync(program, args, { encoding: 'utf8' })
  return { status, said: stdout + stderr }
}

/** The findings of systemd about the units. The program that they start is not installed here, so another one replaces it. */
function verified(change: (text: string) => string) {
  const from = join(root, 'systemd/system')
  const folder = mkdtempSync(join(tmpdir(), 'callgate-units-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const paths = readdirSync(from).map(name => join(folder, name))
  for (const path of paths) {
    const text = readFileSync(join(from, path.slice(folder.length)), 'utf8')
    writeFileSync(path, change(text).replaceAll('/usr/bin/callgate-gateway', '/bin/true'))
  }
  return ran('systemd-analyze', ['verify', ...paths])
}

it('has units in which systemd finds nothing unknown', ({ skip }) => {
  if (ran('systemd-analyze', ['--version']).status !== 0) return skip('systemd-analyze is not installed')
  expect(verified(text => text)).toEqual({ status: 0, said: '' })
  expect(verified(text => text.replace('WatchdogSec=', 'WatchdogSeconds=')).said).toContain('Unknown key')
})

it('has rules in which udev finds no error', ({ skip }) => {
  if (ran('udevadm', ['verify', '--help']).status !== 0)
    return skip('no udevadm that can verify, which is of systemd 254 or newer')
  expect(ran('udevadm', ['verify', join(root, 'udev/rules.d/70-callgate-gateway.rules')]).status).toBe(0)
})
