import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { fakeWorld } from '@callgate/world/fake'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { actions } from './actions.ts'
import { isPresetName } from './presets.ts'
import { playSteps, readScenario, type Scenario } from './scenario.ts'
import { phoneNumber, usualSimulator } from './usual.kit.ts'

const docs = fileURLToPath(new URL('../docs/', import.meta.url))

function scenarioOf(value: unknown): Scenario {
  const result = readScenario(JSON.stringify(value))
  if (!result.ok) throw new Error(result.message)
  return result.value
}

function play(scenario: Scenario) {
  const world = fakeWorld()
  const simulator = usualSimulator({ world, gates: scenario.gates ?? [], faults: scenario.faults ?? [] })
  playSteps(world, simulator, scenario.steps ?? [])
  return { world, simulator }
}

describe('a scenario', () => {
  it('runs by the clock and by the calls', async () => {
    const { world, simulator } = play(
      scenarioOf({
        gates: [{ phoneNumber, farEnd: 'reject_busy' }],
        faults: ['echo_on'],
        steps: [
          { atMs: 100, do: 'faults', faults: [] },
          { atMs: 200, do: 'message', from: phoneNumber, text: 'hello' },
          { onCall: 1, afterMs: 1000, do: 'preset', preset: 'bad_number', phoneNumber },
          { onCall: 2, afterMs: 20, do: 'unplug' },
          { onCall: 2, afterMs: 500, do: 'plug' },
          { atMs: 300, do: 'preset', preset: 'bad_number', phoneNumber: '+40799999999' },
        ],
      }),
    )
    expect(simulator.state().modem.faults).toEqual(['echo_on'])
    await world.advance(150)
    expect(simulator.state().modem.faults).toEqual([])
    await world.advance(250)
    expect(simulator.state().modem.messages).toBe(1)
    expect(world.lines).toMatchObject([
      { level: 'error', fields: { step: 5, code: 'gate_unknown', why: expect.any(String) } },
    ])
    simulator.receive(Buffer.from(`ATD${phoneNumber};\r`))
    await world.advance(900)
    expect(simulator.state().gates).toMatchObject([{ relayCount: 1, farEnd: 'reject_busy' }])
    await world.advance(200)
    expect(simulator.state().gates).toMatchObject([{ farEnd: 'bad_number' }])
    simulator.receive(Buffer.from(`ATD${phoneNumber};\r`))
    await world.advance(100)
    expect(simulator.state().plugged).toBe(false)
    await world.advance(500)
    expect(simulator.state()).toMatchObject({ plugged: true, calls: [{}, { outcome: 'power_lost' }] })
  })

  it.each([
    ['{', /^it is no JSON: /],
    ['[]', /^the whole must be an object$/],
    ['{"sed": 1}', /^sed is not known; known are description, seed, /],
    ['{"seed": 1.5}', /^seed must be a whole number from 0 to 4294967295$/],
    [
      '{"model": "nokia"}',
      /^model must be one of sim800, sim7600, a7672, ec25, standard, sim800c, sim868, sim900, sim7500, a7670, a7680, ec21, eg25, eg95, listless$/,
    ],
    ['{"faults": ["reject_busy"]}', /^faults\[0\] must be one of healthy, /],
    [
      '{"gates": [{"phoneNumber": "x", "farEnd": "reject_busy"}]}',
      /^gates\[0\].phoneNumber must be a number as it is dialled, like /,
    ],
    [
      '{"gates": [{"phoneNumber": "0722000001", "farEnd": "reject_busy"}]}',
      /^gates\[0\].phoneNumber must be a number as it is dialled, like /,
    ],
    [
      '{"gates": [{"phoneNumber": "+40722000001", "farEnd": "answer_hold", "strangers": "reject"}]}',
      /^gates\[0\].strangers goes with callers/,
    ],
    [
      '{"gates": [{"phoneNumber": "+40722000001", "farEnd": "answer_hold", "relay": "toggle", "pulseMs": 1}]}',
      /^gates\[0\].pulseMs goes with relay pulse/,
    ],
    [
      '{"steps": [{"atMs": 1, "do": "gates", "phoneNumber": "+40722000001", "farEnd": "answer_hold", "confirmation": {"by": "call", "afterMs": 1, "text": "x"}}]}',
      /^steps\[0\].confirmation.text goes with by sms/,
    ],
    [
      '{"gates": [{"phoneNumber": "+40722000001", "farEnd": "answer_hold"}, {"phoneNumber": "+40722000001", "farEnd": "bad_number"}]}',
      /^gates have two of one number: \+40722000001$/,
    ],
    [
      '{"steps": [{"atMs": 1, "do": "preset", "preset": "late_ok", "phoneNumber": "+40722000001"}]}',
      /^steps\[0\].phoneNumber goes with a far end: late_ok is a fault/,
    ],
    ['{"gates": {}}', /^gates must be a list of at most 1000$/],
    ['{"steps": [{"do": "plug"}]}', /^steps\[0\] must have atMs, or onCall/],
    ['{"steps": [{"atMs": 1, "onCall": 1, "do": "plug"}]}', /^steps\[0\] must have atMs, or onCall/],
    ['{"steps": [{"atMs": 1, "afterMs": 1, "do": "plug"}]}', /^steps\[0\].afterMs goes with onCall/],
    ['{"steps": [{"atMs": 1, "do": "explode"}]}', /^steps\[0\].do must be one of preset, faults, /],
    [
      '{"steps": [{"atMs": 1, "do": "plug", "hard": true}]}',
      /^steps\[0\].hard is not known; known are do, atMs, onCall, afterMs$/,
    ],
    ['{"steps": [{"atMs": 1, "do": "preset"}]}', /^steps\[0\].preset is missing$/],
  ])('is refused when it is %s', (json, message) => {
    expect(readScenario(json)).toEqual({ ok: false, message: expect.stringMatching(message) })
  })

  it.each(['[1]', '[null]', '[[]]'])('refuses steps that are %s', steps => {
    expect(readScenario(`{"steps": ${steps}}`)).toEqual({ ok: false, message: 'steps[0] must be an object' })
  })

  it('is refused with a readable text, whatever JSON it is', () => {
    const name = fc.constantFrom(
      'seed',
      'gates',
      'steps',
      'do',
      'atMs',
      'phoneNumber',
      '__proto__',
      'constructor',
    )
    const { any } = fc.letrec(tie => ({
      any: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom(null, true, 1.5, 7, 'gates', 'plug', '+40722000001'),
        fc.array(tie('any'), { maxLength: 3 }),
        fc.array(fc.tuple(name, tie('any')), { maxLength: 3 }).map(entries => Object.fromEntries(entries)),
      ),
    }))
    const line =
      /^[\w.[\]]+ (is missing|is not known; known are .+|must (be|have) .+|goes with .+)$|^the whole must be an object$/
    fc.assert(
      fc.property(any, value => {
        const read = readScenario(JSON.stringify(value))
        if (!read.ok) for (const each of read.message.split('\n')) expect(each).toMatch(line)
      }),
      { seed: 13, numRuns: 500 },
    )
  })

  it('reports everything that is wrong at once', () => {
    const result = readScenario('{"seed": -1, "split": 1, "gates": [{}]}')
    expect(result.ok || result.message.split('\n')).toEqual([
      'seed must be a whole number from 0 to 4294967295',
      'split must be true or false',
      'gates[0].phoneNumber is missing',
      'gates[0].farEnd is missing',
    ])
  })
})

