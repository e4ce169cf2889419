// Explains the modem's status to an installer: one check for each possible problem.

import type { Trouble } from '@callgate/modem/modem'
import { quirksOf } from '@callgate/modem/quirks'
import { type Check, type Found, fail, named, ok, unknown, warn } from './check.ts'

/** The modem's status, from the daemon or from a direct query. */
export interface SeenModem {
  readonly state: string
  readonly trouble: string | null
  readonly model: string | null
  readonly firmware: string | null
  readonly lacks: readonly string[]
  readonly operator: string | null
  readonly registration: string
  readonly signalDbm: number | null
  readonly voltageMv: number | null
  /** The lowest voltage in the last call in which it was measured. */
  readonly lowestInCallMv: number | null
}

const supplyAdvice =
  'Give the modem a supply of its own that gives 2 A, with short thick wires and 1000 µF at its pins'

/** The families that packages/modem/docs/families.md describes. */
const knownModems = 'SIM800, SIM868, SIM900, SIM7500, SIM7600, A7670, A7672, A7680, EC21, EC25, EG25 or EG95'
const anotherModem = `Use another modem: ${knownModems}`

/** Faults of the modem itself, which leave everything else unknown. */
const lostFor: Partial<Readonly<Record<Trouble, readonly [says: string, advice: string]>>> = {
  port_missing: ['There is no port', 'Plug the modem in, and correct serialPort'],
  port_busy: [
    'Another program holds the port',
    'Stop that program, such as ModemManager or a terminal: see the line "port"',
  ],
  port_denied: ['This user may not open the port', 'Add the user to the group dialout, and log in again'],
  port_failed: ['The port cannot be opened', 'Unplug the modem and plug it in again'],
  silent: [
    'No modem answers',
    'Switch the modem on (PWRKEY). Look at its supply, at RX and TX (they cross) and at the common ground. If all of that is right, serialPort may name a wrong port',
  ],
  modem_off: [
    'The line carries only zeros: the modem is off',
    'Switch the modem on (PWRKEY), and look at its supply',
  ],
  call_list_missing: ['It does not list its calls (AT+CLCC), so no call can be followed', anotherModem],
  registration_missing: ['It does not say whether it is in the network (AT+CREG)', anotherModem],
}

const lackWords: Readonly<Record<string, string>> = {
  call_reports: 'reports of calls (it is asked instead)',
  call_causes: 'why a call ended',
  caller_id: 'whether gates see its number',
  callers: 'who rings, so no gate can confirm by calling back',
  messages: 'messages, so no gate can confirm by SMS',
}

function checkModel({ firmware, lacks, model, state, trouble }: SeenModem): Found {
  const [says, advice] = lostFor[trouble as Trouble] ?? []
  if (says !== undefined && advice !== undefined) return fail(says, advice)
  if (model === null)
    return state === 'sim_error'
      ? ok('It answers')
      : fail(
          'It has not answered whole yet',
          'Wait a minute and look again; if it stays so, take its power away and give it back',
        )
  const name = `${model}${firmware === null ? '' : `, firmware ${firmware}`}`
  if (lacks.length === 0) return ok(name)
  const missing = lacks.map(lack => lackWords[lack] ?? lack).join('; ')
  return warn(
    `${name}. It does not tell: ${missing}`,
    `It works without. One of these tells more: ${knownModems}`,
  )
}

const simFor: Partial<Readonly<Record<Trouble, readonly [says: string, advice: string]>>> = {
  sim_missing: ['There is no SIM card', 'Switch the modem off, put the card in, and switch it on'],
  sim_failure: ['The SIM card does not become ready', 'Clean its contacts, or try it in a phone'],
  sim_puk: [
    'The SIM card is locked and wants its PUK',
    'Put it into a phone and enter the PUK of the operator',
  ],
}

function checkSim({ trouble }: SeenModem): Found {
  const [says, advice] = simFor[trouble as Trouble] ?? []
  return says !== undefined && advice !== undefined ? fail(says, advice) : ok('It is there')
}

/** Checks the PIN. The doctor never enters one, because a third refusal locks the card. */
function checkPin({ trouble }: SeenModem, hasPin: boolean, isDaemon: boolean): Found {
  switch (trouble) {
    case 'pin_missing':
      return hasPin && !isDaemon
        ? unknown(
            'The card asks for its PIN. The configuration has one, which only the daemon enters',
            'Start the daemon (systemctl start callgate-gateway) and look again',
          )
        : fail(
            'The card asks for its PIN and the configuration has none',
            'Write its PIN into the configuration, as in simPin: "1234", and restart the daemon; or take the PIN off in a phone',
          )
    case 'pin_refused':
      return fail(
        'The card has refused simPin, which is not tried again',
        'Correct simPin, and restart the daemon',
      )
    case 'pin_tries':
      return fail(
        'The card has too few tries left, or does not say how many',
        'Enter the PIN in a phone, or take it off there',
      )
    case 'sim_missing':
    case 'sim_failure':
    case 'sim_puk':
      return unknown('The card cannot be asked')
    default:
      return ok(hasPin ? 'The card is open' : 'The card wants none')
  }
}

