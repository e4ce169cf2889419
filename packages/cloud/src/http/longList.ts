// Long lists, which exceed one turn of the event loop: written piece by piece, at the pace of the client.

import { Readable } from 'node:stream'
import type { Problem } from '@callgate/contract/rest/problem'
import type { World } from '@callgate/world/world'
import type { Context } from 'koa'

/** An answer of status 200 whose body is `{[list]: [...], ...rest}`. */
export interface LongList {
  readonly list: string
  readonly headers?: Readonly<Record<string, string>>
  /** The items, each as JSON. Each piece is created on demand, by little work. */
  readonly pieces: AsyncIterable<readonly string[]>
  readonly rest: object
}

/** A text file. Its pieces are created on demand, each by little work. */
export interface LongFile {
  readonly fileName: string
  readonly contentType: string
  readonly headers?: undefined
  readonly pieces: AsyncIterable<string>
}

/** A slower client is cut off: it would hold a connection and the rows that were read for it. */
const takenWithinMs = 300_000
/** The limit on long lists that are written to one Space at once. Each holds up to two megabytes in memory. */
const mostAtOnce = 4
/** How many further lists wait for a place, and for how long. */
const mostWaiting = 20
const waitWithinMs = 30_000
const retryAfterS = 5

const tooMany: Problem = {
  problem: 'rate_limited',
  message: `${mostAtOnce} long lists are answered to a Space at once, and others wait for their place already. Send the request again in ${retryAfterS} s, or ask for pages by limit.`,
  headers: { 'Retry-After': String(retryAfterS) },
}

export function isLongList(answer: object): answer is LongList | LongFile {
  return 'pieces' in answer
}

/** The text of a file, each piece in a turn of its own. */
async function* fileTextOf({ pieces }: LongFile, spaceId: string, world: World): AsyncGenerator<string> {
  for await (const piece of pieces) {
    await world.turn(spaceId)
    yield piece
  }
}

/** `{[list]: [...], ...rest}` as JSON, of items that are JSON. */
export function listText(list: string, items: readonly string[], rest: object): string {
  return `{${JSON.stringify(list)}:[${items.join(',')}]${endOf(rest)}`
}

/** The end of the body, after the list. */
function endOf(rest: object): string {
  const end = JSON.stringify(rest)
  return end === '{}' ? '}' : `,${end.slice(1)}`
}

/** The text of the body. Each piece has a turn of its own, so that a turn is equally long for one client and for many. */
async function* textOf(
  { list, pieces, rest }: LongList,
  spaceId: string,
  world: World,
): AsyncGenerator<string> {
  let before = `{${JSON.stringify(list)}:[`
  const iterator = pieces[Symbol.asyncIterator]()
  for (;;) {
    await world.turn(spaceId)
    const { done, value } = await iterator.next()
    if (done) break
    if (value.length === 0) continue
    yield before + value.join(',')
    before = ','
  }
  yield `${before === ',' ? '' : before}]${endOf(rest)}`
}

interface Places {
  taken: number
  /** The callbacks that start the waiting lists, oldest first. */
  readonly waiting: Set<() => void>
}

/** The places for long lists in each Space. */
function placesOf(world: World) {
  const spaces = new Map<string, Places>()
  return {
    /** Takes a place; false where there is none. Each taken place must be freed. */
    async take(spaceId: string): Promise<boolean> {
      const places = spaces.get(spaceId) ?? { taken: 0, waiting: new Set() }
      spaces.set(spaceId, places)
      const { waiting } = places
      if (places.taken < mostAtOnce) {
        places.taken++
        return true
      }
      if (waiting.size >= mostWaiting) return false
      return new Promise(resolve => {
        const begin = () => {
          timer.cancel()
          waiting.delete(begin)
          resolve(true)
        }
        const timer = world.after(waitWithinMs, () => {
          waiting.delete(begin)
          resolve(false)
        })
        waiting.add(begin)
      })
    },
    leave(spaceId: string): void {
      const places = spaces.get(spaceId)
      if (!places) return
      const [next] = places.waiting
      if (next) next()
      else if (--places.taken === 0) spaces.delete(spaceId)
    },
  }
}

/**
 * Answers with long lists. The length of a list is not known before its end; a failure midway cuts the answer. Returns the
 * problem when a Space reads too many at once.
 */
export function longListSender(world: World) {
  const places = placesOf(world)
  return async (ctx: Context, spaceId: string, answer: LongList | LongFile): Promise<Problem | undefined> => {
    if (!(await places.take(spaceId))) return tooMany
    const isFile = 'fileName' in answer
    const text = isFile ? fileTextOf(answer, spaceId, world) : textOf(answer, spaceId, world)
    const body = Readable.from(text, { objectMode: false })
    const timer = world.after(takenWithinMs, () => body.destroy(new Error('the answer was taken too slowly')))
    body.once('close', () => {
      timer.cancel()
      places.leave(spaceId)
    })
    ctx.status = 200
    if (answer.headers) ctx.set(answer.headers)
    if (isFile) ctx.set('Content-Disposition', `attachment; filename="${answer.fileName}"`)
    ctx.set('Content-Type', isFile ? answer.contentType : 'application/json; charset=utf-8')
    // The stream closes with the connection, even if that has ended already.
    ctx.body = body
    return undefined
  }
}
