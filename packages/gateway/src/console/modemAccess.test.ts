import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { realWorld } from '@callgate/world/real'
import { expect, it, onTestFinished } from 'vitest'
import { daemonRig } from '../daemon.kit.ts'
import { socketName } from '../local/localMessages.ts'
import { openLocalServer } from '../local/localServer.ts'
import { lockedParts } from '../lock.kit.ts'
import { lock, lockIn } from '../lock.ts'
import { reachModem } from './modemAccess.ts'

const world = realWorld({ logLevel: 'silent' })
const noPort = async () => ({ ok: false as const, code: 'port_missing' as const, message: '' })

it('reaches the modem through the running daemon, and never touches the port', async () => {
  const { config, folder } = await lockedParts(onTestFinished)
  const locked = await lock([lockIn(folder)])
  const rig = await daemonRig()
  rig.start()
  let tell: (line: { text: string }) => void = () => {}
  const unasked = (listener: typeof tell) => {
    tell = listener
    return () => {}
  }
  const server = await openLocalServer({ world, folder, answers: { ...rig.daemon.answers(), unasked } })
  const reached = await reachModem(world, config, () => {
    throw new Error('the port was opened')
  })
  if (!reached.ok) throw new Error(reached.why)
  expect(reached.through).toBe('daemon')
  expect(await reached.access.ask('AT+CSQ')).toEqual({ result: 'ok', lines: ['+CSQ: 20,0'], why: null })
  const heard: string[] = []
  reached.access.listen(text => heard.push(text))
  await expect
    .poll(() => {
      tell({ text: 'RING' })
      return heard[0]
    })
    .toBe('RING')
  server?.close()
  await expect.poll(() => heard.at(-1)).toContain('nothing more is heard')
  expect(await reached.access.ask('AT')).toMatchObject({ result: 'refused' })
  await reached.access.close()
  if (locked.ok) locked.release()
})

it("passes the daemon's reason on where the modem cannot be asked", async () => {
  const { config, folder } = await lockedParts(onTestFinished)
  const locked = await lock([lockIn(folder)])
  const server = createServer(socket => socket.end('{}\n')).listen(join(folder, socketName))
  await once(server, 'listening')
  expect(await reachModem(world, config, noPort)).toEqual({
    ok: false,
    why: 'The daemon has the modem, and it is of another version: restart it',
  })
  server.close()
  if (locked.ok) locked.release()
})

it('names the command that holds the modem', async () => {
  const { config, folder } = await lockedParts(onTestFinished)
  const locked = await lock([lockIn(folder)], 'doctor')
  expect(await reachModem(world, config, noPort)).toEqual({
    ok: false,
    why: 'callgate-gateway doctor has the modem: wait until it has ended',
  })
  if (locked.ok) locked.release()
})

it('opens the port itself while no daemon runs, and keeps daemons from starting until it is done', async () => {
  const { config, folder } = await lockedParts(onTestFinished)
  const reached = await reachModem(world, config, noPort)
  if (!reached.ok) throw new Error(reached.why)
  expect(reached.through).toBe('port')
  expect(await lock([lockIn(folder)])).toMatchObject({ ok: false })
  expect(await reached.access.ask('AT')).toMatchObject({
    result: 'refused',
    why: expect.stringContaining('port'),
  })
  reached.access.listen(() => {})
  await reached.access.close()
  const again = await lock([lockIn(folder)])
  expect(again.ok).toBe(true)
  if (again.ok) again.release()
})
