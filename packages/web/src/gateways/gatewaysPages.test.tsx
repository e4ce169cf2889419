import { refuse } from '@callgate/contract/app/refusals'
import type { SimView } from '@callgate/contract/app/sim'
import type { GatewayView } from '@callgate/contract/rest/gatewayView'
import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { type Answers, password } from '../client/fakeCloud.kit.ts'
import { another, gatewayOf, historyOf, ids, pathOf, sessionOf, simOf } from '../client/spaceData.kit.ts'
import { dashboardPages, expectAccessible, isDisabled, noDialog, on, onPhone } from '../pages.kit.tsx'

const pages = dashboardPages()
const page = on()
const dialog = page.part('dialog')
const gatewayPath = pathOf(`gateways/${ids.gatewayId}`)

/** A gateway in the state of its last change. */
function oneGateway(first: Parameters<typeof gatewayOf>[0] = {}) {
  let gateway: GatewayView = gatewayOf(first)
  const answers = {
    listGateways: () => ({ status: 200, body: { gateways: [gateway] } }),
    getGateway: () => ({ status: 200, body: { gateway } }),
    updateGateway({ body }) {
      gateway = { ...gateway, ...body, ...(body.callerNumber && { callerNumber: '+40740000222' }) }
      return { status: 200, body: { gateway } }
    },
  } satisfies Answers
  const change = (changed: Partial<GatewayView>) => {
    gateway = { ...gateway, ...changed }
  }
  return { answers, change }
}

it('saves the number of a gateway, and loses no change of another person', async () => {
  const { answers, change } = oneGateway({ name: 'Yard cabinet', now: { state: 'offline' } })
  await pages.open(gatewayPath, sessionOf(), answers)
  await page.press('Type it')
  const number = 'Caller number'
  await dialog.fill(number, '0040 722')
  await dialog.press('Save')
  await dialog.says('Too short: 8 to 15 digits.')
  await dialog.fill(number, '0740 000 222')
  change({ name: 'Yard box' })
  await dialog.press('Save')
  await dialog.says('Somebody changed this gateway meanwhile.')
  expect(await dialog.typed(number)).toBe('0740 000 222')
  expect(await dialog.typed('Name')).toBe('Yard box')
  await dialog.press('Save mine')
  await noDialog()
  await page.link(/^Yard box Offline \+40 740 000 222/)
})

it('gives a gateway a page of its own on a phone', async () => {
  onPhone()
  const { answers } = oneGateway({ name: 'Yard cabinet' })
  await pages.open(gatewayPath, sessionOf(), answers)
  await page.of('heading', 'Over time')
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Yard cabinet')
  expect(screen.queryByRole('button', { name: 'Add gateway' })).toBeNull()
  await expectAccessible()
  await on(() => within(screen.getByRole('main'))).follow('Gateways')
  await page.of('button', 'Add gateway')
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Gateways')
})

