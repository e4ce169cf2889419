import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { lstatSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { fullVersion } from '@callgate/world/version'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readCommand, setUpOf } from './commandOptions.ts'
import type { LogEntry } from './logFile.ts'
import type { Scenario } from './scenario.ts'

function setUp(args: readonly string[], scenario: Scenario) {
  const result = readCommand(args)
  if (!result.ok) throw new Error(result.text)
  return setUpOf(result.command, scenario)
}

describe('the command line', () => {
  it('reads gates, presets and other options', () => {
    const args = ['--seed', '7', '--network', 'fast', '--registered', '--gate', '+40722000001=reject_busy']
    const more = ['--gate', '+40722000002=ring_forever', '--preset', 'late_ok', '--preset', 'dup_urcs']
    expect(setUp([...args, ...more, '--preset', 'bad_number', '--model', 'ec25', '--split'], {})).toEqual({
      seed: 7,
      baudRate: 115_200,
      network: 'fast',
      model: 'ec25',
      registered: true,
      number: '+40711111111',
      splits: true,
      codes: false,
      preset: 'bad_number',
      faults: ['late_ok', 'dup_urcs'],
      gates: [
        { phoneNumber: '+40722000001', farEnd: 'reject_busy' },
        { phoneNumber: '+40722000002', farEnd: 'ring_forever' },
      ],
    })
  })

  it('takes precedence over the scenario, which takes precedence over the defaults', () => {
    const scenario = { seed: 3, baud: 9600, preset: 'congestion', faults: ['echo_on'] } as const
    expect(setUp(['--seed', '4', '--preset', 'late_ok'], scenario)).toMatchObject({
      seed: 4,
      baudRate: 9600,
      network: 'normal',
      preset: 'congestion',
      faults: ['echo_on', 'late_ok'],
    })
  })

  it('prints help with every preset and with examples', () => {
    const help = readCommand(['--help'])
    expect(help).toMatchObject({ ok: false, exitCode: 0 })
    for (const part of [
      '--link',
      '--scenario',
      'satel_gsm4',
      '101 reject_busy',
      '503 no_dialtone',
      'ec25',
      'brownout_on_tx',
      'reject_delayed_20s',
      'Examples:',
    ])
      expect(help).toMatchObject({ text: expect.stringContaining(part) })
  })

  it('prints its version', () => {
    expect(readCommand(['--version'])).toEqual({ ok: false, exitCode: 0, text: `${fullVersion}\n` })
  })

  it.each([
    [['--preset', 'nonsense'], 'reject_busy'],
    [['--gate', '+40722000001'], 'After the ='],
    [['--gate', '112=reject_busy'], 'must be like +40722000001'],
    [['--gate', '+40722000001=answer_hold', '--gate', '+40722000001=bad_number'], 'already'],
    [['--baud', 'fast'], 'whole number'],
    [['--network', 'slow'], 'normal, fast'],
    [
      ['--model', 'nokia'],
      'sim800, sim7600, a7672, ec25, standard, sim800c, sim868, sim900, sim7500, a7670, a7680, ec21, eg25, eg95, listless',
    ],
    [['--sed', '1'], '--seed'],
    [['start', '--registered'], "unknown command 'start'. The simulator has options alone"],
  ])('reports what is wrong with %j', (args, text) => {
    expect(readCommand(args)).toMatchObject({ ok: false, exitCode: 1, text: expect.stringContaining(text) })
  })
})

describe('the program', () => {
  const main = fileURLToPath(new URL('./main.ts', import.meta.url))
  let folder = ''
  let running: ChildProcess | undefined

  function start(...args: readonly string[]) {
    const child = spawn(process.execPath, ['--import', 'tsx', main, ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    running = child
    return { child, exited: once(child, 'exit'), ready: once(createInterface(child.stdout), 'line') }
  }

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'simulator-'))
  })
  afterEach(() => {
    running?.kill('SIGKILL')
    rmSync(folder, { recursive: true })
  })

  it('ends with 1 and reports what is wrong with a scenario', async () => {
    const path = join(folder, 'nightly.json')
    writeFileSync(path, '{"sed": 1}')
    const run = promisify(execFile)
    await expect(run(process.execPath, ['--import', 'tsx', main, '--scenario', path])).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^simulator: the scenario .*nightly.json cannot be used:\nsed is not known; known are /,
      ),
    })
  })

  it('prints one JSON line when it is ready, and leaves nothing behind after SIGTERM', async () => {
    const link = join(folder, 'modem-tty')
    const { child, exited, ready } = start('--json', '--link', link, '--registered')
    const [line] = await ready
    const facts: unknown = JSON.parse(String(line))
    expect(facts).toEqual({
      link,
      pts: expect.stringMatching(/^\/dev\/pts\/\d+$/),
      controlUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    })
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
    child.kill('SIGTERM')
    expect(await exited).toEqual([0, null])
    expect(lstatSync(link, { throwIfNoEntry: false })).toBeUndefined()
  })

  it('logs what really happened, even when it is killed', async () => {
    const [link, log] = [join(folder, 'modem-tty'), join(folder, 'log')]
    const own = ['--json', '--link', link, '--log', log, '--registered', '--network', 'fast']
    const { child, exited, ready } = start(...own, '--gate', '+40722000001=reject_busy')
    await ready
    writeFileSync(link, 'ATD+40722000001;\r')
    await expect.poll(() => readFileSync(log, 'utf8'), { timeout: 30_000 }).toContain('"relayFired":true')
    writeFileSync(link, 'ATD08;\r')
    await expect.poll(() => readFileSync(log, 'utf8'), { timeout: 30_000 }).toContain('bad_dial_string')
    child.kill('SIGKILL')
    await exited
    const entries = readFileSync(log, 'utf8').trim().split('\n')
    const told = entries.map(line => JSON.parse(line) as LogEntry)
    expect(told).toContainEqual({
      kind: 'wire',
      line: expect.objectContaining({ direction: 'toModem', text: 'ATD+40722000001;' }),
    })
    expect(told).toContainEqual({
      kind: 'violation',
      violation: { violation: 'bad_dial_string', text: 'ATD08;', atMs: expect.any(Number) },
    })
    const calls = told.flatMap(entry => (entry.kind === 'call' ? [entry.call] : []))
    expect(calls.at(0)).toMatchObject({ outcome: 'dialling', relayFired: false })
    expect(calls.find(call => call.relayFired)).toMatchObject({ callId: calls[0]?.callId })
  })
})
