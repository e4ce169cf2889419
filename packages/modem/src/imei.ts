// The modem's IMEI for a program that does not serve the modem: it only asks, and leaves the modem unchanged.

import type { World } from '@callgate/world/world'
import { openAtLine } from './atLine.ts'
import type { ByteLine, OpenLine } from './byteLine.ts'
import { commands } from './commands.ts'
import { makeContact } from './startUp.ts'

export type ImeiRead =
  | { readonly ok: true; readonly imei: string }
  /** `why` is for a person. */
  | { readonly ok: false; readonly why: string }

/** A modem on USB has several ports, of which only some take commands. */
const mostLines = 3

/** 15 digits (3GPP TS 23.003 6.2.1). Some modems report 14 or 16, which do not identify a modem that a person could find. */
const imeiForm = /^\d{15}$/

async function askOn(world: World, byteLine: ByteLine): Promise<ImeiRead | 'silent'> {
  const line = openAtLine({ world, line: byteLine, onUrc() {}, onClose() {} })
  const pause = (durationMs: number) => new Promise<void>(resolve => world.after(durationMs, resolve))
  try {
    if (!(await makeContact({ line, pause }))) return 'silent'
    const answer = await line.ask(commands.imei)
    const imei = answer.result === 'ok' ? answer.lines.find(text => imeiForm.test(text)) : undefined
    return imei === undefined
      ? { ok: false, why: 'The modem answers, and tells no IMEI of 15 digits' }
      : { ok: true, imei }
  } finally {
    await line.close()
  }
}

/**
 * Asks for the IMEI on the first line that answers. Takes at most 15 s where nothing answers, and 35 s where a modem answers `AT`
 * and no other question. Hangs up a call that an earlier program has left. Never rejects.
 */
export async function readImei(world: World, openLine: OpenLine): Promise<ImeiRead> {
  for (let silentLines = 0; silentLines < mostLines; silentLines++) {
    const opened = await openLine(silentLines)
    if (!opened.ok) return { ok: false, why: opened.message }
    const read = await askOn(world, opened.line)
    if (read !== 'silent') return read
  }
  return { ok: false, why: 'The port is there, and no modem answers on it' }
}
