// The page of the truth matrix: for each model a table of far ends and modes, with the truth and the report.

import { fileURLToPath } from 'node:url'
import { callModes } from '@callgate/contract/call/callProfile'
import { models } from '@callgate/simulator/core/model'
import { farEndNames } from '@callgate/simulator/presets'
import { pageModels, type TruthCall } from './calls.ts'
import { distinguish, fittingMode } from './criteria.ts'

/** The file of the page, and the number of its seeds. */
export const pageFile = fileURLToPath(
  new URL('../../../packages/simulator/docs/truth-matrix.md', import.meta.url),
)
export const pageSeeds = 2

function cellOf(calls: readonly TruthCall[]): string {
  const texts = calls.map(({ hasMoved, verdict: { confidence, opened, reason, status } }) => {
    const said = status === 'completed' ? `completed, ${confidence}` : `opened ${opened}, ${confidence}`
    return `${hasMoved ? '●' : '○'} ${said} (${reason})`
  })
  return [...new Set(texts)].join('<br>')
}

/** Markdown; the same calls always give the same text. */
export function truthPage(calls: readonly TruthCall[]): string {
  const seeds = Math.max(...calls.map(({ seed }) => seed))
  const { distinct, missed, right } = distinguish(calls)
  const tables = pageModels.flatMap(model => [
    '',
    `## ${models[model].summary}`,
    '',
    `| Far end | ${callModes.join(' | ')} |`,
    `|--|${callModes.map(() => '--|').join('')}`,
    ...farEndNames.map(farEnd => {
      const cells = callModes.map(mode => {
        const cell = cellOf(
          calls.filter(call => call.model === model && call.farEnd === farEnd && call.mode === mode),
        )
        return fittingMode(farEnd) === mode ? `**${cell}**` : cell
      })
      return `| ${farEnd} | ${cells.join(' | ')} |`
    }),
  ])
  return [
    '# What was reported, beside what the relay did',
    '',
    'Every far end in every call mode on one model of each family of modems, by the driver against the simulator, with a profile as',
    'calibration in that mode would give it. Written by `pnpm truth --write`; a test holds it against a new run.',
    '',
    '- ● the relay moved for this call; ○ it did not. Then what was reported, how surely, and the reason.',
    '- Bold: the mode that fits a far end that opens. In any other its profile is wrong for the gate. Nothing is lost but',
    '  knowledge; where a line shows `opened no` beside ●, the report is wrong. It is never certain, nor likely in the mode that fits.',
    '- With even seeds, when the far end and the network give up (10 to 90 s of ringing) and what they then say (any token, with',
    '  a cause or without) is drawn, and for how long mode `ring` rings (12 to 45 s); with every fourth AT+CLCC shows no call or',
    '  stays unanswered once. With odd ones it is as in the presets.',
    '- Asserted: never `completed` certain or likely beside ○, nor `completed` at all where the network said NO ANSWER;',
    '  never `opened no, certain` beside ●, nor `opened no, likely` in mode `ring` or in the mode that fits the far end;',
    '  never `opened no` beside ● in mode `unverified`.',
    `- Seeds 1 to ${seeds}, ${calls.length} calls. Of ${distinct} far ends (by model and mode) whose traces differ from all of the`,
    `  opposite truth, ${right} are told apart, ${((100 * right) / distinct).toFixed(1)} %: \`completed\` exactly where the relay moved.`,
    ...missed.map(name => `  Not so: ${name}.`),
    ...tables,
    '',
  ].join('\n')
}
