import type { EnrolmentView } from '@callgate/contract/app/enrolment'
import type { GatewayView } from '@callgate/contract/rest/gatewayView'
import { expect, it } from 'vitest'
import { gatewayOf } from '../client/spaceData.kit.ts'
import { enrolmentOf } from './enrolment.kit.ts'
import { progressOf, progressSteps } from './progress.ts'

const at = (clock: string) => `2026-01-05T08:${clock}.000Z`
const device = {
  fingerprint: '123456',
  publicKey: 'k'.repeat(43),
  takenAt: at('01:00'),
  version: '1.0.0',
  model: null,
  serial: null,
  imei: null,
}
const waiting: Partial<EnrolmentView> = { createdAt: at('00:00') }
const pending: Partial<EnrolmentView> = { ...waiting, state: 'pending', gateway: device }
const confirmed: Partial<EnrolmentView> = { ...pending, state: 'confirmed', gatewayId: gatewayOf().id }

type Now = GatewayView['now']
type Modem = NonNullable<Now['modem']>
const usual = gatewayOf().now.modem as Modem
const gateway = (now: Partial<Now> = {}) =>
  gatewayOf({ enrolledAt: at('02:00'), now: { since: at('03:00'), ...now } })
const unheard = gateway({ state: 'new', since: null, modem: null })
const withModem = (modem: Partial<Modem>) => gateway({ modem: { ...usual, ...modem } })
const trouble = { word: 'pin_missing', says: 'The SIM card asks for a PIN.' }

/** The step that goes on, and what helps. */
interface Case {
  readonly is: string
  readonly enrolment: Partial<EnrolmentView>
  readonly gateway?: GatewayView
  readonly clock: string
  readonly step: string | undefined
  readonly remedy?: unknown
}

const cases: readonly Case[] = [
  { is: 'a new code', enrolment: waiting, clock: '02:00', step: 'taken' },
  { is: 'a code that nobody takes', enrolment: waiting, clock: '02:01', step: 'taken', remedy: 'command' },
  {
    is: 'a card that nobody starts',
    enrolment: { ...waiting, isForCard: true },
    clock: '02:01',
    step: 'taken',
    remedy: 'card',
  },
  {
    is: 'a code that was typed wrong',
    enrolment: { ...waiting, wrongTries: 1 },
    clock: '00:10',
    step: 'taken',
    remedy: 'wrongCode',
  },
  { is: 'a gateway to compare', enrolment: pending, clock: '01:00', step: 'admitted', remedy: 'compare' },
  { is: 'an admitted gateway that was not read yet', enrolment: confirmed, clock: '02:00', step: 'heard' },
  {
    is: 'a gateway that is not heard yet',
    enrolment: confirmed,
    gateway: unheard,
    clock: '04:00',
    step: 'heard',
  },
  {
    is: 'a gateway that is never heard',
    enrolment: confirmed,
    gateway: unheard,
    clock: '04:01',
    step: 'heard',
    remedy: 'unheard',
  },
  {
    is: 'a gateway that went away',
    enrolment: confirmed,
    gateway: gateway({ state: 'offline' }),
    clock: '06:00',
    step: 'heard',
    remedy: 'unheard',
  },
  {
    is: 'a program that is too old',
    enrolment: confirmed,
    gateway: gateway({ state: 'new', tooOld: { version: '0.1.0' }, modem: null }),
    clock: '02:10',
    step: 'heard',
    remedy: 'tooOld',
  },
  {
    is: 'no modem yet',
    enrolment: confirmed,
    gateway: gateway({ modem: null }),
    clock: '03:10',
    step: 'modem',
  },
  {
    is: 'a modem that does not answer',
    enrolment: confirmed,
    gateway: withModem({ state: 'lost' }),
    clock: '05:01',
    step: 'modem',
    remedy: 'modem',
  },
  {
    is: 'a modem that starts for too long',
    enrolment: confirmed,
    gateway: withModem({ state: 'starting' }),
    clock: '05:01',
    step: 'modem',
    remedy: 'modem',
  },
  {
    is: 'a SIM card with a trouble',
    enrolment: confirmed,
    gateway: withModem({ state: 'sim_error', trouble }),
    clock: '03:10',
    step: 'sim',
    remedy: trouble,
  },
  {
    is: 'a SIM card without words',
    enrolment: confirmed,
    gateway: withModem({ state: 'sim_error' }),
    clock: '05:01',
    step: 'sim',
    remedy: 'sim',
  },
  {
    is: 'a modem that looks for a network',
    enrolment: confirmed,
    gateway: withModem({ state: 'no_network', registration: 'searching' }),
    clock: '04:00',
    step: 'network',
  },
  {
    is: 'a modem that finds none',
    enrolment: confirmed,
    gateway: withModem({ state: 'no_network', registration: 'searching' }),
    clock: '05:01',
    step: 'network',
    remedy: 'searching',
  },
  {
    is: 'a network that refuses',
    enrolment: confirmed,
    gateway: withModem({ state: 'no_network', registration: 'denied' }),
    clock: '03:10',
    step: 'network',
    remedy: 'denied',
  },
  {
    is: 'no signal known',
    enrolment: confirmed,
    gateway: withModem({ signalDbm: null }),
    clock: '09:00',
    step: 'signal',
  },
  { is: 'all reached', enrolment: confirmed, gateway: gateway(), clock: '09:00', step: undefined },
]

it.each(cases)('stands at the right step, with what helps: $is', given => {
  const { clock, enrolment, remedy, step } = given
  const seen = { enrolment: enrolmentOf(enrolment), gateway: given.gateway, nowMs: Date.parse(at(clock)) }
  const steps = progressOf(seen)
  expect(steps.map(({ name }) => name)).toEqual(progressSteps)
  const now = steps.find(({ state }) => state === 'now')
  expect([now?.name, now?.remedy]).toEqual([step, remedy])
  const place = step === undefined ? steps.length : steps.findIndex(({ name }) => name === step)
  expect(steps.slice(0, place).every(({ state }) => state === 'done')).toBe(true)
  expect(steps.slice(place + 1).every(one => one.state === 'later' && one.at === null)).toBe(true)
})

it('knows the times of what the cloud has seen, and none of the modem', () => {
  const seen = { enrolment: enrolmentOf(confirmed), gateway: gateway(), nowMs: Date.parse(at('09:00')) }
  const times = progressOf(seen).map(step => step.at)
  expect(times).toEqual([at('00:00'), at('01:00'), at('02:00'), at('03:00'), null, null, null, null])
})

it('has reached a weak signal, and says what helps', () => {
  const seen = { enrolment: enrolmentOf(confirmed), gateway: withModem({ signalDbm: -100 }), nowMs: 0 }
  expect(progressOf(seen).at(-1)).toEqual({ name: 'signal', state: 'weak', at: null, remedy: 'weak' })
})
