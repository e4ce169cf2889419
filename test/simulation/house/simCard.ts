// The SIM card of a gateway with its network, and the supply of its modem: their faults, and when these have an effect.

import type { ModemFaultName } from '@callgate/simulator/presets'
import type { Simulator } from '@callgate/simulator/simulator'
import type { FakeWorld } from '@callgate/world/fake'
import type { NetworkTrouble } from './backgroundPlan.ts'
import { phoneNumberOf } from './furnish.ts'

export interface SimCard {
  /** From now on USSD codes or messages have this fault. Undefined: they are answered. */
  setNetwork(trouble: NetworkTrouble | undefined): void
  /** Without credit, the network accepts no call. */
  setCredit(isGone: boolean): void
  setSupply(sags: boolean): void
  /** A message from somebody who is connected with no gate. */
  strangerWrites(): void
  /** The number of that gate sends a message just before the modem's next one. */
  gateWritesFirst(gate: number): void
  heal(): void
  /** The resulting faults for the modem. */
  faults(): readonly ModemFaultName[]
  /** Called with what the gateway writes, just before the modem reads it. */
  check(written: string): void
}

const readTroubles: readonly NetworkTrouble[] = ['sms_card_busy', 'sms_lost_read']

/** The commands of the gateway that meet the fault. */
function meets(trouble: NetworkTrouble): RegExp {
  if (trouble.startsWith('ussd')) return /^AT\+CUSD=1/
  return readTroubles.includes(trouble) ? /^AT\+CMGR=/ : /^AT\+CMGS=/
}

const strangersNumber = '+40733333333'

/** `tell` is called when `faults` have changed. */
export function createSimCard(
  world: FakeWorld,
  who: string,
  simulator: Simulator,
  tell: () => void,
): SimCard {
  const { gates } = simulator.state()
  let trouble: NetworkTrouble | undefined
  let hasCredit = true
  let sags = false
  let hasSagged = false
  /** The gate whose number sends a message just before the modem's next one. */
  let writesFirst: number | undefined

  const show = (effect: string, met: string) => world.log.debug(effect, { who, met: [met] })

  function setNetwork(next: NetworkTrouble | undefined) {
    trouble = next
    tell()
  }

  function setCredit(isGone: boolean) {
    hasCredit = !isGone
    for (const { farEnd, phoneNumber } of gates)
      simulator.setPreset(isGone ? 'no_credit_nocarrier_1s' : farEnd, phoneNumber)
  }

  function setSupply(next: boolean) {
    sags = next
    hasSagged = false
    tell()
  }

  return {
    setNetwork,
    setCredit,
    setSupply,
    strangerWrites() {
      world.log.info('a stranger writes', { who })
      simulator.sendMessage(strangersNumber, 'Where are you?')
    },
    gateWritesFirst(gate) {
      writesFirst = gate
    },
    heal() {
      setNetwork(undefined)
      if (!hasCredit) setCredit(false)
      setSupply(false)
      writesFirst = undefined
    },
    faults: () => [...(trouble ? [trouble] : []), ...(sags ? (['supply_sags'] as const) : [])],
    check(written) {
      if (trouble && meets(trouble).test(written))
        show('the network or its modem has trouble', `network: ${trouble}`)
      if (!hasCredit && /^ATD/.test(written)) show('it calls without credit', 'gateway without credit')
      if (sags && !hasSagged && /^AT\+CBC/.test(written) && simulator.state().modem.calling) {
        hasSagged = true
        show('its supply sags', 'supply sags')
      }
      if (writesFirst !== undefined && /^AT\+CMGS=/.test(written)) {
        show('the gate writes first', 'gate writes first')
        simulator.sendMessage(phoneNumberOf(writesFirst), 'Gate opened')
        writesFirst = undefined
      }
    },
  }
}
