// Why the cloud is not connected to the operator's broker, as sentences that name what to check.

import type { Refusal } from '@callgate/mqtt/mqttConnection'

export type BrokerFault = Refusal['kind'] | 'start' | 'lost'

/**
 * A sentence without the broker's name and address, which strangers need not know. `variable` contains the address and the login
 * of this connection.
 */
export function sayBrokerFault(fault: BrokerFault, variable: 'MQTT_URL' | 'MQTT_ADMIN_URL'): string {
  const sentences: Readonly<Record<BrokerFault, string>> = {
    start: 'The broker has not answered yet.',
    lost: 'The connection to the broker is lost; it is tried again.',
    network: 'The broker cannot be reached; it is tried again, and the log says why.',
    login: `The broker does not let the cloud in; check the user and the password in ${variable}.`,
    topics:
      variable === 'MQTT_URL'
        ? 'The broker does not let the cloud read the topics of the gateways.'
        : 'The broker does not let the account of MQTT_ADMIN_URL read the answers of its dynamic security.',
    authority:
      'The certificate of the broker is not of an authority that the cloud trusts; check the file that MQTT_CA names.',
    name: `The certificate of the broker is for another host than the one in ${variable}.`,
    expired:
      'The certificate of the broker is not valid today; renew it, and check the clocks of both machines.',
  }
  return sentences[fault]
}
