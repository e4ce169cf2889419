// The network of the file on the boot partition: what its fields must be together, and what they ask for. Pure.

import { isIPv4 } from 'node:net'

/** The fields, each of the right form. */
export interface NetworkFields {
  readonly wifi?: string
  readonly wifiPassword?: string
  readonly wifiCountry?: string
  readonly address?: string
  readonly router?: string
  readonly nameServers?: string
}

export interface NetworkFault {
  readonly field: string
  readonly sentence: string
}

export interface AskedNetwork {
  /** Absent: the cable. */
  readonly wifi?: {
    readonly name: string
    /** Absent: the one that was taken over before. */
    readonly password?: string
    readonly country: string
  }
  /** Absent: the router gives an address (DHCP). */
  readonly fixed?: {
    /** With the length of its network, `192.168.1.20/24`. */
    readonly address: string
    readonly router: string
    readonly nameServers: readonly string[]
  }
}

/** 802.11 counts bytes. */
const mostNameBytes = 32
const passwordBytes = { least: 8, most: 63 }
/** A network of a length outside of these has no room for a gateway and a router, or is a mistake. */
const networkLength = { least: 8, most: 30 }

const numberOf = (address: string) => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
const serversIn = (text: string) => text.split(/[ ,]+/)

/** The country as the rules of radio name it: `uk` is GB. Undefined where there is none. */
function countryOf(typed: string): string | undefined {
  const { region } = new Intl.Locale(`und-${typed}`)
  const name = region && new Intl.DisplayNames('en', { type: 'region', fallback: 'none' }).of(region)
  return name === undefined ? undefined : region
}

function wifiFaults({ wifi, wifiCountry, wifiPassword }: NetworkFields): NetworkFault[] {
  const faults: NetworkFault[] = []
  const say = (field: string, sentence: string) => faults.push({ field, sentence })
  if (wifi === undefined) {
    for (const [field, value] of Object.entries({ wifiPassword, wifiCountry }))
      if (value !== undefined) say(field, `${field} is given without wifi, the name of the Wi-Fi`)
    return faults
  }
  if (Buffer.byteLength(wifi) > mostNameBytes)
    say('wifi', `wifi must have ${mostNameBytes} bytes at most: a letter with an accent has two`)
  if (wifiCountry === undefined)
    say('wifi', 'wifiCountry is missing: the country in which the gateway is, such as RO')
  else if (countryOf(wifiCountry) === undefined)
    say('wifiCountry', 'wifiCountry is no country: write its two letters, such as RO, GB or DE')
  const bytes = Buffer.byteLength(wifiPassword ?? '')
  const isKey = /^[0-9A-Fa-f]{64}$/.test(wifiPassword ?? '')
  if (wifiPassword !== undefined && !isKey && (bytes < passwordBytes.least || bytes > passwordBytes.most))
    say('wifiPassword', `wifiPassword must have ${passwordBytes.least} to ${passwordBytes.most} characters`)
  return faults
}

function addressFaults({ address, nameServers, router }: NetworkFields): NetworkFault[] {
  if (address === undefined) {
    const alone = Object.entries({ router, nameServers }).filter(([, value]) => value !== undefined)
    return alone.map(([field]) => ({ field, sentence: `${field} is given without address` }))
  }
  const [own = '', length = ''] = address.split('/')
  const bits = Number(length)
  if (!isIPv4(own)) return [{ field: 'address', sentence: 'address must be like 192.168.1.20/24' }]
  if (bits < networkLength.least || bits > networkLength.most) {
    const { least, most } = networkLength
    return [
      { field: 'address', sentence: `address must end with /${least} to /${most}; most networks have /24` },
    ]
  }
  if (router === undefined)
    return [
      { field: 'address', sentence: 'router is missing: the address of the router, such as 192.168.1.1' },
    ]
  const networkOf = (one: string) => Math.floor(numberOf(one) / 2 ** (32 - bits))
  if (!isIPv4(router) || own === router || networkOf(own) !== networkOf(router))
    return [{ field: 'router', sentence: 'router must be another address of the network of address' }]
  if (serversIn(nameServers ?? router).every(isIPv4)) return []
  return [{ field: 'nameServers', sentence: 'nameServers must be like 192.168.1.1, 9.9.9.9' }]
}

/** What is wrong with the fields together. No sentence holds a value. */
export function networkFaults(fields: NetworkFields): NetworkFault[] {
  return [...wifiFaults(fields), ...addressFaults(fields)]
}

/** What right fields ask for; undefined where they leave the network as it is. */
export function askedNetwork(fields: NetworkFields): AskedNetwork | undefined {
  const { address, nameServers, router, wifi, wifiCountry, wifiPassword } = fields
  const country = wifiCountry === undefined ? undefined : countryOf(wifiCountry)
  const asked = {
    ...(wifi !== undefined &&
      country !== undefined && {
        wifi: { name: wifi, country, ...(wifiPassword !== undefined && { password: wifiPassword }) },
      }),
    ...(address !== undefined &&
      router !== undefined && {
        fixed: { address, router, nameServers: serversIn(nameServers ?? router) },
      }),
  }
  return Object.keys(asked).length > 0 ? asked : undefined
}
