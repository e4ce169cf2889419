import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { lstatSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { readCommand, setUpOf } from './commandOptions.ts'
import type { LogEntry } from './logFile.ts'
import type { Scenario } from './scenario.ts'

function setUp(args: readonly string[], scenario: Scenario) {
  const result = readCommand(args)
  if (!result.ok) throw new Error(result.text)
  return setUpOf(result.command, scenario)
}

describe('the command line', () => {
  it('reads gates, presets and the rest', () => {
    const args = ['--seed', '7', '--network', 'fast', '--registered', '--gate', '+40722000001=reject_busy']
    const more = ['--gate', '+40722000002=ring_forever', '--preset', 'late_ok', '--preset', 'dup_urcs']
    expect(setUp([...args, ...more, '--preset', 'bad_number', '--family', 'ec25', '--split'], {})).toEqual({
      seed: 7,
      baudRate: 115_200,
      network: 'fast',
      family: 'ec25',
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

  it('goes before the scenario, which goes before the usual', () => {
    const scenario = { seed: 3, baud: 9600, preset: 'congestion', faults: ['echo_on'] } as const
    expect(setUp(['--seed', '4', '--preset', 'late_ok'], scenario)).toMatchObject({
      seed: 4,
      baudRate: 9600,
      network: 'normal',
      preset: 'congestion',
      faults: ['echo_on', 'late_ok'],
    })
  })

  it('helps, with every preset and with examples', () => {
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

  it.each([
    [['--preset', 'nonsense'], 'reject_busy'],
    [['--gate', '+40722000001'], 'After the ='],
    [['--gate', '112=reject_busy'], 'must be like +40722000001'],
    [['--gate', '+40722000001=answer_hold', '--gate', '+40722000001=bad_number'], 'already'],
    [['--baud', 'fast'], 'whole number'],
    [['--network', 'slow'], 'normal, fast'],
    [['--family', 'nokia'], 'sim800, sim7600, a7672, ec25'],
    [['--sed', '1'], '--seed'],
    [['stray'], 'too many arguments'],
  ])('says what is wrong with %j', (args, text) => {
    expect(readCommand(args)).toMatchObject({ ok: false, exitCode: 1, text: expect.stringContaining(text) })
  })

  it('ends with 1 and says what is wrong with a scenario', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'simulator-'))
    const path = join(folder, 'nightly.json')
    writeFileSync(path, '{"sed": 1}')
    const main = fileURLToPath(new URL('./main.ts', import.meta.url))
    try {
      const child = spawn(process.execPath, ['--import', 'tsx', main, '--scenario', path])
      let said = ''
      child.stderr.on('data', chunk => {
        said += String(chunk)
      })
      expect(await once(child, 'close')).toEqual([1, null])
      expect(said).toMatch(
        /^simulator: the scenario .*nightly.json cannot be used:\nsed is not known; known are /,
      )
    } finally {
      rmSync(folder, { recursive: true })
    }
  }, 60_000)

  it('runs: one JSON line when ready, and nothing left behind after SIGTERM', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'simulator-'))
    const link = join(folder, 'modem-tty')
    const main = fileURLToPath(new URL('./main.ts', import.meta.url))
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', main, '--json', '--link', link, '--registered'],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    const exited = once(child, 'exit')
    try {
      const [line] = await once(createInterface(child.stdout), 'line')
      const ready: unknown = JSON.parse(String(line))
      expect(ready).toEqual({
        link,
        pts: expect.stringMatching(/^\/dev\/pts\/\d+$/),
        controlUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      })
      expect(lstatSync(link).isSymbolicLink()).toBe(true)
      child.kill('SIGTERM')
      expect(await exited).toEqual([0, null])
      expect(lstatSync(link, { throwIfNoEntry: false })).toBeUndefined()
    } finally {
      child.kill('SIGKILL')
      rmSync(folder, { recursive: true })
    }
  }, 60_000)

  it('has in its log what truly happened, also when it is killed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'simulator-'))
    const [link, log] = [join(folder, 'modem-tty'), join(folder, 'log')]
    const main = fileURLToPath(new URL('./main.ts', import.meta.url))
    const own = ['--json', '--link', link, '--log', log, '--registered', '--network', 'fast']
    const gate = ['--gate', '+40722000001=reject_busy']
    const child = spawn(process.execPath, ['--import', 'tsx', main, ...own, ...gate], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const exited = once(child, 'exit')
    try {
      await once(createInterface(child.stdout), 'line')
      writeFileSync(link, 'ATD+40722000001;\r')
      await expect.poll(() => readFileSync(log, 'utf8'), { timeout: 30_000 }).toContain('"relayFired":true')
      child.kill('SIGKILL')
      await exited
      const entries = readFileSync(log, 'utf8').trim().split('\n')
      const told = entries.map(line => JSON.parse(line) as LogEntry)
      expect(told).toContainEqual({
        kind: 'wire',
        line: expect.objectContaining({ direction: 'toModem', text: 'ATD+40722000001;' }),
      })
      const calls = told.flatMap(entry => (entry.kind === 'call' ? [entry.call] : []))
      expect(calls.at(0)).toMatchObject({ outcome: 'dialling', relayFired: false })
      expect(calls.find(call => call.relayFired)).toMatchObject({ callId: calls[0]?.callId })
    } finally {
      child.kill('SIGKILL')
      rmSync(folder, { recursive: true })
    }
  }, 60_000)
})
