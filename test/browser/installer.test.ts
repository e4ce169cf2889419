// The installer's way on a phone, with real programs: add a gateway, enrol it, run its doctor, add a gate, make a test call,
// calibrate, open.

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCloud } from '@callgate/cloud/app'
import { runCommand } from '@callgate/cloud/cli/terminal.kit'
import { readConfig } from '@callgate/cloud/config'
import { openDatabase } from '@callgate/cloud/database/database'
import { migrate } from '@callgate/cloud/database/migrate'
import { openPort } from '@callgate/simulator/port'
import { phoneNumber, usualSimulator } from '@callgate/simulator/usual.kit'
import { realWorld } from '@callgate/world/real'
import type { Page } from 'playwright-core'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { freePort } from '../processes/freePort.ts'
import { expectAccessible } from './accessibility.ts'
import { useBrowser } from './browser.ts'

const bundle = new URL('../../packages/gateway/dist/gateway.mjs', import.meta.url).pathname
const world = realWorld({ logLevel: 'silent' })
const patient = { timeout: 60_000, interval: 50 }
/** After this time another press no longer joins the call before it. */
const coolDownMs = 5_500
const owner = { email: 'dan@example.com', name: 'Dan Ionescu' }
/** The user who calibrates. The test takes half a minute, and one user may read 400 times a minute. */
const installer = { email: 'mihai@example.com', name: 'Mihai Radu' }

let folder = ''
let endings: (() => unknown)[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'callgate-installer-'))
})
afterEach(async () => {
  for (const end of endings.toReversed()) await end()
  endings = []
  rmSync(folder, { recursive: true, force: true })
})
// Registered after the cleanup, so that it runs before it: an open page would ask a cloud that is gone.
const browser = useBrowser()

/** A cloud as set up by an operator: with a Space, its owner, and nothing else. */
async function startCloud() {
  const port = await freePort()
  const base = `http://localhost:${port}`
  const environment = { CALLGATE_DATA: folder, APP_URL: base, PORT: String(port) }
  const read = readConfig(environment)
  if (!read.ok) throw new Error(read.message)
  const database = await openDatabase({ url: join(folder, 'callgate.sqlite') })
  await migrate(database)
  const cloud = createCloud({ world, database, config: { ...read.config, mqttPort: 0 } })
  const started = await cloud.start()
  if (!started.ok) throw new Error(started.message)
  endings.push(async () => {
    await cloud.stop()
    await database.close()
  })
  const json = async (...args: string[]) =>
    JSON.parse((await runCommand(environment, [...args, '--json'])).out)
  const { spaceId } = await json('space', 'create', '--name', 'Casa Lalelelor', '--plan', 'pro')
  const userWithPassword = async ({ email, name }: typeof owner, role: string) => {
    const of = ['--email', email, '--name', name, '--space', spaceId, '--role', role]
    const { password } = await json('user', 'create', ...of, '--generate-password')
    return { email, password: String(password) }
  }
  return {
    base,
    owner: await userWithPassword(owner, 'owner'),
    installer: await userWithPassword(installer, 'admin'),
    /** Waits until the gate may be called again after its call. People wait for half a minute; here only the cool-down passes. */
    async rest() {
      const ended = async () => {
        const { completedAt } = await database
          .knex('openings')
          .orderBy('calledAt', 'desc')
          .first('completedAt')
        return completedAt === null ? 0 : Date.now() - Date.parse(completedAt)
      }
      await vi.waitFor(async () => expect(await ended()).toBeGreaterThan(coolDownMs), patient)
      const completedAt = new Date(Date.now() - 40_000).toISOString()
      await database.knex('openings').whereNotNull('completedAt').update({ completedAt })
    },
  }
}

/** The Raspberry Pi: its programs, and the modem at its port. */
function startPi() {
  // As in the field: a ringing of 20 ms, as on the fast network, is over before a busy machine has run the daemon once.
  const simulator = usualSimulator({ world, network: 'normal' })
  const serialPort = join(folder, 'modem')
  const opened = openPort({ world, simulator, link: serialPort })
  if (!opened.ok) throw new Error(opened.message)
  endings.push(async () => {
    simulator.stop()
    await opened.port.close()
  })
  const file = join(folder, 'pi', 'callgate-gateway.yaml')
  /** A command as a person types it, with the paths of this machine. */
  function types(command: string, ...more: string[]) {
    const [, ...words] = command.replace(/^sudo /, '').split(' ')
    const child: ChildProcess = spawn(process.execPath, [bundle, ...words, '--config', file, ...more])
    endings.push(() => child.kill('SIGKILL'))
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', chunk => {
        said += chunk
      })
    const ended = new Promise<number | null>(resolve => child.once('exit', resolve))
    const says = async (words: RegExp) => {
      await vi.waitFor(() => expect(said).toMatch(words), patient)
      return words.exec(said)?.[0] ?? ''
    }
    return { ended, says, said: () => said }
  }
  return {
    types,
    enrols: (command: string) =>
      types(command, '--serial-port', serialPort, '--data-folder', join(folder, 'state')),
    imei: () => simulator.state().modem.imei,
    configuration: () => readFileSync(file, 'utf8'),
    relays: () => simulator.state().gates.map(({ relayCount }) => relayCount),
  }
}

