// What DATABASE_URL names, without its password: a file of SQLite, or a database on a server.

/** Whether the address is that of a Postgres server; else it is that of a SQLite file. */
export function isServer(url: string): boolean {
  return /^postgres(ql)?:/i.test(url)
}

/** How a database on a server is called in messages. A password can stand before the host and in the query. */
export function serverName(url: string): string {
  return url.replace(/\?.*/s, '').replace(/^([a-z]+:)(\/\/)?(.*@)?/is, 'postgres://')
}

/** What a second cloud on the same data says. */
export function servedAlready(url: string): string {
  return isServer(url)
    ? `Another cloud serves ${serverName(url)} already. Several serve one database only where each has the same broker in MQTT_URL. Stop that one, or set DATABASE_URL to another database.`
    : `Another cloud serves ${url} already, and a SQLite file has one server. Stop that one, or set CALLGATE_DATA to another folder.`
}
