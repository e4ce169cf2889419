// The commands of an installer at a running gateway, as processes of their own: call, doctor and modem, with a real cloud, broker
// and port.

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addGateway } from '@callgate/cloud/gateway/gateways'
import { writeKeyFile } from '@callgate/gateway/keyFile'
import { openPort } from '@callgate/simulator/port'
import { phoneNumber, usualSimulator } from '@callgate/simulator/usual.kit'
import { realWorld } from '@callgate/world/real'
import { expect, it, onTestFinished, vi } from 'vitest'
import { startCloud } from '../package/oneGate.ts'

const bundle = new URL('../../../packages/gateway/dist/gateway.mjs', import.meta.url).pathname
const world = realWorld({ logLevel: 'silent' })
const patient = { timeout: 60_000, interval: 50 }

/** A cloud with one gate, and a configured gateway, whose daemon does not run yet. `broker` replaces that of the cloud. */
async function arrange({ broker }: { readonly broker?: string } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'callgate-commands-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const { cloudKeys, database, mqttUrl, post, spaceId } = await startCloud(folder, onTestFinished)
  const key = await writeKeyFile(join(folder, 'gateway.key'), world.randomBytes(32))
  if (!key.ok) throw new Error(key.message)
  const { publicKey } = key.key
  const added = await addGateway({ database, world }, { spaceId, name: 'Pi', publicKey, actor: 'operator' })
  if (!added.ok) throw new Error(added.code)
  const { gatewayId, mqttPassword } = added.gateway
  // A call takes some time, so that the daemon lists it.
  const simulator = usualSimulator({ world, network: 'normal', faults: ['supply_sags'] })
  const modem = openPort({ world, simulator, link: join(folder, 'modem') })
  if (!modem.ok) throw new Error(modem.message)
  onTestFinished(async () => {
    simulator.stop()
    await modem.port.close()
  })
  const config = join(folder, 'gateway.yaml')
  const login = {
    gatewayId,
    mqttUrl: broker ?? mqttUrl,
    mqttPassword,
    cloudKeys,
    privateKeyFile: 'gateway.key',
  }
  writeFileSync(config, JSON.stringify({ ...login, serialPort: 'modem', dataFolder: 'data' }), {
    mode: 0o600,
  })
  const made = await post('/api/v1/gates', { name: 'North', phoneNumber })
  /** A command as a person types it. */
  function types(command: string, typed?: string) {
    const child: ChildProcess = spawn(process.execPath, [bundle, command, '--config', config])
    const ended = new Promise<number | null>(resolve => child.once('close', resolve))
    onTestFinished(async () => {
      child.kill('SIGKILL')
      await ended
    })
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', chunk => {
        said += chunk
      })
    if (typed !== undefined) child.stdin?.end(typed)
    const says = (words: string | RegExp) => vi.waitFor(() => expect(said).toMatch(words), patient)
    return { child, ended, says, said: () => said }
  }
  const press = () => post(`/api/v1/gates/${made.body.gate?.id}/open`)
  const isRunning = () => vi.waitFor(() => statSync(join(folder, 'data/daemon.sock')), patient)
  return { press, simulator, types, isRunning }
}

type House = Awaited<ReturnType<typeof arrange>>

/** Starts the daemon, and waits until the doctor finds its modem and its cloud. */
async function started({ isRunning, types }: House): Promise<void> {
  types('run')
  // While doctor checks alone, a daemon waits.
  await isRunning()
  await vi.waitFor(
    async () => {
      const doctor = types('doctor')
      await doctor.ended
      expect(doctor.said()).toMatch(/^ok +cloud key/m)
      expect(doctor.said()).toMatch(/^ok +operator/m)
    },
    { timeout: 60_000, interval: 200 },
  )
}

