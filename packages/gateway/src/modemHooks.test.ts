import { fakeWorld } from '@callgate/world/fake'
import { expect, it } from 'vitest'
import { hooksIn, runModemHook } from './modemHooks.ts'

it('runs a hook without a shell and answers whether it succeeded', async () => {
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
