// The cloud on the network: where it listens, and what may leave the machine unencrypted.

import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { isLoopback } from '@callgate/contract/loopback'
import type { CertificateFiles } from './certificate.ts'
import { type IpNetwork, readProxies } from './proxies.ts'

/** The variables about the network, checked as text only. */
export interface NetworkVariables {
  readonly HOST: string
  readonly MQTT_HOST: string
  readonly METRICS_HOST: string
  readonly METRICS_PORT?: number
  readonly MQTT_TLS_CERT?: string
  readonly MQTT_TLS_KEY?: string
  readonly MQTT_URL?: string
  readonly MQTT_ADMIN_URL?: string
  readonly MQTT_CLIENT_CERT?: string
  readonly MQTT_CLIENT_KEY?: string
  readonly MQTT_CA?: string
  readonly ALLOW_PLAIN_MQTT?: 'yes'
  readonly TRUST_PROXY?: string
  readonly NODE_ENV?: string
}

/** Where Prometheus reads. */
export interface MetricsPlace {
  readonly host: string
  readonly port: number
}

export interface Network {
  /** The address that the REST API listens on. */
  readonly host: string
  /** The address that the embedded broker listens on. */
  readonly mqttHost: string
  /** The TLS files of the embedded broker; undefined: it uses MQTT without encryption. Absolute paths. */
  readonly mqttTls: CertificateFiles | undefined
  /** The file of the authorities for an external broker's certificate; undefined: the public ones. An absolute path. */
  readonly mqttCaFile: string | undefined
  /** The certificate that the cloud presents to an external broker that asks for one. Absolute paths. */
  readonly mqttClientTls: CertificateFiles | undefined
  /** Undefined: there are no metrics. */
  readonly metrics: MetricsPlace | undefined
  /** The proxies that are trusted to name the client of a request. */
  readonly trustProxy: readonly IpNetwork[]
}

export type ReadNetwork =
  | { readonly ok: true; readonly network: Network }
  | { readonly ok: false; readonly message: string }

/** An address of this machine; undefined when the text is not one. Names are not resolved, because they could lead elsewhere. */
function listenAddress(text: string): string | undefined {
  if (text === 'localhost') return '127.0.0.1'
  return isIP(text) === 0 ? undefined : text
}

const whatAnAddressIs =
  'must be an IP address of this machine: 127.0.0.1 for this machine alone, 0.0.0.0 for all its addresses'

/** The alternative to encryption. In production there is none. */
const unlessSaid = ({ NODE_ENV }: NetworkVariables) =>
  NODE_ENV === 'production' ? '' : ', or say ALLOW_PLAIN_MQTT=yes where the whole way is trusted'

/** What would leave the machine unencrypted against the configuration; undefined where nothing would. */
function plainFault(variables: NetworkVariables, mqttHost: string): string | undefined {
  const { ALLOW_PLAIN_MQTT, MQTT_ADMIN_URL, MQTT_TLS_CERT, MQTT_URL } = variables
  if (ALLOW_PLAIN_MQTT) return undefined
  if (MQTT_URL === undefined)
    return MQTT_TLS_CERT !== undefined || isLoopback(mqttHost)
      ? undefined
      : `MQTT_HOST lets other machines connect without encryption: set MQTT_TLS_CERT and MQTT_TLS_KEY${unlessSaid(variables)}`
  const isPlain = (url: string | undefined) => {
    const { hostname, protocol } = new URL(url ?? 'mqtts://none')
    return protocol !== 'mqtts:' && !isLoopback(hostname)
  }
  const plain = isPlain(MQTT_URL) ? 'MQTT_URL' : isPlain(MQTT_ADMIN_URL) ? 'MQTT_ADMIN_URL' : undefined
  return (
    plain &&
    `${plain} leads to another machine without encryption: begin it with mqtts://${unlessSaid(variables)}`
  )
}

