// The gateways of a gate: which of them may call it, and which numbers its module knows.

import Type, { type Static } from 'typebox'
import { closed, words } from '../text.ts'

export const numberKnownWords = ['unknown', 'yes', 'no'] as const

export const MayCall = Type.Boolean({ description: 'Whether the gateway may call the gate' })
export const NumberKnown = words(numberKnownWords, {
  description:
    "Whether the gate's module takes calls of the gateway's number. `no`: the gateway does not call the gate",
})

/** What is set for one gateway at one gate. */
export const GateCaller = closed({ mayCall: MayCall, numberKnown: NumberKnown })
export type GateCaller = Static<typeof GateCaller>

/** By the ids of the gateways. One that is not here may call, and nobody knows whether its number is known. */
export type GateCallers = Readonly<Record<string, GateCaller>>
