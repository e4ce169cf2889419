import {
  chmodSync,
  chownSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fakeWorld, settle } from '@callgate/world/fake'
import { expect, it, onTestFinished } from 'vitest'
import type { GatewayConfig } from './config.ts'
import { formerHolder } from './formerLock.ts'
import { formerAddress, lockedParts, runs } from './lock.kit.ts'
import { type Locked, lock, lockForDaemon, lockForTool, lockIn } from './lock.ts'

/** Holds the lock of a command that uses the modem, until the test ends. */
async function heldBy(config: GatewayConfig, tool: string) {
  const locked = await lockForTool(config, tool)
  if (!locked.ok) throw new Error(locked.file)
  onTestFinished(() => locked.release())
  return locked
}

it('is held by one owner, and takes all its files or none', async () => {
  const { config, folder } = await lockedParts(onTestFinished)
  const first = await heldBy(config, 'doctor')
  const other = lockIn(dirname(folder))
  const taken = { ok: false, file: join(folder, 'lock'), code: 'held', tool: 'doctor', pid: process.pid }
  expect(await lock([other, lockIn(folder)])).toEqual(taken)
  first.release()
  const again = await lock([other, lockIn(folder)])
  expect(again.ok).toBe(true)
  if (again.ok) again.release()
})

it('is held once for an identity, also with another data folder, and leaves the key unchanged', async () => {
  const { config } = await lockedParts(onTestFinished)
  await heldBy(config, 'doctor')
  const dataFolder = join(dirname(config.dataFolder), 'other')
  const second = await lockForTool({ ...config, dataFolder }, 'modem')
  expect(second).toMatchObject({ ok: false, file: config.privateKeyFile, code: 'held' })
  expect(readFileSync(config.privateKeyFile, 'utf8')).toBe('')
})

it('is free when its process is killed, whatever the file says', async () => {
  const { config, folder } = await lockedParts(onTestFinished)
  const module = join(import.meta.dirname, 'lock.ts')
  const said = await runs(
    onTestFinished,
    `import(${JSON.stringify(module)}).then(async ({ lock, lockIn }) => {
    await lock([lockIn(${JSON.stringify(folder)})], 'modem')
    console.log(process.pid)
    setInterval(() => {}, 1e6)
  })`,
  )
  const pid = Number(said)
  expect(await lockForTool(config, 'doctor')).toMatchObject({ code: 'held', tool: 'modem', pid })
  process.kill(pid, 'SIGKILL')
  await expect.poll(async () => (await lockForTool(config, 'call')).ok).toBe(true)
})

it('has a file for the owner of the folder only, and follows no link', async () => {
  const { config, folder } = await lockedParts(onTestFinished)
  await heldBy(config, 'doctor')
  expect(statSync(join(folder, 'lock')).mode & 0o777).toBe(0o600)
  const link = join(dirname(folder), 'linked')
  mkdirSync(link)
  symlinkSync(config.privateKeyFile, join(link, 'lock'))
  expect(await lock([lockIn(link)])).toMatchObject({ ok: false, code: 'ELOOP' })
})

it('lets a command run where the data folder is missing, and lets a daemon make the folder', async () => {
  const { config, folder } = await lockedParts(onTestFinished)
  rmSync(folder, { recursive: true })
  const tool = await heldBy(config, 'doctor')
  tool.release()
  const locked = await lockForDaemon(fakeWorld(), config, () => {})
  expect(locked.ok).toBe(true)
  if (locked.ok) locked.release()
  expect(statSync(folder).mode & 0o777).toBe(0o700)
})

/** A hostile program that holds everything within its reach: the names of earlier versions, and the files that it may open. */
const hostile = (names: readonly string[], files: readonly string[]) => `
  const { createServer } = require('node:net')
  const { openSync } = require('node:fs')
  const { spawnSync } = require('node:child_process')
  const opened = ${JSON.stringify(files)}.filter(file => {
    try {
      return spawnSync('flock', ['-n', '3'], { stdio: ['ignore', 'ignore', 'ignore', openSync(file)] }).status === 0
    } catch { return false }
  })
  const names = ${JSON.stringify(names)}
  let left = names.length
  for (const name of names) createServer(socket => socket.end('doctor')).listen(name, () => {
    if (--left === 0) console.log(JSON.stringify(opened))
  })`

it('cannot be withheld from a daemon by another user of the machine', async ({ skip }) => {
  skip(process.getuid?.() !== 0, 'only root can start a program of another user')
  const { config, folder } = await lockedParts(onTestFinished)
  const [service, stranger] = [64_321, 64_322]
  // As on a gateway: everybody may read the folder above, and root reads the folder of another user.
  chmodSync(dirname(folder), 0o755)
  chownSync(folder, service, service)
  ;(await heldBy(config, 'doctor')).release()
  expect(statSync(join(folder, 'lock'))).toMatchObject({ uid: service, gid: service })
  const names = [config.gatewayId, folder].map(formerAddress)
  const files = [join(folder, 'lock'), folder, config.privateKeyFile]
  expect(await runs(onTestFinished, hostile(names, files), stranger)).toBe('[]')
  const locked = await lockForDaemon(fakeWorld(), config, () => {})
  expect(locked).toMatchObject({ ok: true })
  if (locked.ok) locked.release()
})

