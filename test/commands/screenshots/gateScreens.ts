// The pictures of the dashboard: its sign-in, the gates during a call, one gate, and a Space without gates.

import { join } from 'node:path'
import type { Gate } from '@callgate/contract/rest/gate'
import Database from 'better-sqlite3'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { type DemoProcess, runCommand, startDemo } from '../../processes/endToEnd/demoProcess.ts'
import type { Studio } from './guestScreens.ts'

/** A gate of the pictures: a gate of the demo under another name, or an additional one with a number of the demo. */
interface Sitter {
  readonly name: string
  readonly location: string
  readonly farEnd: string
  readonly isNew?: true
  /** How often it is opened before the pictures. */
  readonly openings: number
  /** The settings of its module; absent: those that the demo knows. */
  readonly profile?: object
  readonly isOff?: true
}

const measured = { mode: 'reject', reactMinMs: 0, reactMaxMs: 10_000, learned: true, discriminating: true }
const street = 'Strada Lalelelor'

const sitters: readonly Sitter[] = [
  {
    name: 'Courtyard gate',
    location: `${street} 14`,
    farEnd: 'reject_busy',
    openings: 20,
    profile: measured,
  },
  { name: 'Yard barrier', location: `${street} 14, rear`, farEnd: 'answer_release_2s', openings: 12 },
  {
    name: 'Delivery gate',
    location: 'Strada Crinilor 2',
    farEnd: 'ring_forever',
    openings: 3,
    profile: { mode: 'reject' },
  },
  { name: 'Garden gate', location: `${street} 16`, farEnd: 'busy_before_alert', openings: 0, isOff: true },
  {
    name: 'Underground parking',
    location: 'Level −1',
    farEnd: 'reject_busy',
    isNew: true,
    openings: 12,
    profile: measured,
  },
  {
    name: 'North entrance',
    location: 'Strada Crinilor 8',
    farEnd: 'reject_busy',
    isNew: true,
    openings: 4,
  },
]

/** The number of openings that one key may request in a minute. */
const opensPerKey = 10

const cli = (demo: DemoProcess, ...args: readonly string[]) =>
  runCommand(['packages/cloud/src/main.ts', ...args, '--json'], { CALLGATE_DATA: demo.dataFolder })

async function newKey({ ready, ...demo }: DemoProcess): Promise<string> {
  const of = { ...demo, ready }
  const scopes = 'gates:read,gates:write,gates:open,members:read,members:write,history:read'
  const { stdout } = await cli(
    of,
    'key',
    'create',
    '--space',
    ready.spaceId,
    '--name',
    'Reception desk',
    '--scopes',
    scopes,
  )
  return (JSON.parse(stdout) as { key: string }).key
}

/** The names in the pictures; a key has no operation to set those of the Space, its gateway and its owner. */
function rename({ dataFolder }: DemoProcess): void {
  const database = new Database(join(dataFolder, 'callgate.sqlite'))
  database.prepare('update spaces set name = ?').run('Casa Lalelelor')
  database.prepare('update gateways set name = ?, callerNumber = ?').run('Attic', '+40740000111')
  database.prepare('update users set name = ?').run('Mihai Radu')
  database.close()
}

type Call = <T>(method: string, path: string, body?: object) => Promise<T>

/** The REST API with a new key after each ten openings. */
function caller(demo: DemoProcess): Call {
  let key = ''
  let left = 0
  return async (method, path, body) => {
    if (path.endsWith('/open')) left -= 1
    if (left < 0 || key === '') {
      key = await newKey(demo)
      left = opensPerKey - 1
    }
    return (await demo.call(method, `/api/v1${path}`, body, key)).body as never
  }
}

/** Makes the gates, and opens each as often as it says. Returns their ids by name. */
async function furnish(demo: DemoProcess): Promise<ReadonlyMap<string, string>> {
  rename(demo)
  const call = caller(demo)
  const ids = new Map<string, string>()
  for (const { farEnd, isNew, location, name, openings, profile = {} } of sitters) {
    const given = demo.ready.gates.find(gate => gate.farEnd === farEnd)
    const path = isNew ? '/gates' : `/gates/${given?.id}`
    const sent = { name, location, ...(isNew && { phoneNumber: given?.phoneNumber }) }
    const { gate } = await call<{ gate: Gate }>(isNew ? 'POST' : 'PATCH', path, sent)
    ids.set(name, gate.id)
    await call('PATCH', `/gates/${gate.id}/profile`, { ...profile, coolDownMs: 0 })
    for (let made = 0; made < openings; made++) await call('POST', `/gates/${gate.id}/open`)
  }
  return ids
}

