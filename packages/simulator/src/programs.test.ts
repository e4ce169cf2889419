import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { realWorld } from '@callgate/world/real'
import { afterEach, beforeEach, describe, expect, it, type TestContext, vi } from 'vitest'
import { openPort, type Port } from './port.ts'
import { createSimulator, type Simulator } from './simulator.ts'
import { openTerminal } from './terminal.kit.ts'

const world = realWorld({ logLevel: 'silent' })
const gate = '+40722000001'
const withinMs = 60_000

/** Runs a program of somebody else's to its end; undefined where the machine has no such program. */
async function run(program: string, args: readonly string[], terminal: number | 'ignore' = 'ignore') {
  const child = spawn(program, args, {
    stdio: [terminal, terminal === 'ignore' ? 'pipe' : terminal, 'pipe'],
    env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C' },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', chunk => {
      said += String(chunk)
    })
  const exited = once(child, 'close').catch(() => undefined)
  const code = await Promise.race([exited, once(child, 'error')])
  return typeof code?.[0] === 'number' ? { code: code[0], said } : undefined
}

type Run = Awaited<ReturnType<typeof run>>

function needed(context: TestContext, program: string, ran: Run): asserts ran is NonNullable<Run> {
  context.skip(ran === undefined, `${program} is not installed`)
}

describe('programs of somebody else’s', () => {
  let folder = ''
  let simulator: Simulator
  let port: Port | undefined

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'simulator-'))
    simulator = createSimulator({
      world,
      seed: 1,
      network: 'fast',
      registered: true,
      number: '+40711111111',
      gates: [{ phoneNumber: gate, farEnd: 'reject_busy' }],
    })
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
    'gammu, a phone utility, identifies it, reads the network, dials, and reads a message',
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
      simulator.sendMessage(gate, 'Poarta deschisă')
      expect((await gammu('getallsms'))?.said).toContain(gate)
      expect(await gammu('dialvoice', gate)).toMatchObject({ code: 0 })
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
      const script = ['', 'AT', 'OK', 'ATE0', 'OK', 'AT+CREG?', '0,1', '\\c', 'OK', `ATD${gate};`]
      const args = ['-t', '20', 'ABORT', 'ERROR', 'ABORT', 'NO CARRIER', ...script, 'OK', '\\c', 'BUSY']
      const chatted = await run('chat', args, terminal).finally(() => closeSync(terminal))
      needed(context, 'chat', chatted)
      expect(chatted).toMatchObject({ code: 0 })
      expect(simulator.state()).toMatchObject({ gates: [{ relayCount: 1 }], violations: 0 })
    },
    withinMs,
  )
})

describe('a modem manager', () => {
  /** What ModemManager asks of a modem on a serial port, and the shapes that it reads (mm-modem-helpers.c). */
  it.each([
    ['AT+GCAP', /^\+GCAP:.*\+CGSM/],
    ['AT+CGMI', /^SIMCOM_Ltd$/],
    ['AT+CGMM', /^SIMCOM_SIM800L$/],
    ['AT+CGSN', /^\d{15}$/],
    ['AT+CPIN?', /^\+CPIN: READY$/],
    ['AT+CFUN?', /^\+CFUN: 1$/],
    ['AT+CLCK="SC",2', /^\+CLCK: 0$/],
    ['AT+CSCS=?', /^\+CSCS: \("IRA","GSM","UCS2","HEX"\)$/],
    ['AT+CIMI', /^\d{15}$/],
    ['AT+CNUM', /^\+CNUM: "[^"]*","\+?\d+",\d+/],
    ['AT+CREG=2;+CREG?', /^\+CREG: 2,1,"[0-9A-F]{4}","[0-9A-F]{4}"$/],
    ['AT+COPS=3,2;+COPS?', /^\+COPS: 0,2,"\d{5}"$/],
    ['AT+CSQ', /^\+CSQ: \d+,\d+$/],
    ['AT+CLCC=?', /^\+CLCC: \(0,1\)$/],
    ['AT+CPMS=?', /^\+CPMS: \("SM"\),\("SM"\),\("SM"\)$/],
    ['AT+CNMI=?', /^\+CNMI: \(0-3\),/],
    ['AT+CMGF=?', /^\+CMGF: \(0,1\)$/],
  ])('reads %s', async (line, shape) => {
    const terminal = await openTerminal({}, ['ATE0'])
    const [answer, ...rest] = await terminal.say(line)
    expect(answer).toMatch(shape)
    expect(rest).toEqual(['OK'])
  })

  it('finds a modem by probing, however its questions are spelled', async () => {
    const terminal = await openTerminal({}, [])
    expect(await terminal.say('AT')).toEqual(['AT', 'OK'])
    expect(await terminal.say('ate1 v1 x4 &c1')).toEqual(['ate1 v1 x4 &c1', 'OK'])
    expect(await terminal.say('AT+XACT=?')).toContain('ERROR')
  })
})
