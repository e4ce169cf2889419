import { closeSync, constants, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { realWorld } from '@callgate/world/real'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openPort, type Port } from './port.ts'
import { needed, run } from './programs.kit.ts'
import type { Simulator } from './simulator.ts'
import { phoneNumber, usualSimulator } from './usual.kit.ts'

const world = realWorld({ logLevel: 'silent' })
const withinMs = 60_000

describe('programs of other makers', () => {
  let folder = ''
  let simulator: Simulator
  let port: Port | undefined

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'simulator-'))
    simulator = usualSimulator({ world })
    const opened = openPort({ world, simulator, link: join(folder, 'tty') })
    if (!opened.ok) throw new Error(opened.message)
    port = opened.port
  })

  afterEach(async () => {
    simulator.stop()
    await port?.close()
    rmSync(folder, { recursive: true })
  })

  it(
    'gammu, a phone utility, identifies the modem, reads the network, dials, and reads a message',
    async context => {
      const settings = join(folder, 'gammurc')
      writeFileSync(settings, `[gammu]\ndevice = ${join(folder, 'tty')}\nconnection = at115200\n`)
      const gammu = (...args: readonly string[]) => run('gammu', ['-c', settings, ...args])
      const identified = await gammu('identify')
      needed(context, 'gammu', identified)
      expect(identified.said).toMatch(/Manufacturer +: SIMCOM_Ltd/)
      expect(identified.said).toMatch(/SIM IMSI +: 226991234567890/)
      const network = await gammu('networkinfo')
      expect(network?.said).toMatch(/Network state +: home network/)
      expect(network?.said).toContain('226 99')
      const clock = await gammu('getdatetime')
      expect(clock, clock?.said).toMatchObject({ code: 0 })
      simulator.sendMessage(phoneNumber, 'Poarta deschisă')
      expect((await gammu('getallsms'))?.said).toContain(phoneNumber)
      expect(await gammu('dialvoice', phoneNumber)).toMatchObject({ code: 0 })
      await vi.waitFor(() => {
        expect(simulator.state().gates).toMatchObject([{ relayCount: 1 }])
        expect(simulator.wireLog().map(({ text }) => text)).toContain('BUSY')
      }, 20_000)
      expect(simulator.state().violations).toBe(0)
    },
    4 * withinMs,
  )

  it(
    'a chat(8) script reads the network, dials, and sees the end',
    async context => {
      const terminal = openSync(join(folder, 'tty'), constants.O_RDWR | constants.O_NOCTTY)
      const script = ['', 'AT', 'OK', 'ATE0', 'OK', 'AT+CREG?', '0,1', '\\c', 'OK', `ATD${phoneNumber};`]
      const args = ['-t', '20', 'ABORT', 'ERROR', 'ABORT', 'NO CARRIER', ...script, 'OK', '\\c', 'BUSY']
      const chatted = await run('chat', args, terminal).finally(() => closeSync(terminal))
      needed(context, 'chat', chatted)
      expect(chatted).toMatchObject({ code: 0 })
      expect(simulator.state()).toMatchObject({ gates: [{ relayCount: 1 }], violations: 0 })
    },
    withinMs,
  )
})
