import type { MemberView } from '@callgate/contract/app/appMember'
import type { OpeningRecord } from '@callgate/contract/app/openingRecord'
import { outcomesOf } from '@callgate/contract/call/callOutcomes'
import type { Gate } from '@callgate/contract/rest/gate'
import type { GatewayView } from '@callgate/contract/rest/gatewayView'
import { exampleEvidence, exampleOpening } from '@callgate/contract/rest/opening'
import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { Answers } from '../client/fakeCloud.kit.ts'
import {
  callerOf,
  figuresOf,
  gateOf,
  gatewayOf,
  ids,
  memberOf,
  openingOf,
  sessionOf,
} from '../client/spaceData.kit.ts'
import { dashboardPages, expectAccessible, on, user } from '../pages.kit.tsx'

const pages = dashboardPages()
const page = on()
const dialog = page.part('dialog')

/** One of the steps, by its title. */
const step = (title: string) =>
  on(() => within(screen.getByRole('heading', { level: 2, name: title }).closest('li') ?? document.body))

const login = {
  mqttUrl: 'mqtt://localhost:1883',
  mqttPassword: 'p'.repeat(43),
  cloudKeys: ['c'.repeat(43)],
  hasOwnBroker: false,
}

/** The figures of a gate that is not calibrated, after these openings. */
const figuresAfter = (openings: readonly OpeningRecord[], isNumberKnown: boolean) =>
  figuresOf({
    last: openings[0] ?? null,
    calibration: 'none',
    isNumberKnown,
    outcomes: outcomesOf(openings.map(({ class: kind }) => ({ class: kind, seen: null }))),
  })

/** An empty Space, and the actions of people and of a gateway in it. */
function emptySpace() {
  let gateways: readonly GatewayView[] = []
  let gates: readonly Gate[] = []
  let members: readonly MemberView[] = []
  let openings: readonly OpeningRecord[] = []
  const pagination = { limit: 20, nextCursor: null }
  const changeGateway = (changed: Partial<GatewayView>) => {
    gateways = gateways.map(gateway => ({ ...gateway, ...changed }))
  }
  let numberKnown: 'unknown' | 'yes' = 'unknown'
  const figures = () => figuresAfter(openings, numberKnown === 'yes')
  const callers = () =>
    gateways.map(({ callerNumber, name }) => callerOf({ callerNumber, name, numberKnown }))
  const answers = {
    listGateways: () => ({ status: 200, body: { gateways: [...gateways] } }),
    getGateway: () => ({ status: 200, body: { gateway: gateways[0] ?? gatewayOf() } }),
    listGates: () => ({ status: 200, body: { gates: [...gates] } }),
    getGate: () => ({ status: 200, body: { gate: gates[0] ?? gateOf() } }),
    listGateFigures: () => ({ status: 200, body: { figures: gates.map(figures) } }),
    getGateFigures: () => ({
      status: 200,
      body: {
        figures: figures(),
        ringMs: [],
        callers: gateways.map(({ callerNumber, id: gatewayId, name }) => ({
          gatewayId,
          name,
          callerNumber,
          openedAt: null,
        })),
      },
    }),
    getGateCallers: () => ({ status: 200, body: { callers: callers() } }),
    updateGateCallers(asked) {
      numberKnown = asked.body.numberKnown === 'yes' ? 'yes' : 'unknown'
      return { status: 200, body: { callers: callers() } }
    },
    getSetUpSms: () => ({ status: 200, body: { gateways: [], leftToday: 5 } }),
    listMemberViews: () => ({ status: 200, body: { members: [...members], pagination } }),
    listHistory: () => ({ status: 200, body: { openings: [...openings], pagination } }),
    addGateway({ body: { name, publicKey } }) {
      const now = { state: 'new', since: null, lastHeardAt: null, modem: null, version: null } as const
      const gateway = gatewayOf({ name, publicKey, now })
      gateways = [gateway]
      return { status: 201, body: { gateway, login } }
    },
    updateGateway({ body: { callerNumber } }) {
      changeGateway({ callerNumber: callerNumber === '0740 000 333' ? '+40740000333' : null })
      return { status: 200, body: { gateway: gateways[0] ?? gatewayOf() } }
    },
    openGate() {
      openings = [openingOf({ class: 'probably_opened', confidence: 'assumed', gateName: 'Main barrier' })]
      return { status: 202, body: { opened: false, openingId: ids.openingId } }
    },
    getOpening: () => ({
      status: 200,
      body: { opening: exampleOpening, evidence: { ...exampleEvidence, confidence: 'assumed' } },
    }),
  } satisfies Answers
  return {
    answers,
    hear: () => changeGateway({ now: gatewayOf().now }),
    addGate() {
      gates = [gateOf({ name: 'Main barrier' })]
    },
    addMember() {
      members = [memberOf({ name: 'Ana Pop' })]
    },
  }
}

it('leads from nothing to the first opening, ticked by what happens', async () => {
  const { addGate, addMember, answers, hear } = emptySpace()
  const cloud = await pages.open('/', sessionOf(), answers)
  await page.of('heading', 'A gate opens because it is called')
  await page.follow('Connect a gateway')
  await page.says('1 of 6 done.')
  await expectAccessible()

  await page.press('Connect a gateway')
  await dialog.press('Add it by its public key instead')
  await dialog.fill('Public key', 'n'.repeat(43))
  await dialog.fill('Name', 'Workshop')
  await dialog.press('Add gateway')
  await dialog.check('I have stored the configuration')
  await dialog.press('Done')
  // Added but not heard: the step is not done.
  await page.says('Workshop was added, and has not been online yet.')
  await page.says('1 of 6 done.')

  // The actions of another person or of the gateway tick a step by themselves.
  addGate()
  cloud.tell('gate.created', ids.gateId)
  hear()
  cloud.tell('gateway.online', ids.gatewayId)
  await step('Gate').says('Main barrier')
  await step('Gateway').says('Workshop is online and registered')
  await page.says('3 of 6 done.')
  await expectAccessible()

  const number = step('Let the gate know the number')
  await number.press('Type the number')
  await dialog.fill('Caller number', '0740 000 333')
  await dialog.press('Save')
  await number.select('Module', 'RTU5024 (#TEL)')
  await number.says('1234#TEL0040740000333#[place]#')
  await page.says('3 of 6 done.')
  await expectAccessible()
  await number.press('It is in the list')
  await number.says('Noted here: the number is in the list of the module.')
  await step('Make the first call').press('Open Main barrier')
  await page.says('5 of 6 done.')
  expect(screen.queryByText('Before the first call')).toBeNull()
  await number.says('The module most likely knows the number')
  // It opened, with unknown certainty.
  await step('Make the first call').says('It is not measured yet how Main barrier takes a call')
  await step('Make the first call').link('Calibrate')

  const [gatesLink] = screen.getAllByRole('link', { name: /^Gates/ })
  await user.click(gatesLink as HTMLElement)
  await page.says('5 of 6 first steps are done.')
  await expectAccessible()
  await page.follow('Go on')
  addMember()
  cloud.tell('member.created', ids.memberId)
  await step('Give somebody a link').says('Ana Pop has a link')
  await page.says('All six steps are done.')
  await expectAccessible()
  await page.follow('To the gates')
  await page.of('heading', 'Main barrier')
  await page.saysNot('first steps are done')
})
