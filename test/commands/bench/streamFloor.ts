// The floor of event streams, as a process that reports its memory: node:http that keeps the answers open, and writes each event
// to all of them.

import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { CloudMessage } from './cloudProcess.ts'
import { collectedMemory } from './processUse.ts'

const open = new Set<ServerResponse>()
const data = JSON.stringify({ kind: 'gate.created', targetId: `gate_${'0'.repeat(26)}`, gateId: null })
let seq = 0

function tellAll(): void {
  seq += 1
  for (const response of open) response.write(`id: ${seq}\nevent: change\ndata: ${data}\n\n`)
}

const server = createServer((request, response) => {
  if (request.method === 'POST') {
    tellAll()
    return void response.writeHead(201).end()
  }
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' })
  response.write(`id: ${seq}\nevent: reset\ndata: {}\n\n`)
  open.add(response)
  return void response.once('close', () => open.delete(response))
})
const send = (message: CloudMessage) => void process.send?.(message)
process.on('message', () => send(collectedMemory()))
process.on('disconnect', () => process.exit(0))
server.listen(0, '0.0.0.0', () => send({ port: (server.address() as AddressInfo).port }))
