// `pnpm start`: the whole of Callgate on this machine, with a simulated modem.

import { fileURLToPath } from 'node:url'
import { help, readArguments, unusedVariables } from './arguments.ts'
import { runDemo } from './demo.ts'
import { launchersFrom, oneEnds, readProcess } from './launchers.ts'

const settings = readArguments(process.argv.slice(2), process.env, process.cwd())
if (!settings.ok) {
  process.stderr.write(`${settings.message}\n`)
  process.exitCode = 1
} else if (settings.value === 'help') process.stdout.write(`${help}\n`)
else {
  const stop = new AbortController()
  // A second signal changes nothing: one Ctrl-C may arrive more than once.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort())
  // When the terminal is gone, the processes must end.
  process.stdout.on('error', () => stop.abort())
  const launchers = await launchersFrom(process.ppid, readProcess)
  if (launchers.length > 0) void oneEnds(launchers, readProcess, stop.signal).then(() => stop.abort())
  const warning = unusedVariables(process.env)
  if (warning) process.stdout.write(`${warning}\n`)
  process.exitCode = await runDemo({
    settings: settings.value,
    top: fileURLToPath(new URL('../../..', import.meta.url)),
    node: process.execPath,
    environment: process.env,
    say: line => process.stdout.write(`${line}\n`),
    stop: stop.signal,
  })
  // Ends the watch of the launchers.
  stop.abort()
}