/** The settings that a start of the demo would reset: how gates take a call, and which are switched off. */
async function finish(demo: DemoProcess, ids: ReadonlyMap<string, string>): Promise<void> {
  const call = caller(demo)
  for (const { isOff, name, profile = {} } of sitters) {
    await call('PATCH', `/gates/${ids.get(name)}/profile`, { ...profile, coolDownMs: 12_000 })
    if (isOff) await call('DELETE', `/gates/${ids.get(name)}`)
  }
}

/** The presses in the pictures: a guest's, then one that opens while the next one rings. */
async function pressAll(page: Page): Promise<void> {
  const open = (name: string) => page.getByRole('button', { name: `Open ${name}` })
  await open('Underground parking').click()
  await page.getByText('ready again in').waitFor({ timeout: 60_000 })
  await open('Yard barrier').click()
  // After its start the cloud calls a number only when no earlier call can still move the gate, and the only modem may be busy
  // with that call.
  const again = page.getByRole('button', { name: /Press again$/ })
  const ringing = page.getByRole('button', { name: /^Ringing/ })
  for (let tries = 0; tries < 8; tries++) {
    await again.or(ringing).or(open('Yard barrier')).first().waitFor({ timeout: 60_000 })
    if (await ringing.isVisible()) break
    await page.waitForTimeout(3_000)
    await again.or(open('Yard barrier')).first().click()
  }
  await ringing.waitFor({ timeout: 60_000 })
  await page.waitForTimeout(600)
}

async function shootAll({ shoot }: Pick<Studio, 'shoot'>, page: Page): Promise<void> {
  await pressAll(page)
  // The presses scroll to their cards.
  await page.evaluate('scrollTo(0, 0)')
  await shoot('dash-gates-1280', page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await shoot('dash-gates-1280-dark', page)
  await page.setViewportSize({ width: 390, height: 1718 })
  await shoot('dash-gates-390-dark', page)
  await page.emulateMedia({ colorScheme: 'light' })
  await shoot('dash-gates-390', page)
}

/** A Space without a gateway, for the same user. */
async function emptySpace(demo: DemoProcess): Promise<string> {
  const { stdout } = await cli(demo, 'space', 'create', '--name', 'Dealul Mic', '--plan', 'trial')
  const { spaceId } = JSON.parse(stdout) as { spaceId: string }
  const { email } = demo.ready.dashboard
  await cli(demo, 'user', 'set-role', '--email', email, '--space', spaceId, '--role', 'owner')
  return spaceId
}

/** Takes every picture of the dashboard's gates. The history comes from a fast network, the shown calls from a usual one. */
export async function shootGates(studio: Omit<Studio, 'demo'>): Promise<void> {
  const fast = await startDemo()
  const ids = await furnish(fast)
  await fast.stop()
  const demo = await startDemo({ dataFolder: fast.dataFolder, args: [] })
  try {
    await finish(demo, ids)
    const { dashboard, spaceId } = demo.ready
    const options: BrowserContextOptions = {
      baseURL: demo.ready.baseUrl,
      viewport: { width: 1280, height: 800 },
      deviceScaleFactor: studio.scale,
      locale: 'en-GB',
      reducedMotion: 'reduce',
    }
    const page = await (await studio.browser.newContext(options)).newPage()
    await page.goto('/')
    await page.getByLabel('E-mail').fill('mihai.radu@example.com')
    await page.getByLabel('Password', { exact: true }).fill('twelve dots ')
    await studio.shoot('dash-signin-1280', page)
    await page.getByLabel('E-mail').fill(dashboard.email)
    await page.getByLabel('Password', { exact: true }).fill(dashboard.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL(`**/spaces/${spaceId}/gates`)
    await shootAll(studio, page)
    await page.setViewportSize({ width: 1280, height: 1264 })
    await page.goto(`/spaces/${spaceId}/gates/${ids.get('Courtyard gate')}`)
    // The line is free again: one opening in the usual network, to scale.
    await page.waitForTimeout(15_000)
    await page.getByRole('button', { name: 'Open Courtyard gate' }).click()
    await page.getByText('ready again in').waitFor({ timeout: 60_000 })
    await page.reload()
    await page.getByRole('button', { name: 'Open Courtyard gate' }).waitFor()
    await page.getByText('What the line said').waitFor()
    await studio.shoot('dash-gate-1280', page)
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.goto(`/spaces/${await emptySpace(demo)}/gates`)
    await page.getByText('A gate opens because it is called').waitFor()
    await studio.shoot('dash-empty-1280', page)
  } finally {
    await demo.remove()
  }
}
