// The frame of a report: the line that it begins with, and the one that it ends with. A file that lacks one is no whole report.

import { type RecordingRead, readRecording } from './recordingText.ts'

const form = 1
const headForm = /^callgate-gateway report, form (\d+)$/
const lastLine = '== End =='

/** The lines of a report, in its frame. */
export function framed(lines: readonly string[]): string {
  return [`callgate-gateway report, form ${form}`, ...lines, lastLine, ''].join('\n')
}

/** The lines of the text, without what programs that pass it on may have changed. Comments may stand before the first line. */
function linesOf(text: string): readonly string[] {
  return text
    .replace(/^\ufeff/, '')
    .split('\n')
    .map(line => line.replace(/\r$/, ''))
}

/** Reads the recording in the text of a report. The message of a failure says what is wrong with the file. */
export function readReport(text: string): RecordingRead {
  const lines = linesOf(text)
  const begins = lines.findIndex(line => line !== '' && !line.startsWith('#'))
  const head = headForm.exec(lines[begins] ?? '')
  const refuse = (message: string) => ({ ok: false, message }) as const
  if (text.trim() === '') return refuse('The file is empty')
  if (!head)
    return refuse(
      'The file is no report of a gateway: its first line is another one. Such a file is made by "sudo callgate-gateway report"',
    )
  if (Number(head[1]) > form)
    return refuse('The report is of a newer version of the gateway: read it with that version of the program')
  if (!lines.includes(lastLine))
    return refuse('The report is cut off: its last line is missing. The whole file is needed')
  return readRecording(lines)
}
