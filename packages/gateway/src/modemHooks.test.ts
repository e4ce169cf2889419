import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fakeWorld } from '@callgate/world/fake'
import { expect, it, onTestFinished } from 'vitest'
import { hooksIn, runModemHook } from './modemHooks.ts'
import { readYaml } from './yamlFile.ts'

it('runs a hook without a shell and returns whether it succeeded', async () => {
  const world = fakeWorld()
  const node = process.execPath
  const hooks = {
    reset: [node, '-e', 'process.exit(process.argv[1] === "$HOME;" ? 0 : 9)', '$HOME;'],
    pwrkey: [node, '-e', 'process.stderr.write("no such pin"); process.exit(1)'],
    supply: ['/no/such/program'],
  }
  expect(hooksIn(hooks)).toEqual(['pwrkey', 'reset', 'supply'])
  expect(hooksIn({ supply: ['x'] })).toEqual(['supply'])
  expect(await runModemHook(world, hooks, 'reset')).toBe(true)
  expect(world.lines).toEqual([])
  expect(await runModemHook(world, hooks, 'pwrkey')).toBe(false)
  expect(world.lines.at(-1)?.fields).toMatchObject({ hook: 'pwrkey', errors: 'no such pin' })
  expect(await runModemHook(world, hooks, 'supply')).toBe(false)
  expect(await runModemHook(world, {}, 'reset')).toBe(false)
})

/**
 * The arguments that each version of gpioset accepts by its manual gpioset(1). Each script exits with 1 for other arguments, and
 * writes the accepted ones to a file.
 */
const gpiosets = {
  1: `for arg do case "$arg" in
  --mode=time | --usec=*[0-9] | gpiochip[0-9] | [0-9]*=[01]) echo "$arg" ;; *) exit 1 ;;
esac; done`,
  2: `while [ $# -gt 0 ]; do case "$1" in
  --chip | --toggle) echo "$1 $2"; shift 2 ;; [0-9]*=[01]) echo "$1"; shift ;; *) exit 1 ;;
esac; done`,
}

it.each([1, 2] as const)('runs the reset command of the guide for version %d of gpioset', async version => {
  const guide = readFileSync(join(import.meta.dirname, '../../../deploy/pi/README.md'), 'utf8')
  const texts = [...guide.matchAll(/```yaml\n([^`]*modemHooks:[^`]*)```/g)].map(([, text = '']) => text)
  expect(texts).toHaveLength(2)
  const read = readYaml(texts[version - 1] ?? '')
  if (!read.ok) throw new Error('the example is no YAML')
  const { reset } = (read.value as { readonly modemHooks: { readonly reset: readonly string[] } }).modemHooks
  const folder = mkdtempSync(join(tmpdir(), 'callgate-hooks-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const program = join(folder, 'gpioset')
  const told = join(folder, 'told')
  writeFileSync(program, `#!/bin/sh\nexec > ${told}\n${gpiosets[version]}\n`, { mode: 0o755 })
  expect(reset[0]).toBe('gpioset')
  expect(await runModemHook(fakeWorld(), { reset: [program, ...reset.slice(1)] }, 'reset')).toBe(true)
  expect(readFileSync(told, 'utf8')).toContain('17=0')
  // The other version rejects the command.
  writeFileSync(program, `#!/bin/sh\n${gpiosets[version === 1 ? 2 : 1]}\n`, { mode: 0o755 })
  expect(await runModemHook(fakeWorld(), { reset: [program, ...reset.slice(1)] }, 'reset')).toBe(false)
})
