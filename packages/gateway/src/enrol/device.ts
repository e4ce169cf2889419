// Identifies the machine and its modem, so that an admin can tell one gateway from another.

import { readFile } from 'node:fs/promises'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import type { OpenLine } from '@callgate/modem/byteLine'
import { type ImeiRead, readImei } from '@callgate/modem/imei'
import { version } from '@callgate/world/version'
import type { World } from '@callgate/world/world'
import { askAt } from '../local/askDaemon.ts'

export interface Device {
  readonly version: string
  readonly model?: string
  readonly serial?: string
  readonly imei?: string
}

/** The place of the modem, and of the daemon that may hold it. */
export interface ModemPlace {
  /** Absolute paths; `*` is allowed. */
  readonly serialPorts: readonly string[]
  readonly baudRate: number
  readonly dataFolder: string
}

export type OpenPlace = (place: Pick<ModemPlace, 'serialPorts' | 'baudRate'>) => OpenLine

/** Where Linux shows the data of the board's firmware (devicetree specification, 2.3.2 and 2.3.11). */
const boardFolder = '/proc/device-tree'
const files = { model: 'model', serial: 'serial-number' } as const
const longest = { model: 120, serial: 64 } as const

async function readBoard(folder: string, name: keyof typeof files): Promise<string | undefined> {
  const text = await readFile(join(folder, files[name]), 'utf8').catch(() => '')
  // A text of the device tree ends with a NUL.
  const plain = text
    .replace(/[^\x20-\x7e]/g, '')
    .slice(0, longest[name])
    .trim()
  return plain === '' ? undefined : plain
}

/** Reads the IMEI through the daemon where one runs, since that holds the port; otherwise by the port itself. */
async function imeiAt(world: World, place: ModemPlace, open: OpenPlace): Promise<ImeiRead> {
  const asked = await askAt(world, place.dataFolder, 'AT+GSN')
  if (!asked.ok) return readImei(world, open(place))
  const { lines, result, why } = asked.answer
  const imei = result === 'ok' ? lines.find(line => /^\d{15}$/.test(line)) : undefined
  return imei === undefined
    ? { ok: false, why: why ?? 'The modem tells the daemon no IMEI of 15 digits' }
    : { ok: true, imei }
}

/** The device, and the text about it for a person beside it. */
export interface SeenDevice {
  readonly device: Device
  readonly says: string
}

/**
 * The board's model and serial number where it has them, and the IMEI of the modem where it answers within some seconds. `folder`
 * describes the board; tests use another one.
 */
export async function thisDevice(
  world: World,
  place: ModemPlace,
  open: OpenPlace,
  folder = boardFolder,
): Promise<SeenDevice> {
  const [model, serial, read] = await Promise.all([
    readBoard(folder, 'model'),
    readBoard(folder, 'serial'),
    imeiAt(world, place, open),
  ])
  const device = {
    version,
    ...(model !== undefined && { model }),
    ...(serial !== undefined && { serial }),
    ...(read.ok && { imei: read.imei }),
  }
  const board = serial === undefined ? 'This machine has no serial number' : `Serial number: ${serial}`
  const modem = read.ok
    ? `IMEI of the modem: ${read.imei}.`
    : `The IMEI of the modem is not known, and is left out. ${read.why}.`
  return { device, says: `${board}. ${modem}` }
}

/** The addresses of this machine in its networks; none where no cable and no Wi-Fi has given it one. */
export function ownAddresses(): readonly string[] {
  const all = Object.values(networkInterfaces()).flatMap(found => found ?? [])
  const isOwn = (address: string) => !/^(169\.254\.|fe80:)/.test(address)
  return all.flatMap(({ address, internal }) => (!internal && isOwn(address) ? [address] : []))
}
