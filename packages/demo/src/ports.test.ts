// Ports: the usual one or a free one, and none twice.

import { createServer } from 'node:net'
import { expect, it } from 'vitest'
import { choosePort, machinePorts } from './ports.ts'

const probe = (free: readonly number[], others: number[]) => ({
  isFree: async (port: number) => free.includes(port),
  anyFree: async () => others.shift() ?? 0,
})

it('uses the usual port when it is free', async () => {
  expect(await choosePort(8080, [], probe([8080], []))).toEqual({ port: 8080 })
})

it('uses another port when the usual one is in use, and names the usual one', async () => {
  expect(await choosePort(8080, [], probe([], [41_000]))).toEqual({ port: 41_000, insteadOf: 8080 })
})

it('returns no port twice', async () => {
  expect(await choosePort(8080, [8080, 41_000], probe([8080], [41_000, 41_001]))).toEqual({
    port: 41_001,
    insteadOf: 8080,
  })
})

it('notices a port that is in use on only one address of this machine', async () => {
  const server = createServer()
  const port = await new Promise<number>(resolve => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : 0)
    })
  })
  expect(await machinePorts.isFree(port)).toBe(false)
  const other = await choosePort(port, [], machinePorts)
  expect(other.insteadOf).toBe(port)
  expect(await machinePorts.isFree(other.port)).toBe(true)
  server.close()
})
