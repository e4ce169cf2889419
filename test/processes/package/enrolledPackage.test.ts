// The Debian package, unpacked into a clean root: its daemon enrols by a code, and opens a gate through Mosquitto with TLS.

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { bundledGateway, gatewayPackage, nameOf, secondsOf } from '../../../deploy/pi/gatewayPackage.ts'
import { withoutMosquitto } from '../broker/mosquitto.ts'
import { enrolGateway, startOwnBroker } from '../broker/ownBroker.ts'

const withoutDpkg =
  spawnSync('dpkg-deb', ['--version']).status === 0 ? undefined : 'dpkg-deb is not installed'
const otherMachine = process.arch === 'x64' ? undefined : 'the package for amd64 does not run here'

/** The folder of the program, in a root with nothing but the package. Its Node is that of this test. */
async function unpacked(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'callgate-unpacked-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const node = { program: readFileSync(process.execPath), license: Buffer.from('MIT') }
  const given = { architecture: 'amd64', node, seconds: secondsOf({}), level: 1 } as const
  const file = join(folder, nameOf('amd64'))
  writeFileSync(file, await gatewayPackage({ ...given, bundle: await bundledGateway() }))
  execFileSync('dpkg-deb', ['-x', file, join(folder, 'root')])
  return join(folder, 'root', 'usr/lib/callgate-gateway')
}

it('enrols by a code from its unpacked files, passes its doctor, and opens a gate over TLS', async ({
  skip,
}) => {
  const why = withoutMosquitto ?? withoutDpkg ?? otherMachine
  if (why !== undefined) return skip(why)
  const own = await unpacked()
  const program = [join(own, 'node'), join(own, 'gateway.mjs')] as const
  const house = await startOwnBroker()
  const gateway = await enrolGateway(house, program)
  expect(readFileSync(gateway.configuration, 'utf8')).toMatch(/^mqttUrl: "mqtts:/m)
  await vi.waitFor(
    async () => {
      expect(await house.press()).toMatchObject({ status: 200, body: { opened: true } })
    },
    { timeout: 90_000, interval: 1_000 },
  )
  expect(gateway.relays()).toEqual([1])
  const [node, main] = program
  const doctor = spawnSync(node, [main, 'doctor', '--config', gateway.configuration], { encoding: 'utf8' })
  expect([doctor.status, doctor.stdout]).toEqual([0, expect.stringMatching(/broker TLS/)])
})
