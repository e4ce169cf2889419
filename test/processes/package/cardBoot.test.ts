// A card image with a real Debian, started by systemd in a container: what the first boot does with the file on its boot partition.

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createCloud } from '@callgate/cloud/app'
import { runCommand } from '@callgate/cloud/cli/terminal.kit'
import { readConfig } from '@callgate/cloud/config'
import { openDatabase } from '@callgate/cloud/database/database'
import { migrate } from '@callgate/cloud/database/migrate'
import { groupedCode, newEnrolmentCode } from '@callgate/contract/enrolment/enrolmentCode'
import { realWorld } from '@callgate/world/real'
import { expect, it, onTestFinished, vi } from 'vitest'
import { debOf } from '../../../deploy/pi/deb.ts'
import { bundledGateway, gatewayPackage, secondsOf } from '../../../deploy/pi/gatewayPackage.ts'
import { keptBase, startRoot } from '../../documents/cleanRoot.ts'
import { freePort } from '../freePort.ts'
import { isThere } from './oneGate.ts'

const world = realWorld({ logLevel: 'silent' })
const patient = { timeout: 300_000, interval: 500 }
const base = keptBase('trixie') ?? keptBase('bookworm')
const tools = ['dpkg', 'sfdisk', 'partx', 'resize2fs', 'mcopy', 'mkfs.vfat', 'mkfs.ext4', 'systemd-nspawn']
const isBuilder =
  process.getuid?.() === 0 && tools.every(isThere) && spawnSync('losetup', ['--find']).status === 0
const whyNot =
  process.arch !== 'x64'
    ? 'the package for amd64 does not run here'
    : isBuilder
      ? base === undefined && 'there is no Debian in a folder: pnpm walk makes one'
      : 'only root with loop devices and these tools can build and start an image'

const bootMb = 40
const systemMb = 1_000
const password = 'open sesame 1'

/** The image of a Debian with the partitions of Raspberry Pi OS, and the packages for it. */
async function prepare(folder: string): Promise<readonly [image: string, ...packages: string[]]> {
  const at = (name: string) => join(folder, name)
  execFileSync('cp', ['--archive', '--reflink=auto', `${base}/.`, at('root')])
  mkdirSync(join(at('root'), 'boot/firmware'), { recursive: true })
  // In the place of NetworkManager, whose connection is a file.
  writeFileSync(join(at('root'), 'usr/sbin/NetworkManager'), '#!/bin/sh\n', { mode: 0o755 })
  for (const [name, megabytes] of Object.entries({ boot: bootMb, system: systemMb }))
    execFileSync('truncate', ['--size', `${megabytes}M`, at(name)])
  execFileSync('truncate', ['--size', `${1 + bootMb + systemMb}M`, at('image.img')])
  execFileSync('mkfs.vfat', [at('boot')], { stdio: 'ignore' })
  execFileSync('mkfs.ext4', ['-q', '-F', '-d', at('root'), at('system')])
  rmSync(at('root'), { recursive: true })
  const table = `label: dos\nstart=1MiB, size=${bootMb}MiB, type=c\nstart=${1 + bootMb}MiB, type=83\n`
  execFileSync('sfdisk', ['--quiet', at('image.img')], { input: table })
  for (const [name, megabyte] of Object.entries({ boot: 1, system: 1 + bootMb }))
    execFileSync('dd', [
      ...[`if=${at(name)}`, `of=${at('image.img')}`, 'bs=1M', `seek=${megabyte}`],
      ...['conv=notrunc,sparse', 'status=none'],
    ])
  const given = { seconds: secondsOf({}), level: 1 } as const
  const node = { program: readFileSync(process.execPath), license: Buffer.from('MIT') }
  const gateway = await gatewayPackage({
    ...given,
    architecture: 'amd64',
    node,
    bundle: await bundledGateway(),
  })
  // The Node of this test does not need what it depends on.
  const control = {
    Package: 'libatomic1',
    Version: '99',
    Architecture: 'amd64',
    Maintainer: 'A test <test@callgate.invalid>',
  }
  const library = await debOf({
    ...given,
    control: { ...control, Description: 'of a test' },
    scripts: {},
    files: [],
  })
  writeFileSync(at('gateway.deb'), gateway)
  writeFileSync(at('library.deb'), library)
  return [at('image.img'), at('gateway.deb'), at('library.deb')]
}

