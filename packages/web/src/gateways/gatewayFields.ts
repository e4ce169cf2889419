// The fields of a gateway's forms: what each holds, and what is wrong with a value before it is sent.

import type { GatewayView } from '@callgate/contract/app/gateway'
import type { Words } from '../words/words.tsx'

export interface GatewayValues {
  readonly name: string
  /** Empty: not known. */
  readonly callerNumber: string
}

export function valuesOfGateway({ callerNumber, name }: GatewayView): GatewayValues {
  return { name, callerNumber: callerNumber ?? '' }
}

/** What of them is sent. */
export function gatewayBody({ callerNumber, name }: Partial<GatewayValues>) {
  const number = callerNumber?.trim()
  return {
    ...(name !== undefined && { name: name.trim() }),
    ...(number !== undefined && { callerNumber: number === '' ? null : number }),
  }
}

type Says = Words['gateways']['form']
type Check = (value: string) => string | undefined

/** The API takes so many characters. */
const longestName = 120

export function nameCheck(says: Says): Check {
  return value => {
    if (value.trim() === '') return says.nameMissing
    return value.trim().length > longestName ? says.nameLong : undefined
  }
}

/** As E.164 has it. Which number is one, the API decides: this finds only what is plainly none. */
const digitsInNumber = { least: 8, most: 15 }

/** A number, or none. */
export function numberCheck(says: Says): Check {
  return value => {
    if (value.trim() === '') return undefined
    if (!/^[+\d\s().-]+$/.test(value)) return says.numberWrong
    const digits = value.replaceAll(/\D/g, '').length
    if (digits < digitsInNumber.least) return says.numberShort
    return digits > digitsInNumber.most ? says.numberLong : undefined
  }
}

/** The public half of an Ed25519 key in base64url. */
export function keyCheck(says: Says): Check {
  return value => (/^[A-Za-z0-9_-]{43}$/.test(value.trim()) ? undefined : says.publicKeyWrong)
}
