// The process of slow clients (slowloris): connections that send one byte a second, and reconnect when they are closed.

import { connect, type Socket } from 'node:net'

const [httpPort = 0, mqttPort = 0, wanted = 0] = process.argv.slice(2).map(Number)
/** Their loopback addresses. Most connections come from the first. */
const addresses = ['127.0.0.1', '127.0.0.2', '127.0.0.3', '127.0.0.4']
const everyMs = 1_000
const comeBackAfterMs = 500
/** Incomplete requests: each byte keeps the connection open. */
const words = {
  http: Buffer.from(`GET /${'a'.repeat(4_000)} HTTP/1.1\r\n`),
  mqtt: Buffer.from([0x10, 0xff, 0x7f, ...Buffer.alloc(4_000, 0x41)]),
}

const open = new Set<Socket>()
let thrownOut = 0

function come(place: number): void {
  const isHttp = place % 2 === 0
  const localAddress = addresses[place % 8 < 5 ? 0 : (place % 3) + 1] ?? '127.0.0.1'
  const port = isHttp ? httpPort : mqttPort
  const said = isHttp ? words.http : words.mqtt
  const socket = connect({ host: '127.0.0.1', port, localAddress })
  let byte = 0
  const talk = setInterval(() => {
    if (byte < said.length) socket.write(said.subarray(byte, ++byte))
  }, everyMs)
  socket.on('connect', () => open.add(socket))
  socket.on('error', () => {})
  socket.on('data', () => {})
  socket.on('close', () => {
    clearInterval(talk)
    if (open.delete(socket)) thrownOut++
    setTimeout(() => come(place), comeBackAfterMs)
  })
}

for (let place = 0; place < wanted; place++) come(place)
process.on('message', () => process.send?.({ open: open.size, thrownOut }))
// The command has ended.
process.on('disconnect', () => process.exit(0))
process.send?.({ open: 0, thrownOut: 0 })
