import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { realWorld } from '@callgate/world/real'
import { expect, it, onTestFinished } from 'vitest'
import { updateCommand } from './updateCommand.ts'

/** Runs the command; its folders are empty or missing. */
async function ran(file: string | undefined, more: object = {}, print = (_: string) => {}) {
  const folder = mkdtempSync(join(tmpdir(), 'callgate-command-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const said: string[] = []
  const world = realWorld({ logLevel: 'silent' })
  const say = (text: string) => {
    said.push(text)
    print(text)
  }
  const given = { world, print: say, architecture: 'x64', isRoot: false }
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
  ['/lock: ENOENT', 'any', { store: `/no/such/store/${process.pid}`, onOverlay: false }],
])('names the fault in a sentence: %s', async (words, file, more) => {
  const { isWell, text } = await ran(file, more)
  expect(isWell).toBe(false)
  expect(text).toMatch(/^Not installed: [^\n]*\.$/)
  expect(text).toContain(words)
})

it('keeps the fetched part of the version that the cloud offers, and of no other', async () => {
  const listed = { version: '9.0.0', architecture: 'amd64', bytes: 600_000 }
  const server = createServer((request, response) => {
    response.statusCode = request.url === '/releases' ? 200 : 404
    response.end(JSON.stringify({ releases: [listed] }))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const store = mkdtempSync(join(tmpdir(), 'callgate-store-'))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
    rmSync(store, { recursive: true })
  })
  for (const name of ['fetched-8.0.0', 'fetched-9.0.0', 'failed']) writeFileSync(join(store, name), '')
  const there: string[][] = []
  const print = () => there.push(readdirSync(store).sort())
  const { port } = server.address() as AddressInfo
  await ran(undefined, { store, cloud: `http://127.0.0.1:${port}` }, print)
  expect(there[0]).toEqual(['failed', 'fetched-9.0.0', 'lock'])
})

it('does nothing before a start and after a boot where no version is on trial', async () => {
  expect(await ran(undefined, { beforeStart: true })).toEqual({ isWell: true, text: '' })
  expect(await ran(undefined, { carryOn: true })).toEqual({ isWell: true, text: '' })
})

it('uses the same paths as the units and the launcher', () => {
  const root = join(import.meta.dirname, '../../../../deploy/pi/root')
  const textOf = (path: string) => readFileSync(join(root, path), 'utf8')
  expect(textOf('usr/bin/callgate-gateway')).toContain('current=/var/lib/callgate-updates/current\n')
  const unit = textOf('usr/lib/systemd/system/callgate-gateway.service')
  expect(unit).toMatch(/^ExecStartPre=-\+.*\/var\/lib\/callgate-updates\/trial .* update --before-start'$/m)
  const following = textOf('usr/lib/systemd/system/callgate-gateway-update.service')
  expect(following).toContain('ConditionPathExists=/var/lib/callgate-updates/trial\n')
  expect(unit).toContain('run --offers /var/lib/callgate-updates\n')
  expect(unit).toContain('ReadWritePaths=-/var/lib/callgate-updates/inbox\n')
  const looking = textOf('usr/lib/systemd/system/callgate-gateway-offer.path')
  expect(looking).toContain('PathExists=/var/lib/callgate-updates/inbox/wish\n')
  const offered = textOf('usr/lib/systemd/system/callgate-gateway-offer.service')
  expect(offered).toContain('ExecStart=/usr/bin/callgate-gateway update --offered\n')
  // Many wishes do not disable the path unit, and start root's program every 10 s at most.
  for (const text of [looking, offered]) expect(text).toContain('StartLimitIntervalSec=0\n')
  expect(offered).toContain('ExecStopPost=/bin/sleep 10\n')
})
