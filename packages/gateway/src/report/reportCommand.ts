// `callgate-gateway report`: says what a report holds and masks, asks, and writes it to a new file.

import { type FileHandle, open } from 'node:fs/promises'
import type { Readable, Writable } from 'node:stream'
import { isoTime } from '@callgate/world/world'
import type { DoctorParts } from '../doctor/doctor.ts'
import { systemCode } from '../journalDisk.ts'
import { consentText, isConsented } from './consent.ts'
import { journaldLog, makeReport } from './report.ts'

export interface ReportOptions {
  readonly config: string
  readonly out?: string
  readonly yes?: boolean
}

interface ReportTerminal {
  readonly input: Readable & { readonly isTTY?: boolean }
  readonly output: Writable
  /** Holds the user who has called sudo, and who gets the file. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Root reads the log and opens the file; the daemon's user checks the modem and reads the daemon's files. */
  dropRoot(): Promise<void>
}

type Written = { readonly ok: true } | { readonly ok: false; readonly message: string }

/** Opens a new file; the message says why that fails. */
async function openNew(out: string): Promise<FileHandle | { readonly message: string }> {
  try {
    return await open(out, 'wx', 0o600)
  } catch (error) {
    const code = systemCode(error)
    if (code === undefined) throw error
    const why = code === 'EEXIST' ? 'it exists already; name another file' : code
    return { message: `cannot write ${out}: ${why}` }
  }
}

/** The file belongs to whoever has typed sudo, and is read by nobody else. */
async function giveToCaller(file: FileHandle, { environment }: ReportTerminal): Promise<void> {
  const { SUDO_GID, SUDO_UID } = environment
  if (!/^\d+$/.test(SUDO_UID ?? '') || !/^\d+$/.test(SUDO_GID ?? '')) return
  // Only root can, and only root has to.
  await file.chown(Number(SUDO_UID), Number(SUDO_GID)).catch(() => {})
}

/** A name that no earlier report has. */
const usualName = ({ world }: DoctorParts) =>
  `callgate-report-${isoTime(world.nowMs()).slice(0, 19).replace(/[-:]/g, '').replace('T', '-')}.txt`

/** Writes nothing before the consent. The message of a failure is for a person. */
export async function reportCommand(
  parts: DoctorParts,
  { out = usualName(parts), yes = false }: ReportOptions,
  terminal: ReportTerminal,
): Promise<Written> {
  const { dropRoot, input, output } = terminal
  const print = (text: string) => void output.write(`${text}\n`)
  print(`${consentText}\n`)
  if (!yes && input.isTTY !== true)
    return { ok: false, message: 'Nothing was written: nobody can be asked here. Say --yes if you agree' }
  if (!yes && !(await isConsented(terminal, `Write it to ${out}? (y/n) `))) {
    print('Nothing was written.')
    return { ok: true }
  }
  const file = await openNew(out)
  if ('message' in file) return { ok: false, message: file.message }
  await giveToCaller(file, terminal)
  const log = await journaldLog()
  await dropRoot().catch((error: unknown) => {
    // The configuration has no folder, so there is no user of the daemon; doctor reports that.
    if (systemCode(error) !== 'ENOENT') throw error
  })
  const { calls, contents, numbers, text } = await makeReport(parts, log)
  await file.writeFile(text)
  await file.close()
  const parted = contents.map(({ lines, title }) => `${title}: ${lines} lines`)
  print([...parted, `Calls: ${calls}`, `Numbers masked in them: ${numbers}`].join('\n'))
  print(`Written to ${out}. Read it before you send it: less ${out}`)
  return { ok: true }
}
