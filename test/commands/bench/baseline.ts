// The baseline: the same hops, signatures, commits, fsyncs and one write to a virtual serial port, with bare libraries.

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { openPty } from '@callgate/simulator/pty'
import { realWorld } from '@callgate/world/real'
import type { Leg } from './figures.ts'

const nowMs = () => Number(process.hrtime.bigint()) / 1e6

/** Starts one of the baseline's processes, and reads the line of JSON with which it reports that it is ready. */
async function start(
  file: string,
  args: readonly string[],
): Promise<{ child: ChildProcess; ready: Record<string, number> }> {
  const path = fileURLToPath(new URL(file, import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', path, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface({ input: child.stdout })) return { child, ready: JSON.parse(line) }
  throw new Error(`${file} ended before it was ready`)
}

/** The baseline, ready for rounds. */
export interface Baseline {
  /** The legs of one round, in milliseconds. */
  round(): Promise<Leg>
  stop(): Promise<void>
}

export async function startBaseline(): Promise<Baseline> {
  const folder = await mkdtemp(join(tmpdir(), 'callgate-baseline-'))
  const opened = openPty(realWorld({ logLevel: 'silent' }))
  if (!opened.ok) throw new Error(opened.message)
  const { pty } = opened
  const cloud = await start('baselineCloud.ts', [join(folder, 'baseline.sqlite')])
  const args = [String(cloud.ready['mqttPort']), pty.path, join(folder, 'journal')]
  const gateway = await start('baselineGateway.ts', args)
  let dialledMs = 0
  let endedMs = 0
  pty.onBytes(() => {
    dialledMs = nowMs()
    // The modem's last line comes at once, because the length of the call is not measured.
    setImmediate(() => {
      endedMs = nowMs()
      pty.write(Buffer.from('BUSY\r\n'))
    })
  })
  return {
    async round() {
      const startMs = nowMs()
      const answer = await fetch(`http://127.0.0.1:${cloud.ready['httpPort']}/`, { method: 'POST' })
      await answer.text()
      return { toLine: dialledMs - startMs, toAnswer: nowMs() - endedMs }
    },
    async stop() {
      gateway.child.kill()
      cloud.child.kill()
      await pty.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
