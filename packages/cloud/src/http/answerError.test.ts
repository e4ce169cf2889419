import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fakeWorld } from '@callgate/world/fake'
import Koa from 'koa'
import { expect, it } from 'vitest'
import { DatabaseError } from '../database/databaseError.ts'
import { answerErrors } from './answerError.ts'

it.each([
  ['503 where the database refuses it', new DatabaseError('busy', 'Busy.'), 503],
  ['500 where the program fails', new Error('a bug'), 500],
])(
  'answers a request with %s, and gives it no cookie of a session that is not stored',
  async (_, thrown, status) => {
    const app = new Koa().use(answerErrors(fakeWorld())).use(ctx => {
      ctx.cookies.set('session', 'token')
      throw thrown
    })
    const server = createServer(app.callback()).listen(0, '127.0.0.1')
    try {
      await new Promise(resolve => server.once('listening', resolve))
      const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
      expect([answer.status, answer.headers.get('Set-Cookie')]).toEqual([status, null])
    } finally {
      server.close()
    }
  },
)
