// The baseline's cloud: the same commits, signatures and MQTT hops as one opening, with bare libraries and nothing else.

import { generateKeyPairSync, sign, verify } from 'node:crypto'
import { createServer as createHttpServer, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { Aedes } from 'aedes'
import openSqlite from 'better-sqlite3'

const [file = ''] = process.argv.slice(2)
const database = openSqlite(file)
for (const pragma of ['journal_mode = WAL', 'synchronous = FULL']) database.pragma(pragma)
database.exec('create table openings (id integer primary key, status text)')
const insert = database.prepare("insert into openings (status) values ('initiated')")
const update = database.prepare('update openings set status = ? where id = ?')

const broker = await Aedes.createBroker()
const mqtt = createServer(socket => {
  socket.setNoDelay(true)
  broker.handle(socket)
})
// One key pair signs both ways, because the cost of a signature does not depend on its key.
const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const signature = sign(null, Buffer.from('baseline'), privateKey)
/** The work of reading one signed message and sending another. */
function verifyAndSign(payload: Uint8Array) {
  verify(null, Buffer.from('baseline'), publicKey, signature)
  sign(null, payload, privateKey)
}
const waiting = new Map<string, ServerResponse>()

function publish(topic: string, payload: string) {
  broker.publish({ cmd: 'publish', topic, payload, qos: 1, retain: false, dup: false }, () => {})
}

broker.on('publish', packet => {
  const id = packet.payload.toString()
  if (packet.topic === 'claim') {
    verifyAndSign(Buffer.from(packet.payload))
    update.run('granted', id)
    publish('grant', id)
  }
  if (packet.topic === 'report') {
    verify(null, Buffer.from('baseline'), publicKey, signature)
    update.run('completed', id)
    waiting.get(id)?.end('{"opened":true}')
    waiting.delete(id)
  }
})

const http = createHttpServer((_request, response) => {
  const id = String(insert.run().lastInsertRowid)
  waiting.set(id, response)
  publish('hint', id)
})
mqtt.listen(0, '127.0.0.1', () =>
  http.listen(0, '127.0.0.1', () => {
    const port = (server: { address(): unknown }) => (server.address() as AddressInfo).port
    process.stdout.write(`${JSON.stringify({ httpPort: port(http), mqttPort: port(mqtt) })}\n`)
  }),
)
