import { describe, expect, it } from 'vitest'
import { gateModels } from './gateModels.ts'
import type { SimulatedGate } from './simulatedGates.ts'
import { openTerminal } from './terminal.kit.ts'

const phoneNumber = '+40722000001'
const own = '+40711111111'

async function open(gate: Omit<SimulatedGate, 'phoneNumber'>) {
  return openTerminal({ gates: [{ phoneNumber, ...gate }] })
}

type Terminal = Awaited<ReturnType<typeof open>>

const gateOf = ({ simulator }: Terminal) => simulator.state().gates[0]

/** Calls, waits, hangs up. */
async function ring(terminal: Terminal, dialled = `ATD${phoneNumber};`, forMs = 1000): Promise<void> {
  await terminal.say(dialled, forMs)
  await terminal.say('ATH', 100)
  await terminal.world.advance(200)
}

describe('gate modules', () => {
  it.each(Object.keys(gateModels) as (keyof typeof gateModels)[])(
    '%s opens for known callers and not for unknown ones',
    async model => {
      const known = await open({ farEnd: model, callers: [own] })
      await ring(known)
      expect(gateOf(known)).toMatchObject({ callsSeen: 1, relayCount: 1, otherRelayCount: 0 })
      const stranger = await open({ farEnd: model, callers: ['+40799999999'] })
      await ring(stranger)
      expect(gateOf(stranger)).toMatchObject({ callsSeen: 1, relayCount: 0, otherRelayCount: 0 })
    },
  )

  it('match 00 and + only where they compare the last digits', async () => {
    for (const [farEnd, relayCount] of [
      ['eldes_esim120', 1],
      ['jablotron_gd04', 0],
    ] as const) {
      const terminal = await open({ farEnd, callers: [`00${own.slice(1)}`] })
      await ring(terminal)
      expect(gateOf(terminal)).toMatchObject({ relayCount })
    }
  })

  it('Tell: a hidden caller moves output 2, which opens nothing', async () => {
    const terminal = await open({ farEnd: 'tell_gate_control_20', callers: [own] })
    await ring(terminal, `ATD${phoneNumber}I;`)
    expect(gateOf(terminal)).toMatchObject({ relayCount: 0, otherRelayCount: 1 })
  })

  it('Satel: nothing for a caller who hangs up within the programmed ring time', async () => {
    const terminal = await open({ farEnd: 'satel_gsm4' })
    await ring(terminal, `ATD${phoneNumber};`, 300)
    expect(gateOf(terminal)).toMatchObject({ callsSeen: 1, relayCount: 0 })
    const quick = await open({ farEnd: 'satel_gsm4', ringMs: 2000 })
    await ring(quick, `ATD${phoneNumber};`, 300)
    expect(gateOf(quick)).toMatchObject({ relayCount: 1 })
  })

  it('Advent with REJECT OPEN: rings when it activates, rejects when it deactivates', async () => {
    const terminal = await open({ farEnd: 'advent_a302_reject_open' })
    await ring(terminal)
    expect(gateOf(terminal)).toMatchObject({ relayOn: true })
    expect(await terminal.say(`ATD${phoneNumber};`, 1000)).toContain('BUSY')
    expect(gateOf(terminal)).toMatchObject({ relayOn: false, relayCount: 2 })
  })

  it('a pulse ends by itself after the programmed time', async () => {
    const terminal = await open({ farEnd: 'videx_gsm_activate', pulseMs: 8000 })
    await terminal.say(`ATD${phoneNumber};`, 1)
    await terminal.world.until(() => gateOf(terminal)?.relayOn === true)
    await terminal.world.advance(8000 / 40 - 1)
    expect(gateOf(terminal)).toMatchObject({ relayOn: true })
    await terminal.world.advance(2)
    expect(gateOf(terminal)).toMatchObject({ relayOn: false, relayCount: 1 })
  })

  it('wait for a caller who has to stay on the line', async () => {
    const terminal = await open({ farEnd: 'answer_hold_stay_2s' })
    await terminal.say(`ATD${phoneNumber};`, 1)
    await terminal.world.until(() => terminal.simulator.state().calls[0]?.outcome === 'answered')
    await terminal.say('ATH', 1000)
    expect(terminal.simulator.state().calls[0]?.outcome).toBe('hung_up')
    expect(gateOf(terminal)).toMatchObject({ callsSeen: 1, relayCount: 0 })
    await ring(terminal)
    expect(gateOf(terminal)).toMatchObject({ relayCount: 1 })
  })

  it('keep confirming, rejecting strangers and toggling as a gate was set up, whatever its far end becomes', async () => {
    const terminal = await open({
      farEnd: 'reject_no_carrier',
      callers: [own],
      relay: 'toggle',
      strangers: 'reject',
      confirmation: { by: 'sms', afterMs: 2000, text: 'DESCHIS' },
    })
    terminal.simulator.setPreset('reject_busy', phoneNumber)
    expect(await terminal.say(`ATD${phoneNumber};`, 1000)).toContain('+CMTI: "SM",1')
    expect(gateOf(terminal)).toMatchObject({ relay: 'toggle', relayOn: true })
    expect(await terminal.say(`ATD${phoneNumber}I;`, 1000)).toContain('BUSY')
    expect(gateOf(terminal)).toMatchObject({ callsSeen: 2, relayCount: 1 })
  })
})
