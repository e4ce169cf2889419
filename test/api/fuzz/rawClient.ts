// A client that sends bytes as they are, valid HTTP or not, one request after another on a connection that is kept.

import { connect, type Socket } from 'node:net'

export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** The answer at the start of `bytes` and how long it is; undefined while it is not whole. */
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
  const hasBody = !isHead && status !== 204
  const bodyLength = hasBody ? Number(headers['content-length'] ?? 0) : 0
  const length = headEnd + 4 + bodyLength
  if (bytes.length < length) return undefined
  return { answer: { status, headers, text: bytes.subarray(headEnd + 4, length).toString() }, length }
}

export interface RawClient {
  /** The answer; undefined when the server closed the connection without one. One request at a time. */
  send(request: Buffer, isHead: boolean): Promise<RawAnswer | undefined>
  close(): void
}

/** A client of the server on a port of this machine. It connects anew when the server has closed. */
export function rawClient(port: number): RawClient {
  let socket: Socket | undefined

  function open(): Socket {
    if (socket && !socket.destroyed && socket.writable) return socket
    socket = connect({ port, host: '127.0.0.1', noDelay: true })
    return socket
  }

  return {
    send(request, isHead) {
      const line = open()
      let bytes = Buffer.alloc(0)
      return new Promise(resolve => {
        const end = (answer: RawAnswer | undefined) => {
          line.removeAllListeners()
          // A connection that ends later tells nobody anything.
          line.on('error', () => {})
          if (!answer || /close/i.test(answer.headers['connection'] ?? '')) line.destroy()
          resolve(answer)
        }
        line.on('data', (chunk: Buffer) => {
          bytes = Buffer.concat([bytes, chunk])
          let read = readAnswer(bytes, isHead)
          // An interim answer, such as 100 Continue, is none.
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
