// The demo as a process of its own, for tests and benchmarks with the real parts.

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SimulatorState } from '@callgate/simulator/simulatorState'
import type { ReadyFacts } from '../../../packages/demo/src/message.ts'

const top = new URL('../../../', import.meta.url).pathname

export interface DemoProcess {
  readonly ready: ReadyFacts
  readonly dataFolder: string
  /** The output of the demo. */
  printed(): string
  /** One call of the REST API, with the demo's key or another. */
  call(
    method: string,
    path: string,
    body?: unknown,
    apiKey?: string,
  ): Promise<{ status: number; body: unknown }>
  /** What the simulator itself reports. */
  truth(): Promise<SimulatorState>
  /** Sends SIGINT, as Ctrl-C does, and waits for the exit code. */
  stop(): Promise<number | null>
  /** Stops it and removes its data. */
  remove(): Promise<void>
}

/** Runs one command of the repository to its end. */
export function runCommand(args: readonly string[], environment: Record<string, string> = {}) {
  return new Promise<{ code: number | null; stdout: string; stderr: string }>(resolve => {
    const child = spawn(process.execPath, ['--import', 'tsx', ...args], {
      cwd: top,
      env: { ...process.env, ...environment },
    })
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', chunk => {
      stdout += chunk
    })
    child.stderr.on('data', chunk => {
      stderr += chunk
    })
    child.once('close', code => resolve({ code, stdout, stderr }))
  })
}

/** Makes calls of the REST API at `baseUrl`, with the usual key or another. */
export const callerOf =
  (baseUrl: string, usualKey: string): DemoProcess['call'] =>
  async (method, path, body, apiKey = usualKey) => {
    const headers: Record<string, string> = { authorization: `Bearer ${apiKey}` }
    if (body !== undefined) headers['content-type'] = 'application/json'
    const init: RequestInit = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
    const response = await fetch(`${baseUrl}${path}`, init)
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : (JSON.parse(text) as unknown) }
  }

async function untilReady(child: ChildProcess, printed: () => string): Promise<void> {
  let ended = false
  child.once('exit', () => {
    ended = true
  })
  while (!printed().includes('Ready after')) {
    if (ended) throw new Error(`the demo ended before it was ready:\n${printed()}`)
    await new Promise(resolve => child.stdout?.once('data', resolve) && child.once('exit', resolve))
  }
}

/** Starts the demo on the fast network, with its data in a folder of its own or in `dataFolder`. */
export async function startDemo(
  given: {
    dataFolder?: string
    args?: readonly string[]
    environment?: Readonly<Record<string, string>>
    /** The checkout whose demo it is; else this one. */
    checkout?: string
  } = {},
): Promise<DemoProcess> {
  const dataFolder = given.dataFolder ?? (await mkdtemp(join(tmpdir(), 'callgate-')))
  const args = given.args ?? ['--network', 'fast']
  const child = spawn(process.execPath, ['--import', 'tsx', 'packages/demo/src/main.ts', ...args], {
    cwd: given.checkout ?? top,
    env: { ...process.env, ...given.environment, CALLGATE_DATA: dataFolder },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', chunk => {
      output += chunk
    })
  const exited = new Promise<number | null>(resolve => child.once('exit', resolve))
  await untilReady(child, () => output)
  const ready = await readReady(join(dataFolder, 'ready.json'))

  async function stop() {
    if (child.exitCode === null) child.kill('SIGINT')
    return exited
  }
  return {
    ready,
    dataFolder,
    printed: () => output,
    call: callerOf(ready.baseUrl, ready.apiKey),
    async truth() {
      const response = await fetch(`${ready.simulatorUrl}/state`)
      return (await response.json()) as SimulatorState
    },
    stop,
    async remove() {
      await stop()
      await rm(dataFolder, { recursive: true, force: true })
    },
  }
}

/** ready.json is written last, just after the demo reports that it is ready. */
async function readReady(path: string): Promise<ReadyFacts> {
  for (;;) {
    const text = await readFile(path, 'utf8').catch(() => undefined)
    if (text !== undefined) return JSON.parse(text) as ReadyFacts
    await new Promise(resolve => setImmediate(resolve))
  }
}
