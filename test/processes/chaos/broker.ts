// A broker as a process of its own, on 127.0.0.1: it admits everybody, and forgets everything when it is killed.

import { createServer } from 'node:net'
import { Aedes } from 'aedes'

const [, , port] = process.argv
const broker = await Aedes.createBroker()
createServer({ noDelay: true }, broker.handle).listen(Number(port), '127.0.0.1')
