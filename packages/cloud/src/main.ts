// `callgate`: the operator's command line as a process.

import { trustMachine } from '@callgate/world/machineTrust'
import { operatorFiles, type UserSwitch } from './backup/operatorFiles.ts'
import { runOperator } from './cli/program.ts'
import { createPrompts } from './cli/prompts.ts'
import { installedSettings } from './installation/installedSettings.ts'

/** On an older Node, SQLite's binary ends with a segmentation fault and no message. */
const oldestNode = 22

/** Resolves at the first signal to stop; a second one ends the process at once. */
function untilSignal(): Promise<string> {
  return new Promise(resolve => {
    const stop = (signal: string) => {
      process.once(signal, () => process.exit(1))
      resolve(signal)
    }
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop(signal))
  })
}

/** Does something at the end of the process. Without a listener, a signal ends it with no event. */
function atExit(work: () => void): () => void {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  const leave = () => process.exit(130)
  process.once('exit', work)
  for (const signal of signals) process.once(signal, leave)
  return () => {
    process.off('exit', work)
    for (const signal of signals) process.off(signal, leave)
  }
}

// For example with `callgate space list | head -1`, where nobody reads the rest.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit()
})

/**
 * Where root has called, the command acts as the user in CALLGATE_USER, who owns the data. Root stays the real user, and opens
 * the files of the command line. `serve` becomes that user permanently.
 */
function switchUser(user: string | undefined, isForGood: boolean): UserSwitch | undefined {
  const { getuid, initgroups, setegid, seteuid, setgid, setgroups, setuid } = process as typeof process & {
    initgroups?(user: string, group: string): void
  }
  if (!user || getuid?.() !== 0 || !initgroups || !setegid || !seteuid || !setgid || !setgroups || !setuid)
    return undefined
  const id = /^\d+$/.test(user) ? Number(user) : user
  if (typeof id === 'number') setgroups([id])
  else initgroups(id, id)
  if (isForGood) {
    setgid(id)
    setuid(id)
    return undefined
  }
  const act: UserSwitch['act'] = as => {
    if (as === 'caller') {
      seteuid(0)
      setegid(0)
    } else {
      setegid(id)
      seteuid(id)
    }
  }
  act('service')
  return { service: { name: user, uid: process.geteuid?.() ?? 0 }, act }
}

/** Ends the program where there is no such user, or root may not switch to it. */
function switchOrLeave(user: string | undefined, isForGood: boolean): UserSwitch | undefined {
  try {
    return switchUser(user, isForGood)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    process.stderr.write(`This command cannot act as the user ${user}, whom CALLGATE_USER names: ${why}.\n`)
    return process.exit(1)
  }
}

const args = process.argv.slice(2)
// Before the process becomes another user, who may not read every file of the caller.
const settings = installedSettings(process.env, args)
if (!settings.ok) {
  process.stderr.write(`${settings.message}\n`)
  process.exit(settings.exitCode)
}
const prompts = createPrompts(process.stdin, process.stderr, () => process.exit(130))
const terminal = {
  files: operatorFiles(switchOrLeave(process.env['CALLGATE_USER'], args[0] === 'serve')),
  readSecret: prompts.askTwice,
  ask: prompts.ask,
  environment: settings.environment,
  print: (text: string) => process.stdout.write(`${text}\n`),
  complain: (text: string) => process.stderr.write(`${text}\n`),
  exitWith(code: number) {
    process.exitCode = code
  },
  end(code: number) {
    process.exit(code)
  },
  atExit,
  untilSignal,
}

trustMachine()
const { node } = process.versions
if (Number.parseInt(node, 10) >= oldestNode) await runOperator(terminal, args)
else {
  terminal.complain(`callgate needs Node ${oldestNode} or newer; this is Node ${node}.`)
  terminal.exitWith(1)
}
