// The command line: a simulator on a virtual serial port with a control interface, until it is told to stop.

import { readFileSync } from 'node:fs'
import { realWorld } from '@callgate/world/real'
import { readCommand, type SimulatorCommand, setUpOf } from './commandOptions.ts'
import { startControl } from './control.ts'
import type { ReadResult } from './fields.ts'
import { type LogFile, openLogFile } from './logFile.ts'
import { openPort } from './port.ts'
import { playSteps, readScenario, type Scenario } from './scenario.ts'
import { createSimulator } from './simulator.ts'

function fail(message: string): void {
  process.stderr.write(`simulator: ${message}\n`)
  process.exitCode = 1
}

/** The scenario from the command line, if there is one, or what is wrong with its file. */
function loadScenario(path: string | undefined): ReadResult<Scenario> {
  if (path === undefined) return { ok: true, value: {} }
  try {
    return readScenario(readFileSync(path, 'utf8'))
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) }
  }
}

/** The log file from the command line; undefined if there is none. */
function openLog(path: string | undefined): ReadResult<LogFile | undefined> {
  try {
    return { ok: true, value: path === undefined ? undefined : openLogFile(path) }
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) }
  }
}

async function run(command: SimulatorCommand): Promise<void> {
  const loaded = loadScenario(command.scenario)
  if (!loaded.ok) {
    fail(`the scenario ${command.scenario} cannot be used:\n${loaded.message}`)
    return
  }
  const scenario = loaded.value
  const log = openLog(command.log)
  if (!log.ok) {
    fail(`the log ${command.log} cannot be written: ${log.message}`)
    return
  }
  const world = realWorld({ logLevel: 'warn' })
  const simulator = createSimulator({
    world,
    ...setUpOf(command, scenario),
    ...(log.value && { onLog: log.value.add }),
  })
  const opened = openPort({
    world,
    simulator,
    ...(command.link === undefined ? {} : { link: command.link }),
  })
  if (!opened.ok) {
    simulator.stop()
    fail(opened.message)
    return
  }
  const { port } = opened
  const started = await startControl({ world, simulator, port: command.controlPort })
  if (!started.ok) {
    simulator.stop()
    await port.close()
    fail(started.message)
    return
  }
  const { control } = started
  playSteps(world, simulator, scenario.steps ?? [])

  const stop = (): void => {
    simulator.stop()
    void Promise.all([port.close(), control.close()])
  }
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)

  const pts = port.path() ?? ''
  const ready = { link: command.link ?? null, pts, controlUrl: control.url }
  process.stdout.write(
    command.json
      ? `${JSON.stringify(ready)}\n`
      : `A pretend SIM800 is on ${command.link ?? pts}${command.link ? ` (${pts})` : ''}.
What truly happens behind it: curl ${control.url}/state
Stop it with Ctrl-C.
`,
  )
}

const result = readCommand(process.argv.slice(2))
if (result.ok) await run(result.command)
else {
  const stream = result.exitCode === 0 ? process.stdout : process.stderr
  stream.write(result.text)
  process.exitCode = result.exitCode
}
