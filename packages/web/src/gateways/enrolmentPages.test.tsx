import type { AppAnswerOf } from '@callgate/contract/app/appOperations'
import type { EnrolmentView } from '@callgate/contract/app/enrolment'
import type { GatewayView } from '@callgate/contract/rest/gatewayView'
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { Answers } from '../client/fakeCloud.kit.ts'
import { another, gatewayOf, ids, pathOf, sessionOf } from '../client/spaceData.kit.ts'
import { dashboardPages, expectAccessible, noDialog, on } from '../pages.kit.tsx'
import { enrolmentOf } from './enrolment.kit.ts'

const pages = dashboardPages()
const page = on()
const dialog = page.part('dialog')
const path = pathOf('gateways')
const admin = sessionOf({ name: 'Ada Pop', role: 'admin' })
const code = '7H2KQM-3XW9TB-R4VN80'
const cloudUrl = 'https://gates.example.com'
const installCommand = `curl -fsSLo callgate.sh https://packages.example.com/install.sh && sudo sh callgate.sh ${code}`
const { createdAt, id: enrolmentId } = enrolmentOf()
const device = {
  version: '0.1.0',
  model: 'Raspberry Pi 4 Model B Rev 1.5',
  serial: '<b>100000003d1f7c2e</b>',
  imei: '869988030000018',
}

type Modem = NonNullable<GatewayView['now']['modem']>
const modemOf = (given: Partial<Modem>) => ({ ...(gatewayOf().now.modem as Modem), ...given })

/** The enrolments in progress, and the gateways that they have added. */
function enrolling() {
  let enrolments: readonly EnrolmentView[] = []
  let gateways: readonly GatewayView[] = []
  const answered = (id: string) => enrolments.find(one => one.id === id) as EnrolmentView
  const become = (id: string, changed: Partial<EnrolmentView>) => {
    enrolments = enrolments.map(one => (one.id === id ? { ...one, ...changed } : one))
  }
  const changeGateway = (id: string, now: Partial<GatewayView['now']>) => {
    gateways = gateways.map(one => (one.id === id ? { ...one, now: { ...one.now, ...now } } : one))
  }
  const isOver = ({ state }: EnrolmentView) => state !== 'waiting' && state !== 'pending'
  const answers = {
    listGateways: () => ({ status: 200, body: { gateways: [...gateways] } }),
    getGateway: ({ params }) => ({
      status: 200,
      body: { gateway: gateways.find(({ id }) => id === params.gatewayId) as GatewayView },
    }),
    listEnrolments: () => ({
      status: 200,
      body: { enrolments: enrolments.filter(one => !isOver(one)) },
    }),
    startEnrolment({ body }) {
      const replaced = gateways.find(({ id }) => id === body.replaces)
      const enrolment = enrolmentOf({
        id: another(enrolmentId, enrolments.length),
        name: body.name ?? replaced?.name ?? '',
        isForCard: body.isForCard,
        replaces: body.replaces ?? null,
      })
      enrolments = [...enrolments, enrolment]
      const link = `${cloudUrl}/enrol#${code}.${'k'.repeat(43)}`
      const made: AppAnswerOf<'startEnrolment'>['body'] = {
        enrolment,
        code,
        cloudUrl,
        cloudKey: 'k'.repeat(43),
        link,
        cardFile: '',
        installCommand: body.isForCard ? null : installCommand,
      }
      return { status: 201, body: made }
    },
    getEnrolment: ({ params }) => ({ status: 200, body: { enrolment: answered(params.enrolmentId) } }),
    confirmEnrolment({ params: { enrolmentId: id } }) {
      const gatewayId = another(ids.gatewayId, enrolments.length)
      const { name, replaces } = answered(id)
      if (replaces !== null) changeGateway(replaces, { state: 'revoked', since: createdAt })
      const gateway = gatewayOf({ id: gatewayId, name, now: { state: 'new', since: null, modem: null } })
      gateways = [...gateways, gateway]
      become(id, { state: 'confirmed', gatewayId })
      return { status: 200, body: { enrolment: answered(id), gateway } }
    },
    refuseEnrolment({ params: { enrolmentId: id } }) {
      become(id, { state: 'refused' })
      return { status: 204 }
    },
  } satisfies Answers
  return {
    answers,
    /** A gateway takes the newest code, and shows this fingerprint. */
    take(fingerprint: string) {
      const { id } = enrolments.at(-1) as EnrolmentView
      const gateway = { ...device, fingerprint, publicKey: 'n'.repeat(43), takenAt: createdAt }
      become(id, { state: 'pending', gateway })
    },
    beat(modem: Partial<Modem> = {}) {
      changeGateway(gateways.at(-1)?.id ?? '', { state: 'online', since: createdAt, modem: modemOf(modem) })
    },
  }
}

/** Makes a code for a gateway with this name. */
async function makeCode(name: string): Promise<void> {
  await page.press('Add gateway')
  await dialog.fill('Name', name)
  await dialog.press('Make a code')
  await dialog.says(code)
}

