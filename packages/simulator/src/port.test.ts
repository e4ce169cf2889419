import {
  closeSync,
  constants,
  lstatSync,
  mkdtempSync,
  openSync,
  readlinkSync,
  readSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fakeWorld } from '@callgate/world/fake'
import { realWorld } from '@callgate/world/real'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openPort, type Port } from './port.ts'
import { openPty } from './pty.ts'
import type { Simulator } from './simulator.ts'
import { phoneNumber, usualSimulator } from './usual.kit.ts'

const world = realWorld({ logLevel: 'silent' })

/** A terminal program: opens the path, types, and reads the output. */
function openClient(path: string) {
  const file = openSync(path, constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK)
  let text = ''
  const read = () => {
    const buffer = Buffer.alloc(4096)
    try {
      text += buffer.toString('latin1', 0, readSync(file, buffer))
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('EAGAIN'))) throw error
    }
    return text
  }
  return {
    type: (line: string) => writeSync(file, `${line}\r`),
    hears: (expected: string) => vi.waitFor(() => expect(read()).toContain(expected), { timeout: 20_000 }),
    read,
    close: () => closeSync(file),
  }
}

describe('the virtual serial port', () => {
  let folder = ''
  let link = ''
  let simulator: Simulator
  const ports: Port[] = []

  function open(): Port {
    const opened = openPort({ world, simulator, link })
    if (!opened.ok) throw new Error(opened.message)
    ports.push(opened.port)
    return opened.port
  }

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'simulator-'))
    link = join(folder, 'modem-tty')
    simulator = usualSimulator({ world })
  })

  afterEach(async () => {
    simulator.stop()
    for (const port of ports.splice(0)) await port.close()
    rmSync(folder, { recursive: true })
  })

  it('answers AT to any program that opens the link, and to the next one', async () => {
    open()
    const first = openClient(link)
    first.type('AT')
    await first.hears('AT\r\r\nOK\r\n')
    first.close()
    const second = openClient(link)
    second.type('ATE0')
    second.type(`ATD${phoneNumber};`)
    await second.hears('BUSY')
    second.close()
    expect(simulator.state().gates[0]?.relayCount).toBe(1)
  })

  it('hangs up on its client when unplugged, and comes back', async () => {
    const port = open()
    const client = openClient(link)
    simulator.unplug()
    // After a hang-up a terminal reads the end of the file, or fails.
    await vi.waitFor(() => {
      expect(port.path()).toBeUndefined()
      expect(() => client.type('AT')).toThrow(/EIO/)
    }, 20_000)
    expect(lstatSync(link, { throwIfNoEntry: false })).toBeUndefined()
    client.close()
    simulator.plug()
    const again = openClient(link)
    await vi.waitFor(() => expect(simulator.state().modem.power).toBe('on'), 20_000)
    again.type('AT')
    await again.hears('OK')
    again.close()
  })

  it('comes back under another name, with the link pointing there', async () => {
    const port = open()
    const before = port.path()
    simulator.unplug()
    await vi.waitFor(() => expect(port.path()).toBeUndefined(), 20_000)
    simulator.plug()
    expect(port.path()).not.toBe(before)
    expect(readlinkSync(link)).toBe(port.path())
  })

  it('drops the oldest bytes when nobody reads for a second', async () => {
    const clock = fakeWorld()
    const opened = openPty(clock)
    if (!opened.ok) throw new Error(opened.message)
    const client = openClient(opened.pty.path)
    for (let line = 0; line < 60; line++) opened.pty.write(Buffer.from(`${line} `.padEnd(1000, '.')))
    await clock.advance(10_000)
    opened.pty.write(Buffer.from('newest'))
    await client.hears('newest')
    expect(client.read()).not.toMatch(/^0 /)
    client.close()
    await opened.pty.close()
  })

  it('drops, 20 ms after a client has closed the port, what the client had not read', async () => {
    const clock = fakeWorld()
    const opened = openPty(clock)
    if (!opened.ok) throw new Error(opened.message)
    const first = openClient(opened.pty.path)
    opened.pty.write(Buffer.from('for the first, '))
    first.close()
    await clock.advance(20)
    const second = openClient(opened.pty.path)
    opened.pty.write(Buffer.from('for the second'))
    await second.hears('second')
    expect(second.read()).toBe('for the second')
    second.close()
    await opened.pty.close()
  })

  it('loses output while nobody has the port open', async () => {
    const opened = openPty(fakeWorld())
    if (!opened.ok) throw new Error(opened.message)
    openClient(opened.pty.path).close()
    opened.pty.write(Buffer.from('nobody hears this, '))
    const client = openClient(opened.pty.path)
    opened.pty.write(Buffer.from('somebody this'))
    await client.hears('this')
    expect(client.read()).toBe('somebody this')
    client.close()
    await opened.pty.close()
  })

  it('replaces a symlink, never a file, and removes only its own', async () => {
    const first = open()
    const second = open()
    expect(readlinkSync(link)).toBe(second.path())
    await first.close()
    expect(readlinkSync(link)).toBe(second.path())
    await second.close()
    expect(lstatSync(link, { throwIfNoEntry: false })).toBeUndefined()
    writeFileSync(link, 'precious')
    expect(openPort({ world, simulator, link })).toMatchObject({ ok: false, code: 'link_occupied' })
    expect(openPort({ world, simulator, link: join(folder, 'no', 'folder') })).toMatchObject({
      ok: false,
      code: 'link_failed',
    })
  })
})
