// The names of far ends and faults, by which a test, a demo or a person selects them.

import type { FarEnd } from './core/farEnd.ts'
import type { ModemFault } from './core/fault.ts'
import { farEnds } from './farEnds.ts'
import { modemFaults, smsFaults, ussdFaults } from './modemFaults.ts'

export type FarEndName = keyof typeof farEnds
/** A fault that can change a call. */
export type CallFaultName = keyof typeof modemFaults
export type ModemFaultName = CallFaultName | keyof typeof ussdFaults | keyof typeof smsFaults
export type PresetName = FarEndName | ModemFaultName

const allFaults = { ...modemFaults, ...ussdFaults, ...smsFaults }
const isCallFault = (name: string): name is CallFaultName => Object.hasOwn(modemFaults, name)

export function isFarEndName(name: string): name is FarEndName {
  return Object.hasOwn(farEnds, name)
}

export function isFaultName(name: string): name is ModemFaultName {
  return Object.hasOwn(allFaults, name)
}

export function isPresetName(name: string): name is PresetName {
  return isFarEndName(name) || isFaultName(name)
}

export function farEndOf(name: FarEndName): FarEnd {
  return farEnds[name]
}

/** Several faults at once; where two of them conflict, the later one counts. */
export function combinedFault(names: readonly ModemFaultName[]): ModemFault {
  return Object.assign({ summary: names.join(' + ') }, ...names.map(name => allFaults[name]))
}

/** Every far end's name. */
export const farEndNames: readonly FarEndName[] = Object.keys(farEnds).filter(isFarEndName)
/** Every fault's name, without those of USSD and of messages. */
export const faultNames: readonly CallFaultName[] = Object.keys(modemFaults).filter(isCallFault)
/** The names of all faults. */
export const allFaultNames: readonly ModemFaultName[] = Object.keys(allFaults).filter(isFaultName)
/** Every name that can be requested; far ends first. */
export const allPresetNames: readonly PresetName[] = [...farEndNames, ...allFaultNames]
/** The presets with digits of their own. */
export const presetNames: readonly (FarEndName | CallFaultName)[] = [...farEndNames, ...faultNames]

/**
 * The preset that the last three digits of a dialled number select, where the simulator is set to use them: far ends from 101,
 * faults from 501, in the order of their tables.
 */
export function presetOfCode(phoneNumber: string): PresetName | undefined {
  const code = Number(phoneNumber.slice(-3))
  return code > 500 ? faultNames[code - 501] : farEndNames[code - 101]
}

/** Its three digits. */
export function codeOf(name: FarEndName | CallFaultName): string {
  return String(isFarEndName(name) ? 101 + farEndNames.indexOf(name) : 501 + faultNames.indexOf(name))
}
