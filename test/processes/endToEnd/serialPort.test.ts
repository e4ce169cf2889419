// The driver on a real virtual serial port: a call, the cable unplugged and back under another name, and another call.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { callProfile } from '@callgate/contract/call/callProfile'
import { createModem } from '@callgate/modem/modem'
import { serialLine } from '@callgate/modem/serial'
import { openPort } from '@callgate/simulator/port'
import { openPty } from '@callgate/simulator/pty'
import { phoneNumber, usualSimulator } from '@callgate/simulator/usual.kit'
import { realWorld } from '@callgate/world/real'
import { expect, it, vi } from 'vitest'

const world = realWorld({ logLevel: 'silent' })
const withinMs = { timeout: 60_000, interval: 20 }

it('opens a gate before and after the port has come back under another name', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'serial-port-'))
  const simulator = usualSimulator({ world })
  const opened = openPort({ world, simulator, link: join(folder, 'usb-1a86_7523-if00-port0') })
  if (!opened.ok) throw new Error(opened.message)
  const { port } = opened
  const modem = createModem({
    world,
    openLine: serialLine({ world, paths: [join(folder, 'usb-1a86_*')], baudRate: 115_200 }),
  })
  const isReady = () => expect(modem.status()).toMatchObject({ state: 'ready', trouble: null })
  const call = async () => {
    await vi.waitFor(isReady, withinMs)
    expect(await modem.reserve()).toEqual({ ok: true })
    const profile = callProfile({ mode: 'reject' })
    return modem.dial({ phoneNumber, profile, mayDial: () => true, onProgress() {} })
  }
  try {
    modem.start()
    expect(await call()).toMatchObject({ verdict: { reason: 'rejected_after_ring' } })
    const before = port.path()
    simulator.unplug()
    await vi.waitFor(
      () => expect(modem.status()).toMatchObject({ state: 'lost', trouble: 'port_missing' }),
      withinMs,
    )
    simulator.plug()
    expect(port.path()).not.toBe(before)
    expect(await call()).toMatchObject({ verdict: { reason: 'rejected_after_ring' } })
    expect(simulator.state()).toMatchObject({ gates: [{ relayCount: 2 }], violations: 0 })
  } finally {
    await modem.close()
    simulator.stop()
    await port.close()
    rmSync(folder, { recursive: true })
  }
})

it('passes on at once what the port receives, even while nothing else happens in the process', async () => {
  const opened = openPty(world)
  if (!opened.ok) throw new Error(opened.message)
  const { pty } = opened
  const port = await serialLine({ world, paths: [pty.path], baudRate: 115_200 })(0)
  if (!port.ok) throw new Error(port.message)
  let heard = () => {}
  port.line.onBytes(() => heard())
  for (let round = 0; round < 20; round++) {
    // Until the port has found nothing to read: after that it waits for its poller.
    do await world.turn()
    while (process.getActiveResourcesInfo().includes('FSReqCallback'))
    const bytes = new Promise<void>(resolve => {
      heard = resolve
    })
    pty.write(Buffer.from('A'))
    await bytes
  }
  await port.line.close()
  await pty.close()
}, 30_000)
