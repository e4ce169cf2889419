// The doctor at a real Mosquitto with the configuration of `deploy/broker`: its report on the accounts and the version.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand } from '@callgate/cloud/cli/terminal.kit'
import { readMosquittoVersion } from '@callgate/cloud/core/mosquittoVersion'
import type { Check } from '@callgate/cloud/doctor/check'
import { firstAccounts } from '@callgate/cloud/gateway/brokerSetup'
import { realWorld } from '@callgate/world/real'
import { expect, it, onTestFinished } from 'vitest'
import { newMosquitto, withoutMosquitto } from './mosquitto.ts'

const world = realWorld({ logLevel: 'silent' })
const logins = {
  cloud: { user: 'callgate', password: 'of-the-cloud' },
  admin: { user: 'callgate-admin', password: 'of-the-admin' },
}

/** The doctor's report on a Mosquitto whose configuration was changed by `change`, and the version of that Mosquitto. */
async function examined(change: (configuration: string) => string) {
  const folder = mkdtempSync(join(tmpdir(), 'callgate-doctor-'))
  const broker = await newMosquitto(folder)
  onTestFinished(async () => {
    await broker.stop()
    rmSync(folder, { recursive: true })
  })
  const file = join(folder, 'mosquitto.conf')
  writeFileSync(file, change(readFileSync(file, 'utf8')))
  writeFileSync(broker.accountsFile, await firstAccounts(world, logins), { mode: 0o600 })
  await broker.start()
  const help = spawnSync(broker.program, ['-h'], { encoding: 'utf8' }).stdout
  const urlOf = ({ password, user }: { user: string; password: string }) =>
    `mqtts://${user}:${password}@localhost:${broker.port}`
  const environment = {
    CALLGATE_DATA: join(folder, 'data'),
    PORT: '1',
    MQTT_URL: urlOf(logins.cloud),
    MQTT_ADMIN_URL: urlOf(logins.admin),
    MQTT_CA: broker.caFile,
  }
  const { out } = await runCommand(environment, ['doctor', '--json'])
  expect(out).not.toMatch(/of-the-(cloud|admin)/)
  const { checks } = JSON.parse(out) as { readonly checks: readonly Check[] }
  const of = (name: string) => checks.find(check => check.name === name)
  expect(of('broker')).toMatchObject({ state: 'ok' })
  return { accounts: of('broker accounts'), version: readMosquittoVersion(help) }
}

it('reports the version where Mosquitto reveals it', async ({ skip }) => {
  if (withoutMosquitto !== undefined) return skip(withoutMosquitto)
  const { accounts, version } = await examined(text =>
    text
      .replace('retain_available false', 'retain_available true')
      .replace('sys_interval 0', 'sys_interval 10'),
  )
  expect(accounts).toMatchObject({
    state: version?.isOld ? 'warning' : 'ok',
    says: expect.stringContaining(`is Mosquitto ${version?.text}`),
  })
})

it('finds out whether Mosquitto is older than 2.0.12 where it does not reveal its version', async ({
  skip,
}) => {
  if (withoutMosquitto !== undefined) return skip(withoutMosquitto)
  const { accounts, version } = await examined(text => text)
  const isVeryOld = /^(1\.|2\.0\.\d$|2\.0\.1[01]$)/.test(version?.text ?? '')
  expect(accounts).toMatchObject({
    state: isVeryOld ? 'warning' : 'ok',
    says: expect.stringContaining(isVeryOld ? 'older than Mosquitto 2.0.12' : 'does not tell its version'),
  })
})
