// The command `pnpm replay`: plays the calls of a gateway's report into today's driver, or makes a fixture of them.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fail, readWords } from '../../commandLine.ts'
import { failedSetUpText, readCheckedReport, replayAll, replayText } from './replayReport.ts'
import { fixtureFile, fixtureText, withMoves } from './reportFixtures.ts'
import { writeSimulatedFixtures } from './simulatedReports.ts'

const help = `Usage: pnpm replay <file> [--fixture <name> --source <sentence> [--moved <list>] [--today]]
       pnpm replay --simulated

Plays the calls of a report ("callgate-gateway report") into the driver of this repository, on a fake clock, with the recorded
times. For each call it says whether today's verdict differs from the recorded one, and at which line of the file they part.
Of a set-up that failed it says how far today's driver comes.

  --fixture <name>     also writes the modem's lines to packages/modem/fixtures/reports/<name>.report, which the tests replay
  --source <sentence>  where the lines are from: the modem, its network, the gate's module, and when; no names of people
  --moved <list>       which gates moved, as somebody saw it: 1=yes,2=no. The truth matrix then holds the verdicts against it
  --today              the fixture expects today's verdicts, where the recorded ones were wrong
  --simulated          writes the fixtures that come from the simulator
  --help               prints this

Exit codes: 0 no verdict differs; 1 one differs; 2 the file cannot be read, none of its calls can be replayed, or a wrong
command line.

Example: pnpm replay callgate-report-20261127-201500.txt
`

const { options, words } = readWords(help, {
  fixture: { type: 'string' },
  source: { type: 'string' },
  moved: { type: 'string' },
  today: { type: 'boolean', default: false },
  simulated: { type: 'boolean', default: false },
})

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    return fail(`${file} cannot be read: ${error instanceof Error ? error.message : error}`, 2)
  }
}

async function replay(file: string): Promise<void> {
  const { fixture, moved, source, today } = options
  if (fixture === undefined && (source !== undefined || moved !== undefined || today))
    fail('--source, --moved and --today go with --fixture.', 2)
  if (fixture !== undefined && !/^[a-z0-9][a-z0-9-]{2,60}$/.test(fixture))
    fail('--fixture must be a name of small letters, digits and dashes, such as sim800l-reject.', 2)
  if (fixture !== undefined && !/^[A-Z].{10,}\.$/.test(source ?? ''))
    fail(
      'A fixture needs its source: --source "SIM800L with firmware 1418B04, Orange, an RTU5024; 2026-11."',
      2,
    )
  const read = readCheckedReport(readText(file))
  if (!read.ok) return fail(`${file}: ${read.message}.`, 2)
  const { recording } = read
  process.stdout.write(await failedSetUpText(recording))
  if (recording.calls.length === 0)
    return fail(`${file}: the report holds no call. The daemon keeps calls only while it runs.`, 2)
  const calls = moved === undefined ? recording.calls : withMoves(recording.calls, moved)
  if (!calls) return fail('--moved must name calls of the report, as in 1=yes,2=no.', 2)
  const all = await replayAll(recording)
  process.stdout.write(`${replayText(all)}\n`)
  if (fixture !== undefined && source !== undefined) {
    const expected = calls.map((call, place) => {
      const replayed = all[place]?.replayed
      return today && replayed && 'verdict' in replayed ? { ...call, verdict: replayed.verdict } : call
    })
    const path = fixtureFile(fixture)
    if (existsSync(path)) fail(`${path} exists already: choose another name, or remove it.`, 2)
    writeFileSync(path, fixtureText(source, { ...recording, calls: expected }))
    process.stdout.write(`Written to ${path}. Read it: no number and no name may stand in it.\n`)
  }
  if (all.some(({ replayed }) => replayed.result === 'differs')) process.exitCode = 1
  else if (all.every(({ replayed }) => replayed.result === 'notReplayed')) process.exitCode = 2
}

const [file, ...others] = words
if (options.simulated) {
  if (file !== undefined) fail('--simulated goes without a file.', 2)
  process.stdout.write(`${(await writeSimulatedFixtures()).join('\n')}\n`)
} else if (file === undefined || others.length > 0) fail(`Name one file.\n\n${help}`, 2)
else await replay(file)
