// Lists too long for one turn of the event loop: written piece by piece, as fast as the client takes them.

import { Readable } from 'node:stream'
import type { World } from '@callgate/world/world'
import type { Context } from 'koa'

/** An answer of status 200 whose body is `{[list]: [...], ...rest}`. */
export interface LongList {
  readonly list: string
  /** The items. Each piece is made when it is asked for, and is little work. */
  readonly pieces: AsyncIterable<readonly object[]>
  readonly rest: object
}

/** What takes its answer more slowly is cut off: it would keep a connection and what was read for it. */
const takenWithinMs = 300_000

export function isLongList(answer: object): answer is LongList {
  return 'pieces' in answer
}

/** The body's text. Each piece has a turn of its own, so that as much is done in a turn for one client as for many. */
async function* textOf({ list, pieces, rest }: LongList, world: World): AsyncGenerator<string> {
  let before = `{${JSON.stringify(list)}:[`
  const iterator = pieces[Symbol.asyncIterator]()
  for (;;) {
    await world.turn()
    const { done, value } = await iterator.next()
    if (done) break
    const items = JSON.stringify(value).slice(1, -1)
    if (items === '') continue
    yield before + items
    before = ','
  }
  const end = JSON.stringify(rest)
  yield `${before === ',' ? '' : before}]${end === '{}' ? '}' : `,${end.slice(1)}`}`
}

/** Answers with the list. Its length is not known before its end; what fails midway cuts the answer. */
export function sendLongList(ctx: Context, world: World, answer: LongList): void {
  const body = Readable.from(textOf(answer, world), { objectMode: false })
  const timer = world.after(takenWithinMs, () => body.destroy(new Error('the answer was taken too slowly')))
  body.once('close', () => timer.cancel())
  ctx.status = 200
  ctx.set('Content-Type', 'application/json; charset=utf-8')
  ctx.body = body
}
