// `callgate-gateway support-bundle`: shows the bundle, or says what is in it and writes it to a file.

import { writeFile } from 'node:fs/promises'
import type { DoctorParts } from '../doctor/doctor.ts'
import { systemCode } from '../journalDisk.ts'
import { supportBundle } from './supportBundle.ts'

/** Without `out`, everything is shown and nothing written. The message of a failure is for a person. */
export async function supportCommand(
  parts: DoctorParts,
  out: string | undefined,
  print: (text: string) => void,
): Promise<{ readonly ok: true } | { readonly ok: false; readonly message: string }> {
  const { contents, text } = await supportBundle(parts)
  if (out === undefined) {
    print(text.trimEnd())
    return { ok: true }
  }
  print(contents.map(({ lines, title }) => `${title}: ${lines} lines`).join('\n'))
  try {
    await writeFile(out, text, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    const code = systemCode(error)
    if (code === undefined) throw error
    const why = code === 'EEXIST' ? 'it exists already; name another file' : code
    return { ok: false, message: `cannot write ${out}: ${why}` }
  }
  print(`Written to ${out}. Read it before you send it.`)
  return { ok: true }
}
