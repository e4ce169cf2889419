// Somebody on the wire without a key of ours: answers claims with grants and reports with acks of his own.

import type { Envelope } from '@callgate/contract/messages'
import { type SigningKey, seal } from '@callgate/contract/signature'
import { readUpTopic, topicOf } from '@callgate/contract/topics'
import type { Message } from './wire.ts'

/** The number that he wants to have called. */
export const thiefsNumber = '+40799999999'

/** What he sends to whoever sent `message`, in the name of the cloud's key `keyId`. */
export function forgery(
  key: SigningKey,
  keyId: string,
  callProfile: unknown,
  message: Message,
): Message | undefined {
  const place = readUpTopic(message.topic)
  if (!place || place.kind === 'beat') return undefined
  const { bootId, gatewayId, nonce, openingId, seq }: Envelope = JSON.parse(message.payload)
  const type = place.kind === 'claim' ? 'grant' : 'ack'
  const body =
    type === 'grant' ? { granted: true, phoneNumber: thiefsNumber, callProfile } : { result: 'applied' }
  const header = {
    ...(openingId !== undefined && { openingId }),
    ...(nonce !== undefined && { nonce }),
    ...(bootId !== undefined && { bootId }),
    ...(seq !== undefined && { seq }),
  }
  const payload = seal({ ...key, keyId }, { type, gatewayId, ...header, body: JSON.stringify(body) })
  return { topic: topicOf(gatewayId, type), payload }
}
