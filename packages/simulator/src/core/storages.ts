// The storages of messages: the SIM and the modem, as chosen by AT+CPMS (3GPP TS 27.005 3.1 and 3.2.2).

import type { Answer } from './answers.ts'
import type { Command } from './commandLine.ts'
import type { Sim800 } from './modemState.ts'

export const stores = ['SM', 'ME'] as const
export type Store = (typeof stores)[number]

export interface StorageSlot {
  readonly store: Store
  readonly at: number
}

const capacity = 30

/** Where a new message goes, in this order. */
const preferred: Readonly<Record<string, readonly Store[]>> = {
  SM: ['SM'],
  ME: ['ME'],
  SM_P: ['SM', 'ME'],
  ME_P: ['ME', 'SM'],
  MT: ['SM', 'ME'],
}

/** The places that are read and deleted: with `MT` both storages, those of the modem after those of the SIM. */
const readable = (name: string): readonly Store[] =>
  name === 'MT' ? stores : (preferred[name] ?? []).slice(0, 1)

/** The first free place for an incoming message; undefined: all are taken. */
export function freePlace(modem: Sim800): StorageSlot | undefined {
  for (const store of preferred[modem.storages[2] ?? ''] ?? [])
    for (let at = 1; at <= capacity; at++) if (!modem.messages[store].has(at)) return { store, at }
  return undefined
}

/** The place with this number in the storage that is read. */
export function placeOf(modem: Sim800, number: number): StorageSlot | undefined {
  const store = readable(modem.storages[0] ?? '')[Math.floor((number - 1) / capacity)]
  return store && Number.isInteger(number) ? { store, at: ((number - 1) % capacity) + 1 } : undefined
}

/** The numbers of all occupied places of the storage that is read, lowest first. */
export function takenNumbers(modem: Sim800): number[] {
  return readable(modem.storages[0] ?? '').flatMap((store, turn) =>
    [...modem.messages[store].keys()].sort((a, b) => a - b).map(at => turn * capacity + at),
  )
}

function countsOf({ messages }: Sim800, name: string): string {
  const read = readable(name)
  return `${read.reduce((sum, store) => sum + messages[store].size, 0)},${read.length * capacity}`
}

const chosen = /^"(SM|ME|SM_P|ME_P|MT)"(?:,"(SM|ME|SM_P|ME_P|MT)")?(?:,"(SM|ME|SM_P|ME_P|MT)")?$/

/** AT+CPMS: the storages for reading, for writing, and for incoming messages. */
export function answerStorages(modem: Sim800, { form, text }: Command): Required<Answer> {
  const says = (line: string): Required<Answer> => ({ lines: [`+CPMS: ${line}`], result: 'OK' })
  if (form === 'test') {
    const any = '("SM","ME","SM_P","ME_P","MT")'
    return says(`${any},${any},${any}`)
  }
  if (form !== 'set') return says(modem.storages.map(name => `"${name}",${countsOf(modem, name)}`).join())
  const wanted = chosen.exec(text)
  if (!wanted) return { lines: [], result: { cms: 302 } }
  modem.storages = modem.storages.map((before, place) => wanted[place + 1] ?? before)
  return says(modem.storages.map(name => countsOf(modem, name)).join())
}
