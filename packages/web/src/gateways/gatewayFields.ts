// The fields of a gateway's forms: their values, the checks before sending, and the request.

import { limits } from '@callgate/contract/limits'
import type { GatewayView } from '@callgate/contract/rest/gatewayView'
import { phoneCheck } from '../form/checks.ts'
import type { Fields } from '../form/fields.ts'
import { sayNumber } from '../words/number.ts'
import type { Words } from '../words/words.tsx'

export interface GatewayValues {
  readonly name: string
  /** Empty: unknown. */
  readonly callerNumber: string
}

export function valuesOfGateway({ callerNumber, name }: GatewayView): GatewayValues {
  return { name, callerNumber: sayNumber(callerNumber ?? '') }
}

/** The request with these values. */
export function gatewayBody({ callerNumber, name }: Partial<GatewayValues>) {
  const number = callerNumber?.trim()
  return {
    ...(name !== undefined && { name: name.trim() }),
    ...(number !== undefined && { callerNumber: number === '' ? null : number }),
  }
}

/** The name of a gateway, in each form that asks for it. */
export function nameField({ form, gateways }: Words) {
  return {
    label: gateways.form.name,
    limit: limits.gateway.name,
    missing: form.nameMissing,
    input: { autoComplete: 'off' },
  } as const
}

export function gatewayFields(words: Words): Fields<GatewayValues> {
  const { form } = words.gateways
  const check = phoneCheck(words.form, { isNational: false })
  return {
    name: nameField(words),
    callerNumber: {
      label: form.number,
      hint: form.numberHint,
      check: value => (value.trim() === '' ? undefined : check(value)),
      input: { type: 'tel', autoComplete: 'off', 'data-autofocus': true },
    },
  }
}

/** The public half of an Ed25519 key in base64url. */
export const isPublicKey = (value: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(value.trim())
