// The baseline's gateway: the same MQTT hops, signatures, fsyncs and one write to the serial port, with bare libraries.

import { generateKeyPairSync, sign, verify } from 'node:crypto'
import { fsync, openSync, writeSync } from 'node:fs'
import { goOnAtOnce } from '@callgate/modem/serial'
import { connect } from 'mqtt'
import { SerialPort } from 'serialport'

const [mqttPort = '', portPath = '', journalFile = ''] = process.argv.slice(2)
const journal = openSync(journalFile, 'a')
const port = new SerialPort({ path: portPath, baudRate: 115200 })
const client = connect(`mqtt://127.0.0.1:${mqttPort}`)
let id = ''
const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const baseline = Buffer.from('baseline')
const signature = sign(null, baseline, privateKey)

port.on('open', () => goOnAtOnce(port, () => void setImmediate(() => {})))
client.on('connect', () => {
  ;(client as unknown as { stream: { setNoDelay(on: boolean): void } }).stream.setNoDelay(true)
  client.subscribe(['hint', 'grant'], { qos: 1 }, () => process.stdout.write('{"ready":true}\n'))
})
client.on('message', (topic, payload) => {
  id = payload.toString()
  if (topic === 'hint') {
    sign(null, payload, privateKey)
    client.publish('claim', id, { qos: 1 })
  }
  if (topic === 'grant') {
    verify(null, baseline, publicKey, signature)
    writeSync(journal, `intent ${id}\n`)
    fsync(journal, () => {
      writeSync((port.port as unknown as { fd: number }).fd, 'ATD+40722000001;\r')
    })
  }
})
port.on('data', () => {
  sign(null, baseline, privateKey)
  writeSync(journal, `verdict ${id}\n`)
  fsync(journal, () => client.publish('report', id, { qos: 1 }))
})
