import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { realWorld } from '@callgate/world/real'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { checkDisk, checkLeftOvers, checkRights, checkWatchdog, keyFileOf } from './fileChecks.ts'
import { checkPorts } from './portChecks.ts'

const world = realWorld({ logLevel: 'silent' })
let folder = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callgate-doctor-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
})

it('writes to the disk and leaves nothing behind', async () => {
  expect(await checkDisk(world, folder)).toMatchObject({
    says: expect.stringMatching(/MiB free .* takes \d+ ms/),
  })
  expect(await readdir(folder)).toEqual([])
  expect(await checkDisk(world, join(folder, 'later'))).toMatchObject({
    state: 'ok',
    says: expect.stringContaining('first start'),
  })
})

it('warns of a journal in memory', async ({ skip }) => {
  skip(!existsSync('/dev/shm'), 'this machine has no folder in memory')
  const inMemory = await mkdtemp('/dev/shm/callgate-doctor-')
  onTestFinished(() => rm(inMemory, { recursive: true, force: true }))
  expect(await checkDisk(world, inMemory)).toMatchObject({
    state: 'warn',
    says: expect.stringContaining('forgotten when the machine is switched off'),
  })
})

it('removes the files of an earlier run, only when it is told to and no daemon runs', async () => {
  await writeFile(join(folder, 'journal.new'), '')
  await writeFile(join(folder, 'journal'), '')
  expect(await checkLeftOvers(folder, { isDaemon: false, mayFix: false })).toMatchObject({ state: 'warn' })
  expect(await checkLeftOvers(folder, { isDaemon: true, mayFix: true })).toMatchObject({ state: 'ok' })
  expect(await readdir(folder)).toEqual(['journal', 'journal.new'])
  expect(await checkLeftOvers(folder, { isDaemon: false, mayFix: true })).toMatchObject({
    state: 'ok',
    says: expect.stringContaining('Removed journal.new'),
  })
  expect(await readdir(folder)).toEqual(['journal'])
  await writeFile(join(folder, 'journal.bad'), '')
  expect(await checkLeftOvers(folder, { isDaemon: false, mayFix: true })).toMatchObject({ state: 'warn' })
})

it("removes everybody's rights on secrets", async () => {
  const key = join(folder, 'gateway.key')
  await writeFile(key, 'secret')
  await chmod(key, 0o644)
  expect(await checkRights([key], false)).toMatchObject({ state: 'fail', advice: 'Run doctor --fix' })
  expect(await checkRights([key], true)).toMatchObject({ state: 'ok', says: expect.stringContaining(key) })
  expect((await stat(key)).mode & 0o777).toBe(0o640)
})

it('finds the key file in an unusable configuration', () => {
  expect(keyFileOf('/etc/a/b.yaml', 'x: 1\nprivateKeyFile: gateway.key # its key\n')).toBe(
    '/etc/a/gateway.key',
  )
  expect(keyFileOf('/etc/a/b.yaml', 'privateKeyFile: "/var/k"\n')).toBe('/var/k')
  expect(keyFileOf('/etc/a/b.yaml', 'x: 1\n')).toBe(undefined)
})

it('reads the state of the watchdog from the kernel', async () => {
  expect(await checkWatchdog(async () => 'active\n')).toMatchObject({ state: 'ok' })
  expect(await checkWatchdog(async () => 'inactive\n')).toMatchObject({ state: 'warn' })
  expect(await checkWatchdog(async () => undefined)).toMatchObject({ state: 'unknown' })
})

it('names another program that holds the port, and a console on it', async () => {
  const [device, proc] = [join(folder, 'ttyAMA0'), join(folder, 'proc')]
  await writeFile(device, '')
  await symlink(device, join(folder, 'serial0'))
  const port = join(folder, 'serial0')
  expect(await checkPorts([port], undefined, proc)).toMatchObject([{ state: 'ok' }])
  await mkdir(join(proc, '412/fd'), { recursive: true })
  await symlink(device, join(proc, '412/fd/7'))
  await writeFile(join(proc, '412/cmdline'), '/usr/sbin/ModemManager\0')
  expect(await checkPorts([port], undefined, proc)).toMatchObject([
    {
      state: 'warn',
      says: expect.stringContaining('ModemManager (process 412)'),
      advice: expect.stringContaining('systemctl disable'),
    },
  ])
  const daemon = { name: 'the daemon', pid: 412 }
  expect(await checkPorts([port], daemon, proc)).toEqual([
    { state: 'ok', says: `${port} is held by the daemon (process 412), as it should be` },
  ])
  expect(await checkPorts([port], { ...daemon, pid: undefined }, proc)).toMatchObject([{ state: 'ok' }])
  expect(await checkPorts([port], { ...daemon, pid: 9 }, proc)).toMatchObject([{ state: 'warn' }])
  await writeFile(join(proc, 'consoles'), 'ttyAMA0              -W- (EC p a)    204:64\n')
  expect(await checkPorts([port], undefined, proc)).toMatchObject([
    { state: 'fail', advice: expect.stringContaining('do_serial_cons 1') },
  ])
  expect(await checkPorts([join(folder, 'usb-*')], undefined, proc)).toMatchObject([{ state: 'fail' }])
  expect(await checkPorts([join(folder, 'none')], undefined, proc)).toMatchObject([
    { state: 'fail', says: expect.stringContaining('missing') },
  ])
})

it('leaves out a port that is missing where another one is present', async () => {
  const [there, missing] = [join(folder, 'ttyUSB0'), join(folder, 'callgate-modem')]
  expect(await checkPorts([missing, there], undefined, folder)).toMatchObject([
    { state: 'fail', says: `${missing} is missing` },
    { state: 'fail', says: `${there} is missing` },
  ])
  await writeFile(there, '')
  expect(await checkPorts([missing, there], undefined, folder)).toMatchObject([
    { state: 'ok', says: `${there} is there and free to use` },
  ])
})
