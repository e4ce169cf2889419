import type { SetUpSmsView } from '@callgate/contract/app/setUpSms'
import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { callerOf, figuresOf, gatewayOf, ids, pathOf, sessionOf } from '../client/spaceData.kit.ts'
import { dashboardPages, expectAccessible, on } from '../pages.kit.tsx'

const pages = dashboardPages()
const page = on()
const dialog = page.part('dialog')

it('lets the gateway send the message after a mistake, and shows the module’s answer', async () => {
  const at = new Date().toISOString()
  const callerNumber = '+40740000111'
  let last: SetUpSmsView['gateways'][number]['last'] = null
  const view = (): SetUpSmsView => ({
    gateways: [{ gatewayId: ids.gatewayId, name: 'Attic', callerNumber, canSend: true, last }],
    leftToday: 5,
  })
  const base = { at, brand: 'rtu5024', reason: null, says: null, sent: null, answer: null } as const
  const cloud = await pages.open(pathOf(`gates/${ids.gateId}`), sessionOf({ role: 'admin' }), {
    listGateways: () => ({ status: 200, body: { gateways: [gatewayOf({ callerNumber })] } }),
    getGateCallers: () => ({ status: 200, body: { callers: [callerOf({ callerNumber })] } }),
    getGateFigures: () => ({
      status: 200,
      body: {
        figures: figuresOf(),
        ringMs: [],
        callers: [{ gatewayId: ids.gatewayId, name: 'Attic', callerNumber, openedAt: null }],
      },
    }),
    getSetUpSms: () => ({ status: 200, body: view() }),
    sendSetUpSms() {
      last = { ...base, state: 'sending' }
      return { status: 202, body: view() }
    },
  })
  await page.press('How to let a number in')
  await page.select('Module', 'RTU5024 (#TEL)')
  await page.press('Send it from the gateway')
  await dialog.fill('Password of the module', '864')
  await dialog.press('Send the message')
  await dialog.says('four digits for most')
  await dialog.fill(/^Place in the list/, '007')
  await dialog.fill('Password of the module', '8642')
  await expectAccessible()
  await dialog.press('Send the message')
  await page.says('The message is on its way.')
  expect(cloud.bodies('sendSetUpSms')).toMatchObject([
    { gatewayId: ids.gatewayId, place: '007', password: '8642' },
  ])
  last = { ...base, state: 'done', sent: 'yes', answer: { text: '007:*****111', isWhole: true } }
  cloud.tell('gateway.changed', ids.gatewayId)
  await page.says('The module probably answered: 007:*****111')
  await expectAccessible()
  // The gateway is asked once more, and restarts.
  await page.press('Send it from the gateway')
  await dialog.fill(/^Place in the list/, '008')
  await dialog.fill('Password of the module', '8642')
  await dialog.press('Send the message')
  await page.says('The message is on its way.')
  last = { ...base, state: 'done', reason: 'restarted', says: 'It was restarted.', sent: 'unknown' }
  cloud.tell('gateway.changed', ids.gatewayId)
  await page.says('Nobody knows whether the message')
  await page.says('The gateway was restarted.')
})

/** The message as it is sent. */
const message = async () => (await page.of('note', 'Message to the module')).textContent

it('completes the message by what is typed, and writes it as an SMS once it is whole', async () => {
  const callers = [callerOf({ callerNumber: '+40740000111' })]
  await pages.open(`${pathOf(`gates/${ids.gateId}`)}#let-in`, sessionOf(), {
    getGateCallers: () => ({ status: 200, body: { callers } }),
    getSetUpSms: () => ({ status: 200, body: { gateways: [], leftToday: 5 } }),
  })
  await page.select('Module', 'RTU5024 (#TEL)')
  expect(await page.typed('Its password')).toBe('1234')
  await page.says('As delivered, unless somebody has changed it.')
  expect(await message()).toBe('1234#TEL0040740000111#[place]#')
  expect((await page.button('Write the SMS')).className).not.toContain('filled')
  await page.press('Write the SMS')
  expect((await page.field('Place in its list')).getAttribute('aria-invalid')).toBe('true')
  await page.fill('Place in its list', '007')
  await page.fill('Its password', '8642')
  expect(await message()).toBe('8642#TEL0040740000111#007#')
  const link = await page.link('Write the SMS')
  expect(link.className).toContain('filled')
  expect(link.getAttribute('href')).toBe('sms:+40722123456?&body=8642%23TEL0040740000111%23007%23')
  await expectAccessible()
})

it('is at the foot of a new gate, asks for the number first, and makes room for test calls', async () => {
  let caller = callerOf({ callerNumber: null })
  const figures = () => figuresOf({ calibration: 'none', isNumberKnown: caller.numberKnown === 'yes' })
  const cloud = await pages.open(pathOf('gates'), sessionOf({ role: 'admin' }), {
    listGateFigures: () => ({ status: 200, body: { figures: [figures()] } }),
    getGateCallers: () => ({ status: 200, body: { callers: [caller] } }),
    updateGateCallers({ body: { numberKnown = 'unknown' } }) {
      caller = { ...caller, numberKnown }
      return { status: 200, body: { callers: [caller] } }
    },
  })
  const card = on(() =>
    within(screen.getByRole('heading', { name: 'Courtyard gate' }).closest('li') as HTMLElement),
  )
  await card.press('Let the number in')
  const type = await card.link('Type the number')
  expect(type.getAttribute('href')).toBe(pathOf(`gateways/${ids.gatewayId}`))
  caller = { ...caller, callerNumber: '+40740000333' }
  cloud.tell('gate.updated', ids.gateId)
  await card.says('It must know +40 740 000 333.')
  await expectAccessible()
  await card.press('It is in the list')
  await card.link('Make test calls')
  expect(cloud.bodies('updateGateCallers')).toEqual([{ gatewayId: ids.gatewayId, numberKnown: 'yes' }])
  await card.saysNot('It is in the list')
})
