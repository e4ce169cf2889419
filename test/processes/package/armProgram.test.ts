// The program of the package for arm64, run by QEMU: its Node starts, and its native part opens the serial port of a modem.

import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPort } from '@callgate/simulator/port'
import { usualSimulator } from '@callgate/simulator/usual.kit'
import { newId } from '@callgate/world/ids'
import { realWorld } from '@callgate/world/real'
import { version } from '@callgate/world/version'
import { expect, it, onTestFinished } from 'vitest'
import { bundledGateway, gatewayPackage, secondsOf } from '../../../deploy/pi/gatewayPackage.ts'
import { hasArm64Node, nodeFor } from '../../../deploy/pi/nodeBinaries.ts'
import { writeKeyFile } from '../../../packages/gateway/src/keyFile.ts'
import { freePort } from '../freePort.ts'
import { configurationOf, isThere, unpack } from './oneGate.ts'

const world = realWorld({ logLevel: 'silent' })
const qemu = ['qemu-aarch64-static', 'qemu-aarch64'].find(isThere)
/** The place where QEMU finds the C library for arm64: from its own variable, else that of Debian's libc6-arm64-cross. */
const libraries = process.env['QEMU_LD_PREFIX'] ?? '/usr/aarch64-linux-gnu'

async function whyNot(): Promise<string | undefined> {
  if (qemu === undefined) return 'qemu-user is not installed'
  if (!existsSync(join(libraries, 'lib/ld-linux-aarch64.so.1')))
    return `no C library for arm64 in ${libraries}: install libc6-arm64-cross and libstdc++6-arm64-cross, or set QEMU_LD_PREFIX`
  if (!(await hasArm64Node())) return 'the Node for arm64 was not fetched: run package:pi arm64 once'
  return undefined
}

/** The package for arm64, unpacked, with a function that runs its program to its end. */
async function armProgram(folder: string) {
  const root = join(folder, 'pi')
  mkdirSync(root)
  const node = await nodeFor('arm64')
  const options = { architecture: 'arm64', node, seconds: secondsOf({}), level: 1 } as const
  await unpack(await gatewayPackage({ ...options, bundle: await bundledGateway() }), root)
  const own = join(root, 'usr/lib/callgate-gateway')
  const first = ['-L', libraries, join(own, 'node'), join(own, 'gateway.mjs')]
  const run = (...args: readonly string[]) =>
    new Promise<string>(resolve =>
      execFile(qemu ?? '', [...first, ...args], (_error, stdout, stderr) => resolve(stdout + stderr)),
    )
  return { root, run }
}

it('prints its version, and finds the modem with its own native part', async ({ skip }) => {
  const why = await whyNot()
  if (why !== undefined) return skip(why)
  const folder = mkdtempSync(join(tmpdir(), 'callgate-arm-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const { root, run } = await armProgram(folder)
  expect(await run('--version')).toMatch(new RegExp(`^${version}\ncommit \\S+\n$`))

  const simulator = usualSimulator({ world })
  const serialPort = join(folder, 'modem')
  const opened = openPort({ world, simulator, link: serialPort })
  if (!opened.ok) throw new Error(opened.message)
  onTestFinished(async () => {
    simulator.stop()
    await opened.port.close()
  })
  const privateKeyFile = join(folder, 'gateway.key')
  await writeKeyFile(privateKeyFile, world.randomBytes(32))
  const config = join(folder, 'callgate-gateway.yaml')
  // Nothing listens at this broker; the test only needs the modem.
  const login = {
    gatewayId: newId(world, 'gw'),
    mqttUrl: `mqtt://127.0.0.1:${await freePort()}`,
    mqttPassword: 'of the gateway',
    cloudKeys: ['ubsjic_2uJ2Q5ZTWR6viuQiGXwHU05FQwiwDwYEEusI'],
  }
  const dataFolder = join(folder, 'state')
  const text = configurationOf(root, { ...login, privateKeyFile, serialPort, dataFolder })
  writeFileSync(config, text, { mode: 0o600 })
  const said = await run('doctor', '--config', config)
  expect(said).toMatch(/^ok +modem +SIM800L, firmware /m)
  expect(said).toMatch(/^ok +signal +-\d+ dBm/m)
})
