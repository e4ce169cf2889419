// What is left of a walk that ends by a signal, and of one that was killed.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { makeFolder, removeEarlierWalks } from './leftovers.ts'

const leftovers = fileURLToPath(new URL('leftovers.ts', import.meta.url))

/** A walk that has made its folder and started a program. */
async function walk(): Promise<{ child: ChildProcess; folder: string; program: number }> {
  const text = `
    const { spawn } = await import('node:child_process')
    const { makeFolder, removeAtEnd } = await import(${JSON.stringify(leftovers)})
    removeAtEnd()
    const folder = makeFolder('test')
    console.log(JSON.stringify({ folder, program: spawn('sleep', ['600']).pid }))`
  const args = ['--import', 'tsx', '--input-type=module', '-e', text]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [line] = await once(child.stdout, 'data')
  return { child, ...JSON.parse(String(line)) }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

it.each([
  ['SIGTERM', 143],
  ['SIGINT', 130],
] as const)('removes all of a walk at %s', async (signal, code) => {
  const { child, folder, program } = await walk()
  expect(existsSync(folder)).toBe(true)
  child.kill(signal)
  expect(await once(child, 'exit')).toEqual([code, null])
  expect(existsSync(folder)).toBe(false)
  await expect.poll(() => isAlive(program)).toBe(false)
})

it('removes what a killed walk has left, and nothing of a walk that goes on', async () => {
  const [killed, going] = await Promise.all([walk(), walk()])
  const own = makeFolder('test')
  killed.child.kill('SIGKILL')
  await once(killed.child, 'exit')
  process.kill(killed.program)
  removeEarlierWalks()
  expect([killed, going].map(({ folder }) => existsSync(folder))).toEqual([false, true])
  expect(existsSync(own)).toBe(true)
  going.child.kill()
  await once(going.child, 'exit')
  rmSync(own, { recursive: true })
})
