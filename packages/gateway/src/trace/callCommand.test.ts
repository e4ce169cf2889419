import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fakeWorld } from '@callgate/world/fake'
import { expect, it, onTestFinished } from 'vitest'
import { daemonRig } from '../daemon.kit.ts'
import { type DaemonStatus, socketName, type TraceLine } from '../local/localMessages.ts'
import { openLocalServer } from '../local/localServer.ts'
import { lockedParts } from '../lock.kit.ts'
import { lock, lockIn } from '../lock.ts'
import { type CallSeen, callCommand } from './callCommand.ts'

/** A call command beside a daemon; the test sends the daemon's trace once the command listens. */
async function arrange(changed: Partial<DaemonStatus> = {}) {
  const { config, folder } = await lockedParts(onTestFinished)
  const world = fakeWorld()
  const rig = await daemonRig()
  rig.start()
  let tell: ((line: TraceLine) => void) | undefined
  const status = { ...rig.daemon.status(), ...changed }
  const answers = {
    ...rig.daemon.answers(),
    status: () => status,
    trace(listener: (line: TraceLine) => void) {
      tell = listener
      return () => {}
    },
  }
  const locked = await lock([lockIn(folder)])
  const server = await openLocalServer({ world, folder, answers })
  onTestFinished(async () => {
    server?.close()
    if (locked.ok) locked.release()
  })
  const printed: string[] = []
  let seen: CallSeen | undefined
  void callCommand({ world, print: text => printed.push(text) }, config).then(given => (seen = given))
  await expect.poll(() => tell).toBeDefined()
  const say = (line: Partial<TraceLine>) =>
    tell?.({ openingId: 'open_1', atMs: 1_234, says: 'It rings', advice: null, end: null, ...line })
  return { world, printed, say, close: () => server?.close(), seen: () => seen }
}

const isTakenUp = { cloud: { isConnected: true, isTakenUp: true, problem: null, keyIds: ['k'] } }

it('shows one opening to its end, and no other, and returns how the call went', async () => {
  const { printed, say, seen } = await arrange(isTakenUp)
  expect(printed).toEqual([expect.stringContaining('Now press "Test call"')])
  say({ advice: 'Do something' })
  say({ openingId: 'open_2', says: 'Not of this one' })
  say({ says: 'It rang out', advice: 'Do something', atMs: 12_345, end: 'timeout' })
  await expect.poll(seen).toBe('failed')
  expect(printed.slice(1)).toEqual([
    'Opening open_1',
    '   1.2 s  It rings.\n          → Do something.',
    '  12.3 s  It rang out.',
  ])
})

it('says what would prevent an opening, before anybody presses', async () => {
  const { printed, say, seen } = await arrange({
    cloud: { isConnected: false, isTakenUp: false, problem: 'refused', keyIds: [] },
    isOpening: true,
  })
  expect(printed.slice(0, 3)).toEqual([
    'The daemon is not connected to the cloud: refused.',
    'An opening runs already. The next one is shown.',
    'callgate-gateway doctor says what to do.',
  ])
  say({ end: 'completed' })
  await expect.poll(seen).toBe('ok')
})

it('gives advice when nothing comes, and ends after a time', async () => {
  const { printed, seen, world } = await arrange(isTakenUp)
  await world.advance(45_000)
  expect(printed.at(-1)).toContain('another gateway')
  await world.advance(600_000)
  await expect.poll(seen).toBe('none')
  expect(printed.at(-1)).toBe('No opening has come.')
})

it('waits a while for a declined opening, and for one whose end is not reported', async () => {
  const declined = await arrange(isTakenUp)
  declined.say({ end: 'declined' })
  await expect.poll(() => declined.printed.length).toBe(3)
  await declined.world.advance(14_000)
  await expect.poll(declined.seen).toBe('failed')
  const untold = await arrange(isTakenUp)
  untold.say({})
  await expect.poll(() => untold.printed.length).toBe(3)
  await untold.world.advance(100_000)
  await expect.poll(untold.seen).toBe('failed')
  expect(untold.printed.at(-1)).toContain('no end')
})

it('ends when the daemon ends, and does not begin without one', async () => {
  const { close, printed, seen } = await arrange(isTakenUp)
  close()
  await expect.poll(seen).toBe('none')
  expect(printed.at(-1)).toContain('closed the local socket')
  const said: string[] = []
  const terminal = { world: fakeWorld(), print: (text: string) => void said.push(text) }
  const { config, folder } = await lockedParts(onTestFinished)
  expect(await callCommand(terminal, config)).toBe('no_daemon')
  const server = createServer(socket => socket.end('{}\n')).listen(join(folder, socketName))
  await once(server, 'listening')
  for (const tool of ['', 'doctor']) {
    const locked = await lock([lockIn(folder)], tool)
    expect(await callCommand(terminal, config)).toBe('no_daemon')
    if (locked.ok) locked.release()
  }
  server.close()
  expect(said).toEqual([
    expect.stringContaining('does not run'),
    'The daemon runs, and it is of another version: restart it.',
    'callgate-gateway doctor has the modem: wait until it has ended, and the daemon runs.',
  ])
})
