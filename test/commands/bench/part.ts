// A part of the benchmarks: its measurement and its output.

import { type DemoProcess, startDemo } from '../../processes/endToEnd/demoProcess.ts'
import type { NoteAim } from './aims.ts'

export type Say = (text: string) => void

export interface BenchPart {
  /** For the help: the measurement and the argument. */
  readonly what: string
  readonly argument?: { readonly name: string; readonly usual: string | undefined; readonly what: string }
  /** Records the figures with an aim. Returns false where a limit is missed that this machine can test. */
  run(say: Say, argument: string | undefined, note: NoteAim): Promise<boolean | undefined>
}

export const ratio = (ours: number, baseline: number) => `${(ours / baseline).toFixed(2)} ×`

/** Runs `work` on a demo of its own. */
export async function onDemo<T>(
  work: (demo: DemoProcess) => Promise<T>,
  environment: Readonly<Record<string, string>> = {},
): Promise<T> {
  const demo = await startDemo({ environment })
  try {
    return await work(demo)
  } finally {
    await demo.remove()
  }
}
