// What a broker of the operator has to know: who connects, and who may publish and read what.

import { downKinds, everyGateway, topicOf, upKinds } from '@callgate/contract/wire/topics'

export interface BrokerAccount {
  readonly clientId: string
  readonly publishes: readonly string[]
  readonly subscribes: readonly string[]
}

/** A gateway. Its user name is its client id. Its last will is a message that it publishes. */
export function gatewayAccount(gatewayId: string): BrokerAccount {
  const topic = (kind: Parameters<typeof topicOf>[1]) => topicOf(gatewayId, kind)
  return { clientId: gatewayId, publishes: upKinds.map(topic), subscribes: downKinds.map(topic) }
}

/** The cloud itself. Its user name and password are those of MQTT_URL. */
export const cloudAccount: BrokerAccount = {
  clientId: 'cloud',
  publishes: downKinds.map(kind => topicOf('+', kind)),
  subscribes: upKinds.map(everyGateway),
}