it('shows the next press as it happens, in words, and the supply voltage during it', async () => {
  const house = await arrange()
  const { press, simulator, types } = house
  await started(house)
  const call = types('call')
  await call.says(/Now press "Test call"/)
  expect(await press()).toMatchObject({ status: 200 })
  expect(await call.ended).toBe(0)
  const shown = call.said().split('\n')
  const place = (words: RegExp) => shown.findIndex(line => words.test(line))
  const steps = [
    /^Opening open_\w+$/,
    /^ +\d+\.\d s {2}The cloud asks for an opening\.$/,
    /The cloud allows the call\.$/,
    /The modem calls \+40\*+001, profile /,
    /It rings at the gate\.$/,
    /The gate's module rejected the call after \d+\.\d s of ringing/,
  ].map(place)
  expect(steps).not.toContain(-1)
  expect(steps).toEqual([...steps].sort((a, b) => a - b))
  expect(simulator.state().gates[0]?.relayCount).toBe(1)
  const doctor = types('doctor')
  expect(await doctor.ended).toBe(5)
  expect(doctor.said()).toMatch(
    /^fail +voltage +4\.12 V without a call; lowest in the last call that was measured: 3\.45 V, too low\. → Give the modem a supply/m,
  )
})

it('asks the modem through the daemon, and calls nothing, whatever is typed', async () => {
  const house = await arrange()
  const { simulator, types } = house
  await started(house)
  const modem = types('modem', `at+csq\nATD${phoneNumber};\nAT+CFUN=1,1\nhello\nquit\n`)
  expect(await modem.ended).toBe(0)
  expect(modem.said()).toMatch(/\+CSQ: 20,0\n.*OK\n/)
  expect(modem.said()).toMatch(/Not sent: The console never calls\. Press "Test call"/)
  expect(modem.said()).toMatch(/AT\+CFUN=1,1\n.*Not sent: The modem would be away for a while/)
  expect(modem.said()).toMatch(/hello\n.*Not sent: It is none of the commands/)
  expect(simulator.state()).toMatchObject({ calls: [], violations: 0 })
})

it('explains without a daemon how to start it, and lets the console open the port itself', async () => {
  const { simulator, types } = await arrange()
  const call = types('call')
  expect([await call.ended, call.said()]).toEqual([
    2,
    'The daemon does not run, so no opening can come. To start it: sudo systemctl start callgate-gateway\n',
  ])
  const modem = types('modem', 'AT+GSN\n')
  expect(await modem.ended).toBe(0)
  expect(modem.said()).toContain(simulator.state().modem.imei)
})

it('reports that the gateway is offline before anybody presses, and why', async () => {
  const { isRunning, press, types } = await arrange({ broker: 'mqtt://127.0.0.1:9' })
  types('run')
  await isRunning()
  await vi.waitFor(async () => {
    const call = types('call')
    await call.says(/\n/)
    call.child.kill('SIGINT')
    await call.ended
    expect(call.said()).toMatch(
      /^The daemon is not connected to the cloud: .*\n(.*\n)*callgate-gateway doctor says what to do\.\nNow press/,
    )
  }, patient)
  expect(JSON.stringify(await press())).toContain('gateway_offline')
})

it('reports the result of a press at a gateway whose modem is gone', async () => {
  const house = await arrange()
  const { press, simulator, types } = house
  await started(house)
  simulator.unplug()
  await vi.waitFor(async () => {
    const doctor = types('doctor')
    await doctor.ended
    expect(doctor.said()).toMatch(/^fail +modem +There is no port/m)
  }, patient)
  const call = types('call')
  await call.says(/The modem is not ready \(port_missing\)\.\ncallgate-gateway doctor says what to do\./)
  await call.says(/Now press/)
  const pressed = press()
  await call.says(
    /The gateway's modem is not ready, so the gate was not called\.\n +→ Run callgate-gateway doctor/,
  )
  expect(JSON.stringify(await pressed)).toContain('modem_not_ready')
  call.child.kill('SIGINT')
  await call.ended
})
