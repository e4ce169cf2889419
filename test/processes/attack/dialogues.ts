// The dialogues that are cut: whole exchanges with the cloud, over HTTP and over MQTT.

import { topicOf } from '@callgate/contract/wire/topics'

export interface Dialogue {
  readonly name: string
  readonly port: 'http' | 'mqtt'
  readonly bytes: Buffer
}

export interface Credentials {
  readonly key: string
  readonly gatewayId: string
  readonly mqttPassword: string
}

const text = (value: string) => {
  const bytes = Buffer.from(value)
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes])
}

/** One MQTT packet of less than 16 KiB (MQTT 3.1.1, section 2.2.3). */
function packet(type: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  const length = body.length < 128 ? [body.length] : [(body.length & 127) | 128, body.length >> 7]
  return Buffer.concat([Buffer.from([type, ...length]), body])
}

/** A CONNECT of protocol level 4 with user name, password and a clean session. */
function login(id: string, password: string): Buffer {
  return packet(0x10, text('MQTT'), Buffer.from([4, 0xc2, 0, 60]), text(id), text(id), text(password))
}

const beatOf = (id: string) => packet(0x32, text(topicOf(id, 'beat')), Buffer.from([0, 2]), Buffer.from('{}'))

/** A gateway's login, a subscription, an unsigned beat, a ping and the end. */
export function aGateway({ gatewayId: id, mqttPassword }: Credentials): Dialogue {
  const subscribe = packet(0x82, Buffer.from([0, 1]), text(topicOf(id, 'hint')), Buffer.from([1]))
  const end = Buffer.from([0xc0, 0, 0xe0, 0])
  const bytes = Buffer.concat([login(id, mqttPassword), subscribe, beatOf(id), end])
  return { name: 'a gateway', port: 'mqtt', bytes }
}

/** Each is cut after every byte. */
export function dialogues(credentials: Credentials): readonly Dialogue[] {
  const { gatewayId: id, key } = credentials
  const authorized = `Authorization: Bearer ${key}\r\nHost: localhost\r\n`
  const gate = JSON.stringify({ name: 'Cut', phoneNumber: '+40722000099' })
  const http: Readonly<Record<string, string>> = {
    'a tunnel': 'CONNECT a:1 HTTP/1.1\r\n\r\n',
    // This many, because not every reset comes at a harmful moment.
    'a tunnel with bytes for it': `CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n${'\u0016'.repeat(200)}`,
    'a tunnel after a request': `GET /healthz HTTP/1.1\r\n\r\nCONNECT a:1 HTTP/1.1\r\n\r\n`,
    'an upgrade': 'GET /healthz HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    'no HTTP': '\u0016\u0003\u0001\r\n\r\n',
    'a list': `GET /api/v1/gates HTTP/1.1\r\n${authorized}\r\n`,
    'a body': `POST /api/v1/gates HTTP/1.1\r\n${authorized}Content-Type: application/json\r\nContent-Length: ${gate.length}\r\n\r\n${gate}`,
    'a body in chunks': `POST /api/v1/gates HTTP/1.1\r\n${authorized}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${gate.length.toString(16)}\r\n${gate}\r\n0\r\n\r\n`,
    'a body that waits': `POST /api/v1/gates HTTP/1.1\r\n${authorized}Expect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: ${gate.length}\r\n\r\n${gate}`,
    'an odd expectation': `GET /healthz HTTP/1.1\r\nExpect: tea\r\n\r\n`,
    'the documentation': 'GET /docs HTTP/1.1\r\nHost: localhost\r\n\r\n',
    "a guest's page": `GET /g/${'x'.repeat(43)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    'requests in a row': 'GET /healthz HTTP/1.1\r\n\r\n'.repeat(4),
  }
  const mqtt: Readonly<Record<string, Buffer>> = {
    'a wrong password': login(id, 'wrong'),
    'a packet before the login': beatOf(id),
    'no MQTT': Buffer.from('GET / HTTP/1.1\r\n\r\n'),
  }
  return [
    ...Object.entries(http).map(
      ([name, said]): Dialogue => ({ name, port: 'http', bytes: Buffer.from(said, 'latin1') }),
    ),
    aGateway(credentials),
    ...Object.entries(mqtt).map(([name, bytes]): Dialogue => ({ name, port: 'mqtt', bytes })),
  ]
}
