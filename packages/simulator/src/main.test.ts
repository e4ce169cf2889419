import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { lstatSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { readCommand } from './commandOptions.ts'

describe('the command line', () => {
  it('reads gates, presets and the rest', () => {
    const args = ['--seed', '7', '--network', 'fast', '--registered', '--gate', '+40722000001=reject_busy']
    expect(readCommand([...args, '--gate', '+40722000002=ring_forever'])).toMatchObject({
      ok: true,
      command: {
        seed: 7,
        baud: 115_200,
        network: 'fast',
        registered: true,
        json: false,
        gate: [
          { phoneNumber: '+40722000001', farEnd: 'reject_busy' },
          { phoneNumber: '+40722000002', farEnd: 'ring_forever' },
        ],
      },
    })
  })

  it('helps, with every preset and with examples', () => {
    const help = readCommand(['--help'])
    expect(help).toMatchObject({ ok: false, exitCode: 0 })
    for (const part of ['--link', 'brownout_on_tx', 'reject_delayed_20s', 'Examples:'])
      expect(help).toMatchObject({ text: expect.stringContaining(part) })
  })

  it.each([
    [['--preset', 'nonsense'], 'reject_busy'],
    [['--gate', '+40722000001'], 'After the ='],
    [['--gate', '112=reject_busy'], 'must be like +40722000001'],
    [['--baud', 'fast'], 'whole number'],
    [['--network', 'slow'], 'normal, fast'],
    [['--sed', '1'], '--seed'],
    [['stray'], 'too many arguments'],
  ])('says what is wrong with %j', (args, text) => {
    expect(readCommand(args)).toMatchObject({ ok: false, exitCode: 1, text: expect.stringContaining(text) })
  })

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
})