/** The settings of TLS that contradict each other; undefined where none do. */
function tlsFault(variables: NetworkVariables): string | undefined {
  const { MQTT_CA, MQTT_CLIENT_CERT, MQTT_CLIENT_KEY, MQTT_TLS_CERT, MQTT_TLS_KEY, MQTT_URL } = variables
  if ((MQTT_CLIENT_CERT === undefined) !== (MQTT_CLIENT_KEY === undefined))
    return `${MQTT_CLIENT_CERT ? 'MQTT_CLIENT_KEY' : 'MQTT_CLIENT_CERT'} is missing: give both the certificate and its key, or neither`
  if (MQTT_CLIENT_CERT !== undefined && !MQTT_URL?.startsWith('mqtts:'))
    return 'MQTT_CLIENT_CERT is for an MQTT_URL that begins with mqtts://'
  if ((MQTT_TLS_CERT === undefined) !== (MQTT_TLS_KEY === undefined))
    return `${MQTT_TLS_CERT ? 'MQTT_TLS_KEY' : 'MQTT_TLS_CERT'} is missing: give both the certificate and its key, or neither`
  if (MQTT_TLS_CERT !== undefined && MQTT_URL !== undefined)
    return 'MQTT_TLS_CERT is for the embedded broker, and MQTT_URL names another: leave one of them out'
  if (MQTT_CA !== undefined && !MQTT_URL?.startsWith('mqtts:'))
    return 'MQTT_CA is for an MQTT_URL that begins with mqtts://: set both, or leave MQTT_CA out until you have that MQTT_URL, as for callgate broker setup'
  return undefined
}

/** Reads the variables about the network. MQTT_URL must be a valid URL already. */
export function readNetwork(variables: NetworkVariables): ReadNetwork {
  const refuse = (message: string): ReadNetwork => ({ ok: false, message })
  const [host, mqttHost] = [listenAddress(variables.HOST), listenAddress(variables.MQTT_HOST)]
  if (host === undefined) return refuse(`HOST ${whatAnAddressIs}`)
  if (mqttHost === undefined) return refuse(`MQTT_HOST ${whatAnAddressIs}`)
  const metricsHost = listenAddress(variables.METRICS_HOST)
  if (metricsHost === undefined) return refuse(`METRICS_HOST ${whatAnAddressIs}`)
  const metrics =
    variables.METRICS_PORT === undefined ? undefined : { host: metricsHost, port: variables.METRICS_PORT }
  const fault = tlsFault(variables) ?? plainFault(variables, mqttHost)
  if (fault !== undefined) return refuse(fault)
  const { MQTT_CA, MQTT_CLIENT_CERT, MQTT_CLIENT_KEY, MQTT_TLS_CERT, MQTT_TLS_KEY, TRUST_PROXY } = variables
  const trusted = TRUST_PROXY === undefined ? ({ ok: true, proxies: [] } as const) : readProxies(TRUST_PROXY)
  if (!trusted.ok) return trusted
  const files = (cert: string | undefined, key: string | undefined) =>
    cert === undefined || key === undefined ? undefined : { certFile: resolve(cert), keyFile: resolve(key) }
  const mqttTls = files(MQTT_TLS_CERT, MQTT_TLS_KEY)
  const mqttClientTls = files(MQTT_CLIENT_CERT, MQTT_CLIENT_KEY)
  const mqttCaFile = MQTT_CA === undefined ? undefined : resolve(MQTT_CA)
  const trustProxy = trusted.proxies
  return {
    ok: true,
    network: { host, mqttHost, mqttTls, mqttCaFile, mqttClientTls, metrics, trustProxy },
  }
}

/** The addresses for others. */
interface NetworkAddresses extends Network {
  readonly appUrl: string
  /** Undefined: the embedded broker. */
  readonly mqttUrl: string | undefined
}

/** Valid settings that cannot work for the people or gateways they are for, explained to the operator. */
export function networkComplaints({
  appUrl,
  host,
  mqttHost,
  mqttUrl,
  trustProxy,
}: NetworkAddresses): string[] {
  const { hostname, protocol } = new URL(appUrl)
  const complaints: string[] = []
  if (isLoopback(host) && !isLoopback(hostname) && trustProxy.length === 0)
    complaints.push(
      `APP_URL names ${hostname}, but the API listens on ${host}, which only this machine reaches: ` +
        'set HOST to an address that others reach, or name the proxy in front of it in TRUST_PROXY',
    )
  if (!isLoopback(host) && protocol === 'https:' && trustProxy.length === 0)
    complaints.push(
      'APP_URL begins with https://, so a proxy stands in front of the API, but TRUST_PROXY names none: ' +
        'all clients count as one, and one who sends bad keys makes all others wait',
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

/** The same for a gateway that connects to `address`. */
export function gatewayComplaints(config: NetworkAddresses, address: string): string[] {
  const isOwn = isLoopback(new URL(address).hostname)
  const onlyHere =
    `${address} leads a gateway to its own machine. ` +
    'For one elsewhere, set APP_URL and MQTT_HOST: see "Who reaches it" in install.md'
  return [...networkComplaints(config), ...(isOwn ? [onlyHere] : [])]
}
