// What the machine says of itself, so that an admin can tell one gateway from another.

import { readFile } from 'node:fs/promises'
import { version } from '../version.ts'

export interface Device {
  readonly version: string
  readonly model?: string
  readonly serial?: string
  readonly imei?: string
}

/** Where Linux has what the board's firmware says (devicetree specification, 2.3.2 and 2.3.11). */
const places = { model: '/proc/device-tree/model', serial: '/proc/device-tree/serial-number' } as const
const longest = { model: 120, serial: 64 } as const

async function read(name: keyof typeof places): Promise<string | undefined> {
  const text = await readFile(places[name], 'utf8').catch(() => '')
  // A text of the device tree ends with a NUL.
  const plain = text.replace(/[^\x20-\x7e]/g, '').trim()
  return plain === '' ? undefined : plain.slice(0, longest[name])
}

/** The board's model and serial number, where it has them. */
export async function thisDevice(): Promise<Device> {
  const [model, serial] = await Promise.all([read('model'), read('serial')])
  return { version, ...(model !== undefined && { model }), ...(serial !== undefined && { serial }) }
}
