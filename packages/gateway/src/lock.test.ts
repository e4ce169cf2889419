import { createHash } from 'node:crypto'
import { createServer } from 'node:net'
import { fakeWorld, settle } from '@callgate/world/fake'
import { expect, it, onTestFinished } from 'vitest'
import { type Locked, lock, lockForDaemon } from './lock.ts'

/** All programs of this machine share the names. */
const own = (letter: string) => `callgate test ${process.pid} ${letter}`

/** A lock of this test, which ends with it. */
async function held(name: string, tool?: string) {
  const locked = await lock([name], tool)
  if (!locked.ok) throw new Error(locked.name)
  onTestFinished(() => locked.release())
  return locked
}

it('is held by one owner, and takes all its names or none', async () => {
  const first = await held(own('a'))
  expect(await lock([own('b'), own('a')])).toEqual({
    ok: false,
    name: own('a'),
    code: 'EADDRINUSE',
    tool: undefined,
  })
  first.release()
  const again = await lock([own('b'), own('a')])
  expect(again.ok).toBe(true)
  if (again.ok) again.release()
})

/** A daemon that starts; `end` is what has become of its lock. */
function startDaemon(name: string) {
  const world = fakeWorld()
  const waitsFor: string[] = []
  const daemon: { end?: Locked } = {}
  void lockForDaemon(world, [name], tool => waitsFor.push(tool)).then(end => (daemon.end = end))
  async function pass(untilMs: number): Promise<void> {
    while (!daemon.end && world.monotonicMs() < untilMs) {
      await settle(10)
      await world.advance(500)
    }
  }
  return { daemon, pass, waitsFor, world }
}

it('of a daemon waits for a command that has the modem, and says for which', async () => {
  const doctor = await held(own('c'), 'doctor')
  const { daemon, pass, waitsFor } = startDaemon(own('c'))
  await pass(30_000)
  expect(daemon.end).toBeUndefined()
  doctor.release()
  await pass(40_000)
  expect(daemon.end).toMatchObject({ ok: true })
  if (daemon.end?.ok) daemon.end.release()
  expect(waitsFor).toEqual(['doctor'])
})

it('of a daemon waits no longer than 50 s for a command', async () => {
  await held(own('d'), 'modem')
  const { daemon, pass, world } = startDaemon(own('d'))
  await pass(100_000)
  expect(daemon.end).toMatchObject({ ok: false, tool: 'modem' })
  expect(world.monotonicMs()).toBeLessThan(60_000)
})

it.each([undefined, 'x'.repeat(30), 'no word'])(
  'of a daemon waits for no other daemon, nor for "%s"',
  async tool => {
    await held(own('e'), tool)
    const { daemon, waitsFor, world } = startDaemon(own('e'))
    await expect.poll(() => daemon.end).toMatchObject({ ok: false, tool: undefined })
    expect([waitsFor, Math.floor(world.monotonicMs())]).toEqual([[], 0])
  },
)

it('of a daemon is taken where the command ends just while it is asked who it is', async () => {
  const name = own('f')
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 32)
  const doctor = createServer(socket => {
    doctor.close()
    socket.destroy()
  })
  await new Promise<void>(resolve => doctor.listen(`\0callgate-gateway-${digest}`, resolve))
  const { daemon, pass } = startDaemon(name)
  await pass(10_000)
  expect(daemon.end).toMatchObject({ ok: true })
  if (daemon.end?.ok) daemon.end.release()
})
