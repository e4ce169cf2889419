// A client that sends any bytes, valid HTTP or not, one request after another on a persistent connection.

import { connect, type Socket } from 'node:net'
import { gunzipSync } from 'node:zlib'

export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** The chunked body at the start of `bytes` (RFC 9112, section 7.1), without trailers; undefined while it is not complete. */
function readChunks(bytes: Buffer): { body: Buffer; length: number } | undefined {
  const parts: Buffer[] = []
  for (let at = 0; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at)
    if (lineEnd < 0) return undefined
    const size = Number.parseInt(bytes.subarray(at, lineEnd).toString('latin1'), 16)
    const end = lineEnd + 2 + size + 2
    if (bytes.length < end) return undefined
    if (size === 0) return { body: Buffer.concat(parts), length: end }
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size))
    at = end
  }
}

/** The body after a head, chunked or of the length in the head; undefined while it is not complete. */
function readBody(
  bytes: Buffer,
  headers: RawAnswer['headers'],
): { body: Buffer; length: number } | undefined {
  if (/chunked/i.test(headers['transfer-encoding'] ?? '')) return readChunks(bytes)
  const length = Number(headers['content-length'] ?? 0)
  return bytes.length < length ? undefined : { body: bytes.subarray(0, length), length }
}

/** The answer at the start of `bytes`, and its length; undefined while it is not complete. */
function readAnswer(bytes: Buffer, isHead: boolean): { answer: RawAnswer; length: number } | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const [first = '', ...lines] = bytes.subarray(0, headEnd).toString('latin1').split('\r\n')
  const status = Number(first.split(' ')[1])
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const colon = line.indexOf(':')
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim()
  }
  const hasBody = !isHead && status !== 204 && status !== 304
  const read = hasBody ? readBody(bytes.subarray(headEnd + 4), headers) : { body: Buffer.alloc(0), length: 0 }
  if (!read) return undefined
  const body = headers['content-encoding'] === 'gzip' ? gunzipSync(read.body) : read.body
  return { answer: { status, headers, text: body.toString() }, length: headEnd + 4 + read.length }
}

export interface RawClient {
  /** Returns the answer, or undefined when the server closed the connection without one. One request at a time. */
  send(request: Buffer, isHead: boolean): Promise<RawAnswer | undefined>
  close(): void
}

/** A client of a server on this machine. It connects again after the server closed the connection. */
export function rawClient(port: number, localAddress = '127.0.0.1'): RawClient {
  let socket: Socket | undefined

  function open(): Socket {
    if (socket && !socket.destroyed && socket.writable) return socket
    socket = connect({ port, host: '127.0.0.1', localAddress, noDelay: true })
    return socket
  }

  return {
    send(request, isHead) {
      const line = open()
      let bytes = Buffer.alloc(0)
      return new Promise(resolve => {
        const end = (answer: RawAnswer | undefined) => {
          line.removeAllListeners()
          // An error after the answer does not matter.
          line.on('error', () => {})
          if (!answer || /close/i.test(answer.headers['connection'] ?? '')) line.destroy()
          resolve(answer)
        }
        line.on('data', (chunk: Buffer) => {
          bytes = Buffer.concat([bytes, chunk])
          let read = readAnswer(bytes, isHead)
          // Skip interim answers, such as 100 Continue.
          while (read && read.answer.status < 200) {
            bytes = bytes.subarray(read.length)
            read = readAnswer(bytes, isHead)
          }
          if (read) end(read.answer)
        })
        line.on('error', () => end(undefined))
        line.on('close', () => end(undefined))
        line.write(request)
      })
    },
    close: () => socket?.destroy(),
  }
}