describe('the documentation', () => {
  const files = readdirSync(docs)

  it.each(files.filter(name => name.endsWith('.json')))('%s is a scenario', name => {
    expect(readScenario(readFileSync(docs + name, 'utf8'))).toMatchObject({ ok: true })
  })

  const pages = files.filter(name => name.endsWith('.md')).map(name => readFileSync(docs + name, 'utf8'))

  it('names presets that exist', () => {
    const words = pages.flatMap(page => [...page.matchAll(/`([a-z0-9]+(?:_[a-z0-9]+)+)`/g)])
    const outcomes = ['network_ended', 'hung_up', 'power_lost']
    const names = words.map(([, word = '']) => word).filter(word => !outcomes.includes(word))
    expect(names.length).toBeGreaterThan(15)
    expect(names.filter(name => !isPresetName(name))).toEqual([])
  })

  it('names every action of the control interface, and no other', () => {
    const paths = pages.flatMap(page => [...page.matchAll(/`POST \/(\w+)`/g)]).map(([, path]) => path)
    expect([...new Set(paths)].sort()).toEqual(Object.keys(actions).sort())
  })

  it('shows scenarios that can be read', () => {
    const text = readFileSync(`${docs}scenarios.md`, 'utf8')
    const examples = [...text.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json = '']) => json)
    expect(examples.length).toBeGreaterThan(0)
    for (const json of examples) expect(readScenario(json)).toMatchObject({ ok: true })
  })

  it('brownout.json does what it describes', async () => {
    const scenario = readScenario(readFileSync(`${docs}brownout.json`, 'utf8'))
    if (!scenario.ok) throw new Error(scenario.message)
    const { world, simulator } = play(scenario.value)
    simulator.receive(Buffer.from(`ATD${phoneNumber};\r`))
    await world.advance(1000)
    simulator.receive(Buffer.from(`ATD${phoneNumber};\r`))
    await world.advance(2000)
    expect(simulator.state()).toMatchObject({
      calls: [
        { outcome: 'power_lost', relayFired: false },
        { outcome: 'rejected', relayFired: true },
      ],
      gates: [{ relayCount: 1 }],
    })
  })
})