/** A cloud on this machine, which the container shares the network with. */
async function startCloud(folder: string) {
  const port = await freePort()
  const address = `http://localhost:${port}`
  const environment = { CALLGATE_DATA: folder, APP_URL: address, PORT: String(port) }
  const read = readConfig(environment)
  if (!read.ok) throw new Error(read.message)
  const database = await openDatabase({ url: join(folder, 'callgate.sqlite') })
  await migrate(database)
  const cloud = createCloud({ world, database, config: { ...read.config, mqttPort: 0 } })
  const started = await cloud.start()
  if (!started.ok) throw new Error(started.message)
  onTestFinished(async () => {
    await cloud.stop()
    await database.close()
  })
  const json = async (...args: string[]) =>
    JSON.parse((await runCommand(environment, [...args, '--json'])).out)
  const { spaceId } = await json('space', 'create', '--name', 'Casa', '--plan', 'pro')
  return { address, gateway: (...args: string[]) => json('gateway', ...args), spaceId }
}

it('tells two mistakes of the file, and with a right one sets the Wi-Fi up, enrols, and deletes the secrets', async ({
  skip,
}) => {
  if (whyNot) return skip(whyNot)
  const folder = mkdtempSync(join(tmpdir(), 'callgate-card-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const { address, gateway, spaceId } = await startCloud(folder)
  const wrong = groupedCode(newEnrolmentCode(world.randomBytes(10)))
  const lines = (code: string) => [
    `cloud: ${address}`,
    `code: ${code}`,
    'wifi: "Poartă #1"',
    'wifiCountry: RO',
  ]
  const image = await prepare(folder)
  const enrol = join(folder, 'card.yaml')
  writeFileSync(enrol, lines(wrong).join('\r\n'))
  const script = fileURLToPath(new URL('../../../deploy/pi/image.sh', import.meta.url))
  const card = join(folder, 'card.img')
  execFileSync('sh', [script, ...image, '--to', card, '--enrol', enrol], {
    env: { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin:/sbin` },
    stdio: 'pipe',
  })

  const root = join(folder, 'mounted')
  mkdirSync(root)
  execFileSync('mount', ['-o', `loop,offset=${(1 + bootMb) << 20}`, card, root])
  const boot = (name: string) => join(root, 'boot/firmware', name)
  // The kernel of this machine may not read a FAT, so the partition is a folder here.
  execFileSync('mcopy', ['-i', `${card}@@1M`, '::callgate-gateway.yaml', boot('callgate-gateway.yaml')])
  const system = await startRoot(root, () => execFileSync('umount', [root]))
  onTestFinished(() => system.remove())
  const result = () => readFileSync(boot('callgate-gateway.txt'), 'utf8')
  await vi.waitFor(() => expect(result()).toContain('Not enrolled: There is no such code'), patient)
  expect(result()).toContain('line 3: wifiPassword is missing')

  const { code, enrolment } = await gateway('add', '--space', spaceId, '--name', 'Pi')
  writeFileSync(boot('callgate-gateway.yaml'), [...lines(code), `wifiPassword: ${password}`, ''].join('\r\n'))
  // As after a new start, the daemon at last.
  await system.run(
    'systemctl restart callgate-gateway-network && systemctl restart --no-block callgate-gateway-first-boot callgate-gateway',
  )
  await vi.waitFor(() => expect(result()).toMatch(/The code was taken\. Fingerprint: \d{3} \d{3}\n/), patient)
  expect(result()).toContain('The network is set up: the Wi-Fi Poart? #1')
  const [, ...digits] = /Fingerprint: (\d{3}) (\d{3})/.exec(result()) ?? []
  await gateway('confirm', '--enrolment', enrolment.id, '--fingerprint', digits.join(''))
  await vi.waitFor(() => expect(result()).toContain('Enrolled.'), patient)
  const left = readFileSync(boot('callgate-gateway.yaml'), 'utf8')
  expect(left).toContain('# The code was deleted.')
  expect(left).toContain('# Password taken over.')
  const connection = join(root, 'etc/NetworkManager/system-connections/callgate.nmconnection')
  expect(readFileSync(connection, 'utf8')).toContain('psk=open\\ssesame\\s1\n')
  expect([statSync(connection).mode & 0o777, statSync(connection).uid]).toEqual([0o600, 0])
  await vi.waitFor(
    async () =>
      expect((await system.run('journalctl --no-pager --boot')).output).toContain('connected to the cloud'),
    patient,
  )
  const log = (await system.run('journalctl --no-pager --boot')).output
  for (const secret of [password, code]) expect(left + log + result()).not.toContain(secret)
})
