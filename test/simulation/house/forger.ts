// Messages of an attacker on the wire: grants and acks with a wrong key, and signed messages that were held back.

import type { Envelope } from '@callgate/contract/wire/messages'
import { type SigningKey, seal } from '@callgate/contract/wire/signature'
import { readUpTopic, topicOf } from '@callgate/contract/wire/topics'
import type { FakeWorld } from '@callgate/world/fake'
import type { Message } from './delivery.ts'
import type { UnknownBootMessage } from './plan.ts'

/** The number that the attacker wants to be called. */
export const thiefsNumber = '+40799999999'

/** The attacker's answer to `message`, signed with `key` under the name of the cloud's key `keyId`. */
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

/** A message of a boot of the gateway that the cloud never learned of, kept back until now. */
export function ofUnknownBoot(
  world: FakeWorld,
  key: SigningKey,
  about: {
    readonly gatewayId: string
    readonly says: UnknownBootMessage
    readonly openingId: string | undefined
  },
): Message {
  const { gatewayId, openingId, says } = about
  const random128 = () =>
    Buffer.from(Array.from({ length: 16 }, () => world.randomInt(0, 255))).toString('base64url')
  const [bootId, nonce] = [random128(), random128()]
  if (says === 'a claim' && openingId) {
    const header = { type: 'claim', gatewayId, openingId, nonce, bootId } as const
    const payload = seal(key, { ...header, body: JSON.stringify({ modemId: 'm', sinceBootMs: 0 }) })
    return { topic: topicOf(gatewayId, 'claim'), payload }
  }
  const modem = {
    state: 'ready',
    registration: 'home',
    model: null,
    operator: null,
    signalDbm: null,
    voltageMv: null,
  }
  const beat = {
    online: true,
    sinceBootMs: 0,
    connectionId: random128(),
    journalId: random128(),
    toReport: [],
    version: '0',
  }
  const body = JSON.stringify({ ...beat, uptimeS: 1, modem, queueLength: 0 })
  const answers = says === 'a beat that answers' ? { nonce } : {}
  const payload = seal(key, { type: 'beat', gatewayId, ...answers, bootId, seq: 1, body })
  return { topic: topicOf(gatewayId, 'beat'), payload }
}