it('adds a gateway by its key, and revokes it', async () => {
  const cellar = { id: another(ids.gatewayId, 1), name: 'Cellar' }
  let gateways = [gatewayOf()]
  await pages.open(pathOf('gateways'), sessionOf(), {
    listGateways: () => ({ status: 200, body: { gateways } }),
    getGateway: () => ({ status: 200, body: { gateway: gateways.at(-1) ?? gatewayOf() } }),
    addGateway({ body: { publicKey } }) {
      const gateway = gatewayOf({
        ...cellar,
        publicKey,
        now: { state: 'new', since: null, lastHeardAt: null, modem: null, version: null },
      })
      gateways = [...gateways, gateway]
      const login = {
        mqttUrl: 'mqtt://localhost:1883',
        mqttPassword: 'p'.repeat(43),
        cloudKeys: ['c'.repeat(43)],
        hasOwnBroker: false,
      }
      return { status: 201, body: { gateway, login } }
    },
    revokeGateway() {
      const at = new Date().toISOString()
      gateways = [gatewayOf(), gatewayOf({ ...cellar, revokedAt: at, now: { state: 'revoked', since: at } })]
      return { status: 204 }
    },
  })
  // By its warnings. How the gates are, their own page says.
  await page.says(/^Attic is online, with one thing to see to\.$/)
  await page.press('Add gateway')
  await dialog.press('Add it by its public key instead')
  await dialog.fill('Public key', 'not a key')
  await dialog.press('Add gateway')
  await dialog.says('A public key has 43 letters')
  await dialog.says('Type a name.')
  await expectAccessible()
  await dialog.fill('Public key', 'n'.repeat(43))
  await dialog.fill('Name', 'Cellar')
  await dialog.press('Add gateway')
  const configuration = await dialog.typed('Configuration of the gateway')
  expect(
    Object.fromEntries(
      [...configuration.matchAll(/^(\w+): *(.*)$/gm)].map(([, name, value]) => [name, value]),
    ),
  ).toEqual({
    gatewayId: cellar.id,
    mqttUrl: 'mqtt://localhost:1883',
    mqttPassword: `"${'p'.repeat(43)}"`,
    cloudKeys: expect.any(String),
    privateKeyFile: 'gateway.key',
    serialPort: '/dev/serial0',
    dataFolder: '/var/lib/callgate-gateway',
  })
  await page.key('{Escape}')
  expect(isDisabled(await dialog.button('Done'))).toBe(true)
  await expectAccessible()
  await dialog.check('I have stored the configuration')
  // It is not shown again, so only Done closes the dialog.
  expect(screen.queryByRole('button', { name: /Cancel|Close/ })).toBeNull()
  await dialog.press('Done')
  await page.follow(/^Cellar Never online/)
  await page.press('Shut this gateway out')
  await dialog.says('Its key is never admitted again.')
  await expectAccessible()
  await dialog.press('Shut out')
  await page.link(/^Cellar Shut out/)
  expect(screen.queryByRole('button', { name: 'Shut this gateway out' })).toBeNull()
})

it('keeps the data when the server does not answer, in Romanian too', async () => {
  let isDown = false
  await pages.open(pathOf('gateways'), sessionOf({ language: 'ro' }), {
    getGatewayHistory: ({ query }) =>
      isDown && query.range === '6h'
        ? { problem: 'internal_error', message: 'It is down.', status: 503 }
        : { status: 200, body: historyOf() },
  })
  await page.of('img', /^Semnal: Semnal între/)
  isDown = true
  await page.check('6 h')
  await page.says('În timp: nu s-a putut citi')
  await expectAccessible()
  isDown = false
  await page.press('Citește din nou')
  await page.of('img', /^Semnal: Semnal între/)
})

it('makes a new password after a confirmation, and shows it once', async () => {
  const mqttPassword = 'p'.repeat(43)
  const cloud = await pages.open(gatewayPath, sessionOf({ name: 'Ada Pop', role: 'admin' }), {
    changeGatewayPassword: () => ({ status: 200, body: { mqttPassword, hasOwnBroker: false } }),
  })
  cloud.forget()
  await page.press('Give it a new password')
  await dialog.says('The password that it has now stops working.')
  await expectAccessible()
  await dialog.press('Make the password')
  await dialog.fill('Your password', 'another one')
  await dialog.press('Confirm')
  await dialog.says('This is not your password.')
  expect(cloud.count('changeGatewayPassword')).toBe(0)
  await dialog.fill('Your password', password)
  await dialog.press('Confirm')
  expect(await dialog.typed('Line of the configuration')).toBe(`mqttPassword: "${mqttPassword}"`)
  await expectAccessible()
  expect(isDisabled(await dialog.button('Done'))).toBe(true)
  await dialog.check('I have stored the password')
  await dialog.press('Done')
  await noDialog()
  expect(document.documentElement.outerHTML).not.toContain(mqttPassword)
})

it('shows in Romanian why a new password is refused after the gateway was revoked', async () => {
  await pages.open(gatewayPath, sessionOf({ language: 'ro' }), {
    changeGatewayPassword: () => refuse('gateway_shut_out'),
  })
  await page.press('Dă-i o parolă nouă')
  await dialog.says('Cheia lui rămâne aceeași.')
  await dialog.press('Creează parola')
  await dialog.says('Acest gateway este exclus definitiv.')
  await expectAccessible()
})