async function signIn(page: Page, { email, password }: Record<'email' | 'password', string>): Promise<void> {
  await page.goto('/')
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Adds a gateway, types its code at the Pi after a mistake, compares the digits, and starts the daemon. */
async function addGateway(page: Page, pi: ReturnType<typeof startPi>): Promise<void> {
  await page.getByRole('link', { name: 'Gateways' }).click()
  await page.getByRole('button', { name: 'Add gateway' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Cellar')
  await dialog.getByRole('button', { name: 'Make a code' }).click()
  await dialog.getByRole('img', { name: /as a QR code/ }).waitFor()
  await expectAccessible(page)
  // The page is no wider than its window.
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
  const command = await dialog.getByLabel('On the Raspberry Pi, type:').inputValue()
  const [, code = ''] = / enrol (\S+)/.exec(command) ?? []
  const typo = pi.enrols(command.replace(code, code.slice(0, -1) + (code.endsWith('0') ? '1' : '0')))
  expect([await typo.ended, typo.said()]).toEqual([1, expect.stringContaining('The code has a typo')])
  const enrol = pi.enrols(command)
  const digits = await enrol.says(/\d{3} \d{3}/)
  await dialog.locator('.enrol-fingerprint').waitFor()
  expect(await dialog.locator('.enrol-fingerprint').textContent()).toBe(digits)
  await dialog.getByText(pi.imei(), { exact: true }).waitFor()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'They are the same: admit it' }).click()
  await enrol.says(/Enrolled\./)
  expect(await enrol.ended).toBe(0)
  expect(pi.configuration()).toContain('mqttUrl:')
  pi.types('callgate-gateway run')
  await dialog.getByText('It is connected.').waitFor()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('link', { name: /^Cellar Online/ }).waitFor()
}

async function addGate(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Gates' }).first().click()
  await page.getByRole('button', { name: 'Add gate' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Courtyard gate')
  await dialog.getByLabel('Number').fill(phoneNumber)
  await dialog.getByRole('button', { name: 'Add gate' }).click()
  await page.getByRole('heading', { name: 'Courtyard gate' }).first().waitFor()
}

/** Three test calls, after each of which the installer reports that the gate moved. */
async function calibrate(page: Page, pi: ReturnType<typeof startPi>, rest: () => Promise<void>) {
  await page.getByRole('link', { name: 'Calibrate' }).click()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  const [before = 0] = pi.relays()
  for (const call of [1, 2, 3]) {
    await page.getByRole('button', { name: 'Call the gate' }).click()
    await page.getByRole('heading', { name: /^Call . of 3: did it move\?$/ }).waitFor({ timeout: 60_000 })
    if (call === 1) await expectAccessible(page)
    expect(pi.relays()).toEqual([before + call])
    await rest()
    await page.getByRole('button', { name: 'It moved', exact: true }).click()
    await page.getByRole('button', { name: 'Next' }).click()
  }
  await page.getByText('Rejects the call, and opens.').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Saved. The gate is calibrated.').waitFor()
  await page.getByRole('link', { name: 'To the gate' }).click()
}

it('leads from nothing to an opened gate on a phone', async () => {
  const cloud = await startCloud()
  const pi = startPi()
  const { page } = await browser.open(cloud.base, { provokes: [/401/] })
  await signIn(page, cloud.owner)
  await page.getByRole('heading', { name: 'A gate opens because it is called' }).waitFor()
  await expectAccessible(page)
  await addGateway(page, pi)

  // The modem is asked for much before it is ready.
  await vi.waitFor(async () => {
    const doctor = pi.types('callgate-gateway doctor')
    expect([await doctor.ended, doctor.said()]).toEqual([0, expect.not.stringMatching(/^fail/m)])
  }, patient)

  await addGate(page)
  await page.getByRole('heading', { name: 'Courtyard gate' }).first().click()
  await page.getByText('would call now').waitFor()
  await page.getByRole('button', { name: 'Test call' }).click()
  await page.getByText('A real gate will move. Stand where you see it.').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Call now', exact: true }).click()
  await vi.waitFor(() => expect(pi.relays()).toEqual([1]), patient)
  await page.getByText('Probably opened').first().waitFor({ timeout: 60_000 })

  await cloud.rest()

  const second = await browser.open(cloud.base, { provokes: [/401/] })
  await signIn(second.page, cloud.installer)
  await second.page.getByRole('heading', { name: 'Courtyard gate' }).first().click()
  await calibrate(second.page, pi, cloud.rest)
  await second.page.getByRole('button', { name: /^Open/ }).first().click()
  await vi.waitFor(() => expect(pi.relays()).toEqual([5]), patient)
  await second.page.getByText('Opened').first().waitFor({ timeout: 60_000 })
})