function checkNetwork({ registration, trouble }: SeenModem): Found {
  if (trouble === 'data_only')
    return fail(
      'The network takes the modem for data alone: no call is possible',
      'Ask the operator for calls over LTE (VoLTE), or use 2G',
    )
  switch (registration) {
    case 'home':
      return ok('It is in its home network')
    case 'roaming':
      return warn(
        'It is roaming',
        'Each call may cost more: ask the operator, or use a SIM card of this country',
      )
    case 'denied':
      return fail(
        'The network turns the SIM card away',
        'Ask the operator whether the card is active and may make calls',
      )
    case 'searching':
      return fail(
        'It is looking for a network',
        'Wait a minute; look at the antenna, and whether the operator still has 2G here',
      )
    default:
      return fail('It is in no network', 'Look at the antenna, and whether the operator still has 2G here')
  }
}

/**
 * Calls are likely to fail below the first limit, and may fail in bad weather below the second. A modem reports -113 to -51 dBm.
 */
const weakDbm = -101
const poorDbm = -93

function checkSignal({ signalDbm }: SeenModem): Found {
  if (signalDbm === null)
    return unknown('The modem does not know it yet', 'Look at the antenna if it stays so')
  const advice = 'Put the antenna higher, outside of metal, a metre away from the Pi'
  if (signalDbm <= weakDbm) return fail(`${signalDbm} dBm is too weak for calls`, advice)
  return signalDbm <= poorDbm ? warn(`${signalDbm} dBm is poor`, advice) : ok(`${signalDbm} dBm`)
}

/**
 * A SIM800 needs 3.4 to 4.4 V (packages/modem/docs/sim800.md). It reports a mean, which falls further in a burst of transmission,
 * so a reserve is needed. Millivolts.
 */
const leastMv = 3_500
const poorInCallMv = 3_600
const mostMv = 4_400

const inVolts = (mv: number) => `${(mv / 1_000).toFixed(2)} V`

/** Words the lowest voltage while the modem transmits, or why it is unknown. */
function sayUnderLoad({ lowestInCallMv, model }: SeenModem, isDaemon: boolean): string {
  if (lowestInCallMv !== null) return `lowest in the last call that was measured: ${inVolts(lowestInCallMv)}`
  if (quirksOf(model).pollMs === null)
    return 'in a call this model is not asked, so measure at its pins there'
  return isDaemon
    ? 'how low it gets in a call is known after the first one'
    : 'how low it gets in a call is known after one, while the daemon runs'
}

function checkVoltage(seen: SeenModem, isDaemon: boolean): Found {
  const { lowestInCallMv, trouble, voltageMv } = seen
  if (trouble === 'brownout')
    return fail('The supply broke down in the last call, or the modem warned of it', supplyAdvice)
  if (voltageMv === null)
    return unknown(
      'The modem has not told it (AT+CBC), so nobody can tell how low it gets in a call',
      'Look again in a minute. Some modems never tell it: then measure at its pins while it calls, 3.6 V or more',
    )
  const volts = `${inVolts(voltageMv)} without a call`
  if (voltageMv < leastMv) return fail(`${volts} is too low`, supplyAdvice)
  const both = `${volts}; ${sayUnderLoad(seen, isDaemon)}`
  if (lowestInCallMv !== null && lowestInCallMv < leastMv) return fail(`${both}, too low`, supplyAdvice)
  if (lowestInCallMv !== null && lowestInCallMv < poorInCallMv)
    return warn(`${both}, with little to spare`, supplyAdvice)
  if (voltageMv > mostMv)
    return warn(`${volts} is high for a SIM800, which wants 3.4 to 4.4 V`, 'Measure at its pins')
  return ok(both)
}

function checkCallerId({ lacks, trouble }: SeenModem): Found {
  if (trouble === 'caller_id_hidden')
    return fail(
      'The network never shows the number of this SIM card, so no gate can recognise it',
      'Ask the operator to show it (CLIR off)',
    )
  return lacks.includes('caller_id')
    ? unknown('The modem does not tell', 'Call a phone with it once, and look at the number there')
    : ok('Gates see the number of this SIM card')
}

const later = ['SIM card', 'PIN', 'network', 'operator', 'signal', 'voltage', 'caller number'] as const

/** Makes one check for each aspect. `hasPin`: the configuration has a PIN; `isDaemon`: the status comes from the daemon. */
export function modemChecks(
  seen: SeenModem,
  { hasPin, isDaemon }: { readonly hasPin: boolean; readonly isDaemon: boolean },
): readonly Check[] {
  const model = checkModel(seen)
  if (model.state === 'fail')
    return [named('modem', model), ...later.map(name => named(name, unknown('The modem cannot be asked')))]
  const sim = checkSim(seen)
  const pin = checkPin(seen, hasPin, isDaemon)
  const first = [named('modem', model), named('SIM card', sim), named('PIN', pin)]
  if (sim.state !== 'ok' || pin.state !== 'ok')
    return [
      ...first,
      ...later.slice(2).map(name => named(name, unknown('It is known when the SIM card can be used'))),
    ]
  const storage =
    seen.trouble === 'messages_full'
      ? [
          named(
            'messages',
            warn(
              'The SIM card stores no more messages, so no gate can confirm by one',
              'Delete messages in a phone',
            ),
          ),
        ]
      : []
  return [
    ...first,
    named('network', checkNetwork(seen)),
    named('operator', seen.operator === null ? unknown('The modem does not know it yet') : ok(seen.operator)),
    named('signal', checkSignal(seen)),
    named('voltage', checkVoltage(seen, isDaemon)),
    named('caller number', checkCallerId(seen)),
    ...storage,
  ]
}