it('lets a person set the SIM card after a mistake, asks its network, and warns', async () => {
  let sim: SimView = simOf()
  const at = new Date().toISOString()
  const cloud = await pages.open(gatewayPath, sessionOf({ role: 'admin' }), {
    getSim: () => ({ status: 200, body: { sim } }),
    updateSim({ body }) {
      sim = { ...sim, ...body }
      return { status: 200, body: { sim } }
    },
    askSim() {
      sim = { ...sim, now: { ...sim.now, asked: { at, state: 'asking', reason: null, says: null } } }
      return { status: 202, body: { sim } }
    },
  })
  const card = page.around('section', /^SIM card/)
  await card.says('Works')
  await card.press('Type the code')
  await dialog.fill('Code for the credit', '*21#')
  await dialog.fill('Warn below', 'five')
  await dialog.press('Save')
  await dialog.says('An amount such as 5 or 5.50.')
  await dialog.fill('Warn below', '5')
  await dialog.press('Save')
  await dialog.says('This code may not be sent')
  expect(await dialog.typed('Warn below')).toBe('5')
  await dialog.fill('Code for the credit', '*100#')
  await dialog.press('Save')
  await noDialog()
  expect(sim).toMatchObject({ code: '*100#', warnBelow: 500 })
  await card.press('Ask for the credit')
  await card.says('Asking…')
  const balance = { hundredths: 420, currency: 'EUR' }
  const answer = { at, text: 'Aveti 4.20 EUR pana la 31.12.2026', balance }
  const asked = { at, state: 'done', reason: null, says: null } as const
  sim = { ...sim, now: { ...sim.now, asked, answer, warnings: ['credit_low'] } }
  cloud.tell('gateway.changed', ids.gatewayId)
  // Its number is not typed, and little is left on its card: the head counts both, and the list names them.
  await page.says(/^Attic is online, with 2 things to see to\./)
  await page.link(/^Attic .*Little is left on the SIM card\.$/)
  await card.says('Little is left on the SIM card.')
  await card.says(/^4\.20 EUR$/)
  await card.saysNot('Aveti 4.20 EUR pana la 31.12.2026')
  await card.press('Details')
  await card.says('Aveti 4.20 EUR pana la 31.12.2026')
  await expectAccessible()
  const failed = { at, state: 'not_done', reason: 'no_network', says: 'There was no network.' } as const
  sim = { ...sim, now: { ...sim.now, asked: failed } }
  cloud.tell('gateway.changed', ids.gatewayId)
  await card.says('The modem had no network.')
  await card.says(/^4\.20 EUR$/)
})

it('shows the SIM card in Romanian, also where the gateway cannot be asked', async () => {
  await pages.open(gatewayPath, sessionOf({ language: 'ro' }), {
    getSim: () => ({ status: 200, body: { sim: simOf({ now: { canAsk: false } }) } }),
  })
  const card = page.around('section', /^Cartela SIM/)
  await card.says('Versiunea 0.1.0 nu poate întreba de credit. O versiune mai nouă poate.')
  await card.says('Funcționează')
  expect(screen.queryByRole('button', { name: 'Întreabă de credit' })).toBeNull()
  await expectAccessible()
})

it('shows of the gateway of a sandbox its calls alone', async () => {
  const session = sessionOf()
  const spaces = session.spaces.map(space => ({ ...space, mode: 'sandbox' as const }))
  const { answers } = oneGateway({ name: 'Sandbox gateway', callerNumber: null })
  await pages.open(gatewayPath, { ...session, spaces }, answers)
  await page.of('heading', 'Last calls')
  await page.says('It has no modem and no SIM card')
  await page.says(/^Sandbox gateway is online\./)
  await page.link(/^Sandbox gateway Online A pretend gateway/)
  const headings = screen.getAllByRole('heading').map(({ textContent }) => textContent)
  expect(headings).toEqual(['Gateways', 'Sandbox gateway', 'Last calls'])
  expect(screen.queryByRole('button', { name: 'Type it' })).toBeNull()
  await expectAccessible()
})
