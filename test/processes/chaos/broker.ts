// A broker as a process of its own, on 127.0.0.1: it admits everybody, and forgets everything when it is killed.

import { createServer } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { selfSigned } from '@callgate/mqtt/certificate.kit'
import { Aedes } from 'aedes'

const [, , port, encryption] = process.argv
const broker = await Aedes.createBroker()
const server =
  encryption === 'tls'
    ? createTlsServer({ ...selfSigned, noDelay: true }, broker.handle)
    : createServer({ noDelay: true }, broker.handle)
server.listen(Number(port), '127.0.0.1')
