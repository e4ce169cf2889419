import { fakeWorld } from '@callgate/world/fake'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Control, startControl } from './control.ts'
import { allFaultNames } from './presets.ts'
import type { Simulator } from './simulator.ts'
import { phoneNumber, usualSimulator } from './usual.kit.ts'

describe('the control interface', () => {
  const world = fakeWorld()
  let simulator: Simulator
  let control: Control

  beforeEach(async () => {
    simulator = usualSimulator({ world })
    const started = await startControl({ world, simulator, port: 0 })
    if (!started.ok) throw new Error(started.message)
    control = started.control
  })

  afterEach(async () => {
    simulator.stop()
    await control.close()
  })

  async function ask(path: string, body?: string): Promise<{ status: number; body: unknown }> {
    const init = body === undefined ? {} : { method: 'POST', body }
    const response = await fetch(control.url + path, init)
    return { status: response.status, body: await response.json() }
  }

  it('reports what happened, with the wire', async () => {
    simulator.receive(Buffer.from(`ATE0\rATD${phoneNumber};\r`))
    await world.advance(1000)
    expect((await ask('/state')).body).toMatchObject({
      plugged: true,
      modem: { registered: true, calling: false },
      calls: [{ phoneNumber, outcome: 'rejected', atdText: `ATD${phoneNumber};`, relayFired: true }],
      gates: [{ phoneNumber, farEnd: 'reject_busy', relayCount: 1, callsSeen: 1 }],
      violations: 0,
      wire: expect.arrayContaining([
        expect.objectContaining({ direction: 'toModem', text: `ATD${phoneNumber};` }),
        expect.objectContaining({ direction: 'fromModem', text: 'BUSY', wallMs: expect.any(Number) }),
      ]),
    })
    expect((await ask('/wire')).body).toMatchObject({
      lines: simulator.wireLog(),
      nowMs: world.monotonicMs(),
    })
  })

  it('sets presets, adds gates, unplugs the cable', async () => {
    await ask('/preset', JSON.stringify({ preset: 'answer_hold', phoneNumber }))
    await ask('/preset', JSON.stringify({ preset: 'late_ok' }))
    await ask(
      '/gates',
      JSON.stringify({ phoneNumber: '+40722000002', farEnd: 'ring_forever', relay: 'toggle' }),
    )
    expect((await ask('/unplug', '')).body).toMatchObject({
      plugged: false,
      modem: { faults: ['late_ok'], power: 'off' },
      gates: [{ farEnd: 'answer_hold' }, { farEnd: 'ring_forever', relay: 'toggle' }],
    })
    expect((await ask('/plug', '')).body).toMatchObject({ plugged: true, modem: { power: 'booting' } })
  })

  it('accepts every fault by its name, including those of USSD codes and messages', async () => {
    for (const fault of allFaultNames) {
      expect((await ask('/faults', JSON.stringify({ faults: [fault] }))).status).toBe(200)
      expect((await ask('/preset', JSON.stringify({ preset: fault }))).status).toBe(200)
    }
    expect(allFaultNames).toContain('sms_lost_ok')
    expect(allFaultNames).toContain('ussd_late')
  })

  it('combines faults, calls, writes and restarts the modem', async () => {
    await ask('/faults', '{"faults": ["dup_urcs", "echo_on"]}')
    await ask('/message', '{"from": "+40722000001", "text": "Gate opened"}')
    await ask('/call', '{"callerNumber": "+40733333333", "patienceMs": 4000}')
    expect((await ask('/state')).body).toMatchObject({
      modem: { faults: ['dup_urcs', 'echo_on'], messages: 1, calling: true },
      incoming: [{ callerNumber: '+40733333333', outcome: 'ringing' }],
    })
    expect((await ask('/restart', '')).body).toMatchObject({
      modem: { power: 'booting' },
      incoming: [{ outcome: 'power_lost' }],
    })
  })

  it('names the wrong field, and what would be right', async () => {
    const { body } = await ask('/gates', '{"farEnd": "reject_busi", "relai": "pulse", "ringMs": -1}')
    expect(body).toEqual({
      error: {
        code: 'body_invalid',
        message: expect.stringMatching(
          /^phoneNumber is missing\nrelai is not known; known are phoneNumber, farEnd, .*\nfarEnd must be one of reject_busy.*\nringMs must be a whole number from 0 to 3600000$/,
        ),
      },
    })
  })

  it.each([
    ['/nothing', undefined, 404, 'not_found'],
    ['/state', '{}', 405, 'method_not_allowed'],
    ['/preset', '{', 400, 'body_invalid'],
    ['/preset', '[]', 400, 'body_invalid'],
    ['/preset', '{"preset": "constructor"}', 400, 'body_invalid'],
    ['/preset', '{"preset": "late_ok", "phoneNumber": "+40722000001"}', 400, 'preset_takes_no_number'],
    ['/preset', '{"preset": "bad_number", "phoneNumber": "+40799999999"}', 404, 'gate_unknown'],
    ['/gates', '{"phoneNumber": "; rm", "farEnd": "reject_busy"}', 400, 'body_invalid'],
    ['/gates', '{"phoneNumber": "+40722000002", "farEnd": "late_ok"}', 400, 'body_invalid'],
    ['/gates', `{"x": "${'x'.repeat(20_000)}"}`, 413, 'body_too_large'],
  ])('refuses %s %s', async (path, body, status, code) => {
    expect(await ask(path, body)).toMatchObject({
      status,
      body: { error: { code, message: expect.any(String) } },
    })
  })

  it('reports that its port is in use', async () => {
    const port = Number(new URL(control.url).port)
    expect(await startControl({ world, simulator, port })).toMatchObject({ ok: false, code: 'port_failed' })
  })
})
