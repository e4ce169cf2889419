// A network for the machines of a walk: a bridge, and a namespace for each machine. Ports and names of this machine do not matter there.

import { execFileSync } from 'node:child_process'
import { createServer, request, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { bridgeOf } from './leftovers.ts'

export interface Network {
  /** This machine's address there. */
  readonly host: string
  /** The proxy on this machine by which Debian's mirror and npm's registry are reached. */
  readonly proxy: string
  /** Makes the next machine's place. */
  addMachine(): { readonly address: string; readonly namespace: string }
  /** Ends the proxy. The bridge and the places are removed with the rest of the walk. */
  close(): void
}

const ip = (...args: string[]) => execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'inherit'] })

/** Passes requests on to where they lead: the namespaces have no way out. */
function startProxy(address: string) {
  const fails = (response: ServerResponse) => () => response.headersSent || response.writeHead(502).end()
  const server = createServer((asked, response) => {
    const { headers, method, url = '' } = asked
    const onward = request(url, { headers, method }, answer => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    onward.on('error', fails(response))
    asked.pipe(onward)
  })
  server.on('connect', ({ url = '' }, socket) => {
    const { hostname, port } = new URL(`tcp://${url}`)
    const onward = connect(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      socket.pipe(onward).pipe(socket)
    })
    onward.on('error', () => socket.destroy())
    socket.on('error', () => onward.destroy())
  })
  return new Promise<typeof server>(resolve => server.listen(0, address, () => resolve(server)))
}

/** Makes the network 198.18.N.0/24, which no machine outside has (RFC 2544). */
export async function makeNetwork(): Promise<Network> {
  const bridge = bridgeOf(process.pid)
  const prefix = `198.18.${process.pid % 256}`
  const host = `${prefix}.1`
  let places = 0
  ip('link', 'add', bridge, 'type', 'bridge')
  ip('address', 'add', `${host}/24`, 'dev', bridge)
  ip('link', 'set', bridge, 'up')
  const server = await startProxy(host)
  return {
    host,
    proxy: `http://${host}:${(server.address() as AddressInfo).port}`,
    addMachine() {
      const place = places++
      const namespace = `${bridge}-${place}`
      const [outside, address] = [`w${process.pid}-${place}`, `${prefix}.${10 + place}`]
      ip('netns', 'add', namespace)
      ip('link', 'add', outside, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace)
      ip('link', 'set', outside, 'master', bridge, 'up')
      ip('-n', namespace, 'address', 'add', `${address}/24`, 'dev', 'eth0')
      for (const device of ['eth0', 'lo']) ip('-n', namespace, 'link', 'set', device, 'up')
      return { address, namespace }
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
