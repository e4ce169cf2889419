// A light client of the benchmark of lists: it sends requests over raw sockets, because node's own client takes longer than a server.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export const connections = 16
const headEnd = Buffer.from('\r\n\r\n')
const lastChunk = '0\r\n\r\n'

/** A request as it is sent. */
export function requestBytes(path: string, key: string, isZipped: boolean): Buffer {
  const encoding = isZipped ? 'Accept-Encoding: gzip\r\n' : ''
  return Buffer.from(
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\n${encoding}\r\n`,
  )
}

/** Follows the bytes of answers. The function that it makes returns whether an answer is complete, and throws unless it is a 200. */
function answerEnd(): (bytes: Buffer) => boolean {
  /** The bytes that are still to come; undefined in a chunked body, NaN before the head. */
  let missing: number | undefined = Number.NaN
  let before: Buffer = Buffer.alloc(0)
  return bytes => {
    let body = bytes
    if (Number.isNaN(missing)) {
      const all = before.length > 0 ? Buffer.concat([before, bytes]) : bytes
      const end = all.indexOf(headEnd)
      before = all
      if (end < 0) return false
      const head = all.toString('latin1', 0, end)
      if (!head.startsWith('HTTP/1.1 200 ')) throw new Error(`not a 200: ${all.toString()}`)
      const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
      missing = length === undefined ? undefined : Number(length)
      body = all.subarray(end + headEnd.length)
      before = Buffer.alloc(0)
    }
    if (missing === undefined) before = Buffer.concat([before, body]).subarray(-lastChunk.length)
    else missing -= body.length
    const isOver = missing === undefined ? before.toString('latin1') === lastChunk : missing === 0
    if (!isOver) return false
    missing = Number.NaN
    before = Buffer.alloc(0)
    return true
  }
}

/** Asks over one connection, one request after the other, until `next` has none. */
function askInTurn(socket: Socket, next: () => Buffer | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const isComplete = answerEnd()
    const send = () => {
      const request = next()
      if (request) return void socket.write(request)
      socket.removeAllListeners()
      resolve()
    }
    socket.on('data', bytes => {
      try {
        if (isComplete(bytes)) send()
      } catch (error) {
        reject(error as Error)
      }
    })
    socket.on('error', reject).on('close', () => reject(new Error('the server closed a connection')))
    send()
  })
}

/** Sends all requests over 16 connections that are open already. Returns microseconds by the clock for each request. */
export async function rushUs(port: number, requests: readonly Buffer[]): Promise<number> {
  const sockets = Array.from({ length: connections }, () =>
    connect({ port, host: '127.0.0.1', noDelay: true }),
  )
  await Promise.all(sockets.map(socket => once(socket, 'connect')))
  let place = 0
  const next = () => requests[place++]
  const startUs = Number(process.hrtime.bigint()) / 1e3
  try {
    await Promise.all(sockets.map(socket => askInTurn(socket, next)))
    return (Number(process.hrtime.bigint()) / 1e3 - startUs) / requests.length
  } finally {
    for (const socket of sockets) socket.destroy()
  }
}
