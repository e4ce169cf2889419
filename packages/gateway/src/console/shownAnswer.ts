// The modem's output in a form that is safe for a terminal.

import type { ConsoleAnswer } from '@callgate/modem/modem'
import type { AtAnswer } from '../local/localMessages.ts'

const mostLetters = 300

/** The line without anything that a terminal could take for a command. */
export const shownLine = (line: string) => line.slice(0, mostLetters).replace(/[^\x20-\x7e]/g, '?')

export const shownAnswer = ({ lines, result, why }: ConsoleAnswer): AtAnswer => ({
  result,
  lines: lines.map(shownLine),
  why: why === null ? null : shownLine(why),
})
