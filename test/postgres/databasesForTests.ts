// Before all tests: a door where a test file gets a Postgres database of its own. The server starts when the first one asks.

import { type AddressInfo, createServer } from 'node:net'
import type { TestProject } from 'vitest/node'
import { startPostgres } from './postgresServer.ts'

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  let server: ReturnType<typeof startPostgres> | undefined
  const door = createServer(socket => {
    server ??= startPostgres()
    server
      .then(({ newDatabase }) => newDatabase())
      .then(
        url => socket.end(JSON.stringify({ url })),
        error => socket.end(JSON.stringify({ error: String(error) })),
      )
    socket.on('error', () => {})
  })
  await new Promise<void>(resolve => door.listen(0, '127.0.0.1', resolve))
  project.provide('postgresDoor', (door.address() as AddressInfo).port)
  return async () => {
    door.close()
    await (await server)?.stop()
  }
}
