// What the network can reach of the cloud: where it listens, and what may leave the machine without encryption.

import { isIP } from 'node:net'
import { isLoopback } from '@callgate/contract/loopback'

/** What of the environment is about the network; checked as text only. */
export interface NetworkVariables {
  readonly HOST: string
  readonly MQTT_HOST: string
  readonly MQTT_URL?: string
  readonly ALLOW_PLAIN_MQTT?: 'yes'
}

export interface Network {
  /** The address that the REST API listens on. */
  readonly host: string
  /** The address that the embedded broker listens on. */
  readonly mqttHost: string
}

export type ReadNetwork =
  | { readonly ok: true; readonly network: Network }
  | { readonly ok: false; readonly message: string }

/** An address of this machine; undefined when the text is none. A name is not looked up: it could lead elsewhere. */
function listenAddress(text: string): string | undefined {
  if (text === 'localhost') return '127.0.0.1'
  return isIP(text) === 0 ? undefined : text
}

const whatAnAddressIs =
  'must be an IP address of this machine: 127.0.0.1 for this machine alone, 0.0.0.0 for all its addresses'
const howToEncrypt = 'or say ALLOW_PLAIN_MQTT=yes where the whole way is trusted'

/** What would leave the machine without encryption though nobody said that it may; undefined when nothing would. */
function plainFault({ ALLOW_PLAIN_MQTT, MQTT_URL }: NetworkVariables, mqttHost: string): string | undefined {
  if (ALLOW_PLAIN_MQTT) return undefined
  if (MQTT_URL === undefined)
    return isLoopback(mqttHost)
      ? undefined
      : `MQTT_HOST lets other machines connect without encryption: leave it at 127.0.0.1, ${howToEncrypt}`
  const { hostname, protocol } = new URL(MQTT_URL)
  return protocol === 'mqtts:' || isLoopback(hostname)
    ? undefined
    : `MQTT_URL leads to another machine without encryption: begin it with mqtts://, ${howToEncrypt}`
}

/** Reads what is about the network. MQTT_URL has to be a URL already. */
export function readNetwork(variables: NetworkVariables): ReadNetwork {
  const [host, mqttHost] = [listenAddress(variables.HOST), listenAddress(variables.MQTT_HOST)]
  if (host === undefined) return { ok: false, message: `HOST ${whatAnAddressIs}` }
  if (mqttHost === undefined) return { ok: false, message: `MQTT_HOST ${whatAnAddressIs}` }
  const fault = plainFault(variables, mqttHost)
  return fault === undefined ? { ok: true, network: { host, mqttHost } } : { ok: false, message: fault }
}

/** Where others are told to go. */
interface Told extends Network {
  readonly appUrl: string
  /** Undefined: the embedded broker. */
  readonly mqttUrl: string | undefined
}

/** What works, but not for those whom it is meant for; in words for the operator. */
export function networkComplaints({ appUrl, host, mqttHost, mqttUrl }: Told): string[] {
  const { hostname } = new URL(appUrl)
  const complaints: string[] = []
  if (isLoopback(host) && !isLoopback(hostname))
    complaints.push(
      `APP_URL names ${hostname}, but the API listens on ${host}, which only this machine reaches: ` +
        'set HOST to an address that others reach',
    )
  if (!isLoopback(host) && isLoopback(hostname))
    complaints.push(
      `The API listens on ${host} for other machines, but links in mails and answers lead to ${hostname}: ` +
        'set APP_URL to the address that others use',
    )
  if (mqttUrl === undefined && isLoopback(mqttHost) && !isLoopback(hostname))
    complaints.push(
      `Gateways are told to connect to ${hostname}, but the broker listens on ${mqttHost}, ` +
        'which only this machine reaches: set MQTT_HOST to an address that they reach',
    )
  return complaints
}

/** The same for a gateway that is told to connect to `address`. */
export function gatewayComplaints(config: Told, address: string): string[] {
  const isOwn = isLoopback(new URL(address).hostname)
  const onlyHere =
    `${address} leads a gateway to its own machine. ` +
    'For one elsewhere, set APP_URL, MQTT_HOST and what operating.md says of them'
  return [...networkComplaints(config), ...(isOwn ? [onlyHere] : [])]
}
