// The cloud's process is stopped (SIGSTOP) with a press in its socket, whose client has gone before it continues.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, expect, it } from 'vitest'

let child: ChildProcess
afterAll(() => void child.kill('SIGKILL'))

const stoppedMs = 1_500

it('dates a press from before the stop, on a new and on a kept connection', async () => {
  child = fork(new URL('stoppedCloudServer.ts', import.meta.url), { execArgv: ['--import', 'tsx'] })
  const [port] = (await once(child, 'message')) as [number]
  const kept = connect(port, '127.0.0.1')
  await once(kept, 'connect')
  const ages: number[] = []
  const hasAll = new Promise<void>(resolve => {
    child.on('message', age => {
      ages.push(age as number)
      if (ages.length === 2) resolve()
    })
  })
  child.kill('SIGSTOP')
  const stoppedAt = performance.now()
  const press = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n'
  const fresh = connect(port, '127.0.0.1')
  for (const client of [kept, fresh]) client.end(press).resume()
  const leftMs = () => stoppedMs - (performance.now() - stoppedAt)
  while (leftMs() > 0) await new Promise(resolve => setTimeout(resolve, leftMs()))
  child.kill('SIGCONT')
  await hasAll
  expect(Math.min(...ages)).toBeGreaterThanOrEqual(stoppedMs)
})
