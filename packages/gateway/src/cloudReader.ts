// Reads the cloud's messages: it passes on only those that are well formed, for this gateway and, except for hints, signed.

import { readBody, readEnvelope, readHint } from '@callgate/contract/validate'
import type { Ack, Envelope, Grant, KeyStatement } from '@callgate/contract/wire/messages'
import { isSignedBy } from '@callgate/contract/wire/signature'
import type { Task } from '@callgate/contract/wire/tasks'
import { type DownKind, downKinds, topicOf } from '@callgate/contract/wire/topics'
import type { CloudKeys } from './cloudKeys.ts'

/** A grant for this gateway. The opener decides whether the gateway has asked for it. */
export interface SignedGrant {
  readonly openingId: string
  readonly nonce: string
  readonly bootId: string
  readonly grant: Grant
}

/** A task for this gateway. The core of the tasks decides whether it is carried out. */
export interface SignedTask {
  readonly bootId: string
  /** The number of the beat that the task names. */
  readonly seq: number
  readonly task: Task
}

export interface CloudListeners {
  hint(openingId: string): void
  grant(grant: SignedGrant): void
  ack(header: Envelope, ack: Ack): void
  task(task: SignedTask): void
  /** `signer` is the id of the trusted key that has signed the statement. */
  keys(statement: KeyStatement, signer: string): void
}

/** The fault of a message, for a log; undefined where the message is good, or on no topic of ours. */
export type ReadMessage = (topic: string, payload: Uint8Array) => string | undefined

/** The log text of a gateway that was offline while the cloud's key was replaced. */
function notTrusted({ keyId }: Envelope, cloudKeys: Pick<CloudKeys, 'trust'>): string {
  const { keyIds } = cloudKeys.trust()
  return keyIds.includes(keyId)
    ? 'the cloud has not signed it'
    : `the key ${keyId} that it names is not trusted here (${keyIds.join(', ')} is). Where the key of the cloud was replaced while this gateway was off, or its file cloud-keys was lost, write the public key that "callgate signing-key status" shows into cloudKeys, and start the daemon again`
}

export function cloudReader(
  parts: {
    readonly gatewayId: string
    readonly cloudKeys: Pick<CloudKeys, 'trust' | 'trusted'>
  },
  listeners: CloudListeners,
): ReadMessage {
  const { cloudKeys, gatewayId } = parts

  function readSigned(payload: Uint8Array, then: (envelope: Envelope) => string | undefined) {
    const envelope = readEnvelope(payload)
    if (!envelope.ok) return envelope.message
    if (envelope.value.gatewayId !== gatewayId) return 'it is for another gateway'
    return isSignedBy(envelope.value, cloudKeys.trusted())
      ? then(envelope.value)
      : notTrusted(envelope.value, cloudKeys)
  }

  const receive: Record<DownKind, (payload: Uint8Array) => string | undefined> = {
    hint(payload) {
      const hint = readHint(payload)
      if (!hint.ok) return hint.message
      listeners.hint(hint.value.openingId)
      return undefined
    },
    grant: payload =>
      readSigned(payload, envelope => {
        const { bootId, nonce, openingId } = envelope
        if (!openingId || !nonce || !bootId) return 'it answers no claim'
        const body = readBody(envelope, 'grant')
        if (!body.ok) return body.message
        listeners.grant({ openingId, nonce, bootId, grant: body.value })
        return undefined
      }),
    ack: payload =>
      readSigned(payload, envelope => {
        const body = readBody(envelope, 'ack')
        if (!body.ok) return body.message
        if (body.value.result === 'keys') listeners.keys(body.value, envelope.keyId)
        else listeners.ack(envelope, body.value)
        return undefined
      }),
    task: payload =>
      readSigned(payload, envelope => {
        const { bootId, seq } = envelope
        if (!bootId || !seq) return 'it names no beat'
        const body = readBody(envelope, 'task')
        if (!body.ok) return body.message
        listeners.task({ bootId, seq, task: body.value })
        return undefined
      }),
  }

  return (topic, payload) => {
    const kind = downKinds.find(word => topicOf(gatewayId, word) === topic)
    const wrong = kind && receive[kind](payload)
    return wrong === undefined ? undefined : `a ${kind} was dropped: ${wrong}`
  }
}
