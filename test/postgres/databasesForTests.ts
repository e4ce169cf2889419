// Before all tests: an endpoint where a test file gets a Postgres database of its own; the server starts with the first request.

import { type AddressInfo, createServer, type Socket } from 'node:net'
import { startPostgres } from './postgresServer.ts'

/** A client sends its request and gets an address. Its database lasts until the connection ends. */
async function serve(socket: Socket, server: ReturnType<typeof startPostgres>): Promise<void> {
  const over = new Promise(resolve => socket.once('close', resolve))
  socket.on('error', () => {})
  const wanted = await new Promise<string>(resolve => socket.once('data', bytes => resolve(String(bytes))))
  try {
    const { dropDatabase, newDatabase } = await server
    const { name, url } = await newDatabase(wanted === 'migrated')
    socket.write(JSON.stringify({ url }))
    await over
    await dropDatabase(name)
  } catch (error) {
    socket.end(JSON.stringify({ error: String(error) }))
  }
}

export async function setup(): Promise<() => Promise<void>> {
  let server: ReturnType<typeof startPostgres> | undefined
  const serving = new Set<Promise<void>>()
  const listener = createServer(socket => {
    server ??= startPostgres()
    const served = serve(socket, server).finally(() => serving.delete(served))
    serving.add(served)
  })
  await new Promise<void>(resolve => listener.listen(0, '127.0.0.1', resolve))
  process.env.CALLGATE_TEST_POSTGRES = String((listener.address() as AddressInfo).port)
  return async () => {
    listener.close()
    await Promise.all(serving)
    await (await server)?.stop()
  }
}