it('can be withheld from a daemon by an earlier version of the same user, which has another lock', async () => {
  const { config, folder } = await lockedParts(onTestFinished)
  const names = [formerAddress(folder)]
  await runs(onTestFinished, hostile(names, []))
  expect(await lockForTool(config, 'doctor')).toMatchObject({
    ok: false,
    file: join(folder, 'lock'),
    code: 'held',
    tool: 'doctor',
    pid: expect.any(Number),
  })
})

it.each([
  { uid: 1_000, flags: '00010000', isHeld: true },
  { uid: 1_001, flags: '00010000', isHeld: false },
  { uid: 1_000, flags: '00000000', isHeld: false },
])('decides by /proc whether an earlier version holds its name: %j', async ({ flags, isHeld, uid }) => {
  const { folder } = await lockedParts(onTestFinished)
  const shown = formerAddress('x').replace('\0', '@')
  for (const [pid, file, text] of [
    ['self', 'net/unix', `Num RefCount\n0000: 00000002 00000000 ${flags} 0001 01 4711 ${shown}\n`],
    [77, 'status', `Name:\tnode\nUid:\t${uid}\t${uid}\t${uid}\t${uid}\n`],
  ] as const) {
    mkdirSync(dirname(join(folder, `${pid}`, file)), { recursive: true })
    writeFileSync(join(folder, `${pid}`, file), text)
  }
  mkdirSync(join(folder, '77/fd'))
  symlinkSync('socket:[4711]', join(folder, '77/fd/5'))
  expect(await formerHolder('x', [1_000], folder)).toEqual(isHeld ? { pid: 77, tool: undefined } : undefined)
})

/** Starts a daemon; `end` is the result of its lock. */
function startDaemon(config: GatewayConfig) {
  const world = fakeWorld()
  const waitsFor: string[] = []
  const daemon: { end?: Locked } = {}
  void lockForDaemon(world, config, tool => waitsFor.push(tool)).then(end => {
    daemon.end = end
    if (end.ok) end.release()
  })
  /** Advances time by the pause between two tries, since each try starts a program. */
  async function pass(steps: number): Promise<void> {
    for (let step = 0; step < steps && !daemon.end; step++) {
      await expect
        .poll(() => daemon.end !== undefined || world.nextTimerMs() !== undefined, { interval: 1 })
        .toBe(true)
      if (daemon.end) return
      await world.advance(500)
      await settle(10)
    }
  }
  return { daemon, pass, waitsFor, world }
}

it('waits, for a daemon, until a command releases the modem, and names the command', async () => {
  const { config } = await lockedParts(onTestFinished)
  const doctor = await heldBy(config, 'doctor')
  const { daemon, pass, waitsFor } = startDaemon(config)
  await pass(6)
  expect(daemon.end).toBeUndefined()
  doctor.release()
  await pass(2)
  await expect.poll(() => daemon.end).toMatchObject({ ok: true })
  expect(waitsFor).toEqual(['doctor'])
})

it('waits, for a daemon, 50 s at most for a command', async () => {
  const { config } = await lockedParts(onTestFinished)
  await heldBy(config, 'modem')
  const { daemon, pass, world } = startDaemon(config)
  await pass(200)
  await expect.poll(() => daemon.end).toMatchObject({ ok: false, tool: 'modem' })
  expect(world.monotonicMs()).toBeLessThan(60_000)
})

it.each(['', 'x'.repeat(30), 'no word'])(
  'does not wait, for a daemon, for another daemon, nor for "%s"',
  async tool => {
    const { config } = await lockedParts(onTestFinished)
    await heldBy(config, tool)
    const { daemon, pass, waitsFor, world } = startDaemon(config)
    await pass(5)
    await expect.poll(() => daemon.end).toMatchObject({ ok: false, code: 'held', tool: undefined })
    expect([waitsFor, Math.floor(world.monotonicMs())]).toEqual([[], 500])
  },
)

it('is taken by a daemon when a command ends before it has written its name', async () => {
  const { config, folder } = await lockedParts(onTestFinished)
  const silent = await heldBy(config, '')
  writeFileSync(join(folder, 'lock'), '')
  const { daemon, pass } = startDaemon(config)
  await expect.poll(() => daemon.end, { timeout: 300 }).toBeUndefined()
  silent.release()
  await pass(2)
  await expect.poll(() => daemon.end).toMatchObject({ ok: true })
})
