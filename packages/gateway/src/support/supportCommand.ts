// `callgate-gateway support-bundle`: shows the bundle, or lists its parts and writes it to a file.

import { type FileHandle, open } from 'node:fs/promises'
import type { DoctorParts } from '../doctor/doctor.ts'
import { systemCode } from '../journalDisk.ts'
import { journaldLog, supportBundle } from './supportBundle.ts'

interface SupportParts {
  print(text: string): void
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

/** Shows everything and writes nothing where `out` is left out. The message of a failure is for a person. */
export async function supportCommand(
  parts: DoctorParts,
  out: string | undefined,
  { dropRoot, print }: SupportParts,
): Promise<Written> {
  const file = out === undefined ? undefined : await openNew(out)
  if (file && 'message' in file) return { ok: false, message: file.message }
  const log = await journaldLog()
  await dropRoot().catch((error: unknown) => {
    // The configuration has no folder, so there is no user of the daemon; doctor reports that.
    if (systemCode(error) !== 'ENOENT') throw error
  })
  const { contents, text } = await supportBundle(parts, log)
  if (!file) {
    print(text.trimEnd())
    return { ok: true }
  }
  print(contents.map(({ lines, title }) => `${title}: ${lines} lines`).join('\n'))
  await file.writeFile(text)
  await file.close()
  print(`Written to ${out}. Read it before you send it.`)
  return { ok: true }
}
