// ModemManager with the simulator: the program itself where it is installed, and its questions on every machine.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { realWorld } from '@callgate/world/real'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { needed, programEnvironment, run } from './programs.kit.ts'
import type { Simulator } from './simulator.ts'
import { openTerminal } from './terminal.kit.ts'
import { phoneNumber, usualSimulator } from './usual.kit.ts'

const world = realWorld({ logLevel: 'silent' })
const manager = 'org.freedesktop.ModemManager1'
const managerPath = '/org/freedesktop/ModemManager1'
const waits = { timeout: 60_000, interval: 200 }

const busSettings = (socket: string) => `<busconfig>
  <type>session</type>
  <listen>unix:path=${socket}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy>
</busconfig>
`

/** The simulated modem behind a socket: ModemManager's own tests connect a modem in this way. */
function serve(simulator: Simulator, path: string): Server {
  const clients = new Set<NodeJS.WritableStream>()
  simulator.onSend(bytes => {
    for (const client of clients) client.write(bytes)
  })
  return createServer(client => {
    clients.add(client)
    client.on('data', (bytes: Buffer) => simulator.receive(bytes))
    client.on('error', () => client.destroy())
    client.on('close', () => clients.delete(client))
  }).listen(path)
}

describe('ModemManager', () => {
  let folder = ''
  let simulator: Simulator
  let server: Server
  const daemons: ChildProcess[] = []

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'modemmanager-'))
    simulator = usualSimulator({ world })
    server = serve(simulator, join(folder, 'modem'))
  })

  afterEach(async () => {
    for (const daemon of daemons.splice(0).reverse()) {
      const ended = once(daemon, 'exit')
      if (daemon.kill('SIGTERM')) await ended
    }
    simulator.stop()
    server.close()
    rmSync(folder, { recursive: true })
  })

  it(
    'identifies it, reads the network, dials, and sees the end',
    async context => {
      for (const program of ['ModemManager', 'mmcli', 'dbus-daemon', 'gdbus'])
        needed(context, program, await run(program, ['--help']))
      const address = `unix:path=${join(folder, 'bus')}`
      // A bus of its own, apart from the machine's modems and its own ModemManager.
      const onBus = { DBUS_SESSION_BUS_ADDRESS: address, DBUS_SYSTEM_BUS_ADDRESS: address }
      const start = (program: string, ...args: readonly string[]) =>
        daemons.push(spawn(program, args, { env: { ...programEnvironment, ...onBus }, stdio: 'ignore' }))
      const ask = async (program: string, ...args: readonly string[]) =>
        (await run(program, args, 'ignore', onBus)) ?? { code: -1, said: '' }
      const call = (name: string, path: string, ...method: readonly string[]) =>
        ask('gdbus', 'call', '--session', '-d', name, '-o', path, '-m', ...method)
      const succeeds = (asking: () => ReturnType<typeof ask>) =>
        vi.waitFor(async () => expect(await asking()).toMatchObject({ code: 0 }), waits)

      writeFileSync(join(folder, 'bus.conf'), busSettings(join(folder, 'bus')))
      start('dbus-daemon', `--config-file=${join(folder, 'bus.conf')}`, '--nofork')
      await succeeds(() => call('org.freedesktop.DBus', '/', 'org.freedesktop.DBus.GetId'))
      start('ModemManager', '--test-session', '--test-enable', '--test-no-udev', '--no-auto-scan')
      const ports = `['${join(folder, 'modem')}']`
      await succeeds(() => call(manager, managerPath, `${manager}.Test.SetProfile`, 'one', 'generic', ports))

      await vi.waitFor(async () => {
        expect((await ask('mmcli', '-L')).said).toContain('[SIMCOM_Ltd] SIMCOM_SIM800L')
      }, waits)
      expect(await ask('mmcli', '-m', 'any', '--enable')).toMatchObject({ code: 0 })
      await vi.waitFor(async () => {
        const { said } = await ask('mmcli', '-m', 'any', '--output-keyvalue')
        expect(said).toMatch(/modem\.3gpp\.registration-state +: home/)
        expect(said).toMatch(/modem\.3gpp\.operator-name +: CALLGATE TEST/)
        expect(said).toMatch(/modem\.3gpp\.imei +: 869988030000018/)
      }, waits)

      const created = await ask('mmcli', '-m', 'any', `--voice-create-call=number=${phoneNumber}`)
      const callPath = `${managerPath}${/\/Call\/\d+/.exec(created.said)?.[0] ?? ''}`
      expect(await ask('mmcli', '-o', callPath, '--start')).toMatchObject({ code: 0 })
      await vi.waitFor(async () => {
        const { said } = await ask('mmcli', '-o', callPath, '--output-keyvalue')
        expect(said).toMatch(/call\.properties\.state +: terminated/)
      }, waits)
      expect(simulator.state()).toMatchObject({ gates: [{ relayCount: 1 }], violations: 0 })
    },
    4 * waits.timeout,
  )
})

describe('the questions of ModemManager', () => {
  /** ModemManager's questions to a modem on a serial port, and the forms that it reads (mm-modem-helpers.c). */
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
    ['AT+CPMS=?', /^\+CPMS: (?:\("SM","ME","SM_P","ME_P","MT"\),?){3}$/],
    ['AT+CNMI=?', /^\+CNMI: \(0-3\),/],
    ['AT+CMGF=?', /^\+CMGF: \(0,1\)$/],
  ])('get an answer that it can read: %s', async (line, shape) => {
    const terminal = await openTerminal({}, ['ATE0'])
    const [answer, ...rest] = await terminal.say(line)
    expect(answer).toMatch(shape)
    expect(rest).toEqual(['OK'])
  })

  it('lead to a modem by probing, however they are spelled', async () => {
    const terminal = await openTerminal({}, [])
    expect(await terminal.say('AT')).toEqual(['AT', 'OK'])
    expect(await terminal.say('ate1 v1 x4 &c1')).toEqual(['ate1 v1 x4 &c1', 'OK'])
    expect(await terminal.say('AT+XACT=?')).toContain('ERROR')
  })
})