it('adds a gateway by a code: waits for it, compares six digits, admits it, and sees it online', async () => {
  const { answers, beat, take } = enrolling()
  const cloud = await pages.open(path, admin, answers)
  await page.press('Add gateway')
  await dialog.press('Make a code')
  await dialog.says('Type a name.')
  await expectAccessible()
  await dialog.fill('Name', 'Cellar')
  await dialog.press('Make a code')
  await dialog.says(/^Valid for (10:00|9:\d\d) more\.$/)
  await dialog.of('img', /as a QR code/)
  expect(await dialog.typed('On the Raspberry Pi, type:')).toBe(
    `sudo callgate-gateway enrol ${code} --cloud ${cloudUrl}`,
  )
  expect(await dialog.typed('Or where the package is not installed yet:')).toBe(installCommand)
  await dialog.says(/^Compare the 64 characters and the address/)
  const steps = dialog.part('list', 'What the gateway has done')
  await steps.says('Waiting for it to take the code…')
  await expectAccessible()

  take('123456')
  cloud.tell('gateway.changed', ids.gatewayId)
  await dialog.says('123 456')
  for (const said of [device.serial, device.imei]) await dialog.says(said)
  await expectAccessible()
  await dialog.press('They are the same: admit it')
  await dialog.says('Cellar is admitted')
  await expectAccessible()
  expect(cloud.bodies('confirmEnrolment')).toEqual([{ fingerprint: '123456' }])
  await steps.says('Waiting for its first message…')
  await steps.says(/^On the Pi, sudo callgate-gateway doctor says what is missing/)
  beat({ state: 'sim_error', trouble: { word: 'sim_missing', says: 'There is no SIM card.' } })
  cloud.tell('gateway.online', ids.gatewayId)
  await steps.says('SIM800C')
  await steps.says('Waiting for the SIM card…')
  await steps.says(/^There is no SIM card in the modem/)
  await expectAccessible()
  beat()
  cloud.tell('gateway.online', ids.gatewayId)
  await dialog.says('It is connected.')
  await steps.says('Orange RO')
  await steps.says('−71 dBm')
  await dialog.press('Done')
  await page.link(/^Cellar Online/)
})

it('refuses a gateway whose digits differ, from the list of those that wait', async () => {
  const { answers, take } = enrolling()
  const cloud = await pages.open(path, admin, answers)
  await makeCode('Stolen')
  take('654321')
  cloud.tell('gateway.changed', ids.gatewayId)
  await dialog.says('Is this your gateway?')
  await page.key('{Escape}')
  await noDialog()
  const list = page.part('region', 'Gateways that are being added')
  await list.says('It waits to be confirmed.')
  await expectAccessible()
  await list.press('Compare')
  await dialog.says('654 321')
  await dialog.press('They differ: refuse it')
  await dialog.says('nothing is left open')
  await expectAccessible()
  await dialog.press('Done')
  await page.saysNot('Gateways that are being added')
  expect(cloud.count('refuseEnrolment')).toBe(1)
  expect(cloud.count('confirmEnrolment')).toBe(0)
  expect(screen.queryByRole('link', { name: /^Stolen/ })).toBeNull()
})

it('replaces a gateway, which is revoked when the new one is admitted', async () => {
  const { answers, take } = enrolling()
  const cloud = await pages.open(path, admin, answers)
  await makeCode('Old box')
  take('111222')
  cloud.tell('gateway.changed', ids.gatewayId)
  await dialog.press('They are the same: admit it')
  await dialog.press('Done')
  await page.follow(/^Old box/)
  // The list says the same of its only gateway.
  await expect.poll(() => document.querySelector('.gateway-panes-list')).toBeNull()
  await page.says(/^Old box has never been online\.$/)
  await page.press('Replace it by another gateway')
  await dialog.says('This one is shut out when the new one is confirmed')
  await expectAccessible()
  await dialog.press('Make a code')
  await dialog.says(code)
  take('333444')
  cloud.tell('gateway.changed', ids.gatewayId)
  await dialog.press('They are the same: admit it')
  await dialog.press('Done')
  await page.link(/^Old box Shut out/)
  await page.link(/^Old box Never online/)
  expect(cloud.bodies('startEnrolment')).toEqual([
    { name: 'Old box', isForCard: false },
    { replaces: another(ids.gatewayId, 1), isForCard: false },
  ])
})

it('leads from the QR code to the command with the key of the cloud, without a session', async () => {
  await pages.open(`/enrol#${code}.${'k'.repeat(43)}`, undefined)
  expect(await page.typed('The command')).toBe(
    `sudo callgate-gateway enrol ${code} --cloud ${location.origin} --cloud-key ${'k'.repeat(43)}`,
  )
  await expectAccessible()
})

it('reports an address without a code', async () => {
  await pages.open('/enrol#x', undefined)
  await page.says('There is no code in this address.')
})

it('makes a code in Romanian', async () => {
  await pages.open(path, sessionOf({ name: 'Ada Pop', role: 'admin', language: 'ro' }), enrolling().answers)
  await page.press('Adaugă gateway')
  await dialog.fill('Nume', 'Pivniță')
  await dialog.press('Creează un cod')
  await page.says(/^Mai este valabil (10:00|9:\d\d)\.$/)
  await page.says('Se așteaptă să ia codul…')
  await expectAccessible()
})
