// Reads DATABASE_URL without its password: a file of SQLite, or a database on a server.

import { isLoopback } from '@callgate/contract/loopback'

/** Whether the address is that of a Postgres server; otherwise it is a SQLite file. */
export function isServer(url: string): boolean {
  return /^postgres(ql)?:/i.test(url)
}

/**
 * Whether the connection to the server is safe. It stays on this machine, by loopback or a socket, or it is encrypted to a server
 * whose certificate is checked. Of the values of sslmode only verify-full means that in every version of the driver.
 */
export function isSafeWay(url: string): boolean {
  // A missing host means this machine.
  const whole = url.replace('@/', '@localhost/')
  if (!URL.canParse(whole)) return false
  const { hostname, searchParams } = new URL(whole)
  const host = searchParams.getAll('host').at(-1) ?? hostname
  const isSocket = host.startsWith('/') || /^%2f/i.test(host)
  const isChecked = searchParams.getAll('sslmode').at(-1) === 'verify-full'
  return host === '' || isSocket || isLoopback(host) || isChecked
}

/** The name of a database on a server in messages. A password can stand before the host and in the query. */
export function serverName(url: string): string {
  return url.replace(/\?.*/s, '').replace(/^([a-z]+:)(\/\/)?(.*@)?/is, 'postgres://')
}

/** The message of a second cloud on the same data. */
export function servedAlready(url: string): string {
  return isServer(url)
    ? `Another cloud serves ${serverName(url)} already. Several serve one database only where each has the same broker in MQTT_URL. Stop that one, or set DATABASE_URL to another database.`
    : `Another cloud serves ${url} already, and a SQLite file has one server. Stop that one, or set CALLGATE_DATA to another folder.`
}
