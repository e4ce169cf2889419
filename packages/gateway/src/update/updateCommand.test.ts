import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { realWorld } from '@callgate/world/real'
import { expect, it, onTestFinished } from 'vitest'
import { updateCommand } from './updateCommand.ts'

/** Runs the command; its folders are empty, or not there. */
async function ran(file: string | undefined, more: object = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'callgate-command-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const said: string[] = []
  const world = realWorld({ logLevel: 'silent' })
  const given = { world, print: (text: string) => said.push(text), architecture: 'x64', isRoot: false }
  const options = { dataFolder: folder, package: folder, store: folder, onOverlay: true, ...more }
  const isWell = await updateCommand(given, file, options)
  return { isWell, text: said.join('\n') }
}

it.each<[string, string | undefined, object]>([
  ['name the file of a release, or the cloud', undefined, {}],
  ['this package pins no release key', '/etc/hostname', {}],
  ['the address of the cloud must begin with https://', undefined, { cloud: 'http://gates.example.com' }],
  ['the cloud cannot be asked: nobody listens there', undefined, { cloud: 'http://127.0.0.1:1' }],
  ['no such file or directory', undefined, { cloud: 'https://gates.example.com', ca: '/no/such/ca.pem' }],
  ['no such file or directory', 'any', { store: '/no/such/store', onOverlay: false }],
])('says in a sentence what is wrong: %s', async (words, file, more) => {
  const { isWell, text } = await ran(file, more)
  expect(isWell).toBe(false)
  expect(text).toMatch(/^Not installed: [^\n]*\.$/)
  expect(text).toContain(words)
})

it('does nothing before a start and after a boot where there is no trial', async () => {
  expect(await ran(undefined, { beforeStart: true })).toEqual({ isWell: true, text: '' })
  expect(await ran(undefined, { carryOn: true })).toEqual({ isWell: true, text: '' })
})

it('asks the units and the launcher for the same places', () => {
  const root = join(import.meta.dirname, '../../../../deploy/pi/root')
  const textOf = (path: string) => readFileSync(join(root, path), 'utf8')
  expect(textOf('usr/bin/callgate-gateway')).toContain('current=/var/lib/callgate-updates/current\n')
  const unit = textOf('usr/lib/systemd/system/callgate-gateway.service')
  expect(unit).toMatch(/^ExecStartPre=-\+.*\/var\/lib\/callgate-updates\/trial .* update --before-start'$/m)
  const following = textOf('usr/lib/systemd/system/callgate-gateway-update.service')
  expect(following).toContain('ConditionPathExists=/var/lib/callgate-updates/trial\n')
})
