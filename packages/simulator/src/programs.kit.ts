// Other people's programs, for tests: a program runs to its end, or the test is skipped where it is not installed.

import { spawn } from 'node:child_process'
import { once } from 'node:events'

export const programEnvironment = { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C' }

/** Runs another program to its end; undefined where it is not installed. */
export async function run(
  program: string,
  args: readonly string[],
  terminal: number | 'ignore' = 'ignore',
  environment: NodeJS.ProcessEnv = {},
) {
  const child = spawn(program, args, {
    stdio: [terminal, terminal === 'ignore' ? 'pipe' : terminal, 'pipe'],
    env: { ...programEnvironment, ...environment },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', chunk => {
      said += String(chunk)
    })
  const exited = once(child, 'close').catch(() => undefined)
  const code = await Promise.race([exited, once(child, 'error')])
  return typeof code?.[0] === 'number' ? { code: code[0], said } : undefined
}

type Run = Awaited<ReturnType<typeof run>>

/** Skips the test where the program could not be run. */
export function needed(
  context: { skip(condition: boolean, why: string): void },
  program: string,
  ran: Run,
): asserts ran is NonNullable<Run> {
  context.skip(ran === undefined, `${program} is not installed`)
}
