// The cloud's HTTP server as a process: it reports how old each request is when it reads it.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { waitingServer } from '@callgate/cloud/http/server'
import { receivedAt } from '@callgate/cloud/http/stalls'
import { realWorld } from '@callgate/world/real'
import { ageMs } from '@callgate/world/world'

const world = realWorld({ logLevel: 'silent' })
const answer = (request: IncomingMessage, response: ServerResponse) => {
  process.send?.(ageMs(world, receivedAt(world, request)))
  response.writeHead(204).end()
}
const { open, server } = waitingServer(world, { callback: () => answer }, {})
open()
process.on('disconnect', () => process.exit(0))
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.(typeof address === 'object' ? address?.port : 0)
})
