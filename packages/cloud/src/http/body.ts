// Request bodies: JSON of at most 64 KiB and eight levels, checked against an operation's schema.

import type { CallShape } from '@callgate/contract/rest/operation'
import type { Problem } from '@callgate/contract/rest/problem'
import { type Fault, faultFinder, fieldPath, shownName, unfit } from '@callgate/contract/validate'
import type { Context } from 'koa'
import { koaBody } from 'koa-body'
import { repeatedName } from '../core/repeatedName.ts'

/** The value that was read, or the problem with it. */
export type Read =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: Problem }

/** The largest body of an operation without a limit of its own. */
export const usualBytes = 64 * 1024
const usualLevels = 8

function invalid(message: string): Read {
  return { ok: false, problem: { problem: 'validation_error', message } }
}

function wrongType(message: string): Read {
  return { ok: false, problem: { problem: 'unsupported_media_type', message } }
}

const notJson = wrongType('The body must be JSON: send Content-Type: application/json.')
const wrongCharset = wrongType('The body must be UTF-8: leave the charset out of Content-Type.')
const wrongEncoding = wrongType(
  'The body may be compressed by gzip, deflate or br: Content-Encoding names another.',
)

const tooLarge = (mostBytes: number): Read => ({
  ok: false,
  // The rest of the body is not read, so the connection cannot serve another request.
  problem: {
    problem: 'payload_too_large',
    message: `The body must have at most ${mostBytes / 1024} KiB.`,
    headers: { Connection: 'close' },
  },
})

/** Whether arrays and objects are nested in each other more than `levels` deep. */
function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some(member => isDeeperThan(member, levels - 1))
}

/** The problem for a failure of koa-body or the libraries below it. */
function readFailure(error: unknown, mostBytes: number): Read {
  const { status, type } = error as { status?: unknown; type?: unknown }
  if (status === 413) return tooLarge(mostBytes)
  if (status === 415) return wrongEncoding
  if (type === 'request.aborted' || type === 'request.size.invalid')
    return invalid('The body did not arrive whole.')
  // Includes zlib's own errors, for a body that is not compressed as its header says.
  return invalid('The body does not arrive as its Content-Encoding says.')
}

/** Reads the body as a text with one character for each byte. We decode it ourselves, to refuse broken UTF-8. */
const bytesReader = (textLimit: number) =>
  koaBody({
    textTypes: ['application/json'],
    textLimit,
    encoding: 'latin1',
    json: false,
    urlencoded: false,
    multipart: false,
    patchKoa: true,
  })

/** How the bodies of one operation are read. */
interface Reading {
  readonly isTypeOptional: boolean
  readonly mostBytes: number
  readonly mostLevels: number
  readonly readBytes: ReturnType<typeof bytesReader>
}

const noBody: Read = { ok: true, value: undefined }

/** Whether the body has any bytes. Used where its length is unknown and it will not be read. */
async function hasBytes({ req }: Context): Promise<boolean> {
  await new Promise<void>(resolve => {
    for (const event of ['readable', 'end', 'close', 'error']) req.once(event, () => resolve())
  })
  return req.read() !== null
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Parses bytes as JSON; undefined when there are none. Refuses bytes that are not UTF-8, because decoding would change them; and
 * JSON that is too deep or names a member twice.
 */
function parse(bytes: Uint8Array, mostLevels: number): Read {
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    return invalid('The body is not valid UTF-8.')
  }
  if (text === '') return noBody
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return invalid('The body is not valid JSON.')
  }
  if (isDeeperThan(value, mostLevels)) return invalid(`The body may be nested ${mostLevels} levels deep.`)
  const repeated = repeatedName(text)
  // Readers differ in which of two values they take (RFC 8259, section 4).
  return repeated
    ? invalid(`${fieldPath(repeated.map(shownName))} is given more than once`)
    : { ok: true, value }
}

/** The body as JSON; undefined when there is none. */
async function readJson(ctx: Context, reading: Reading): Promise<Read> {
  const { isTypeOptional, mostBytes, mostLevels, readBytes } = reading
  const { headers } = ctx.req
  const isChunked = headers['transfer-encoding'] !== undefined
  if (!isChunked && (ctx.request.length ?? 0) === 0) return noBody
  if (isTypeOptional && headers['content-type'] === undefined) headers['content-type'] = 'application/json'
  if (!ctx.is('application/json')) return isChunked && !(await hasBytes(ctx)) ? noBody : notJson
  if (!/^(utf-?8)?$/i.test(ctx.request.charset)) return wrongCharset
  if ((ctx.request.length ?? 0) > mostBytes) return tooLarge(mostBytes)
  try {
    await readBytes(ctx, async () => {})
  } catch (error) {
    return readFailure(error, mostBytes)
  }
  return parse(Buffer.from(String(ctx.request.body), 'latin1'), mostLevels)
}

/** How many faults of one item are said. */
const saidOfItem = 5

/** The faults of a body that has a list of `items`, by the place of the item; none where they are of no item. */
function faultsOfItems(faults: readonly Fault[]) {
  const said = new Map<number, string[]>()
  for (const { sentence, steps } of faults) {
    const [list, place = ''] = steps
    if (list !== 'items' || !/^\d+$/.test(place)) continue
    const before = said.get(Number(place)) ?? []
    said.set(Number(place), before)
    if (before.length < saidOfItem) before.push(sentence)
  }
  return [...said]
    .sort(([one], [other]) => one - other)
    .map(([index, all]) => ({ index, message: all.join('; ') }))
}

function refuseBody(faults: readonly Fault[]): Read {
  const { message, refusals } = unfit(faults)
  const ofItems = faultsOfItems(faults)
  const extra = ofItems.length > 0 && { extra: { faults: ofItems } }
  return { ok: false, problem: { problem: 'validation_error', message, refusals, ...extra } }
}

/** Makes a reader of the bodies of one operation: 415, then 413, then 400. Undefined for an operation without a body. */
export function bodyReader(operation: CallShape): (ctx: Context) => Promise<Read> {
  const { body, bodyOptional = false } = operation
  if (!body) return async () => ({ ok: true, value: undefined })
  const find = faultFinder(body, 'the body')
  const { mostBodyBytes: mostBytes = usualBytes, mostBodyLevels: mostLevels = usualLevels } = operation
  const reading = { isTypeOptional: bodyOptional, mostBytes, mostLevels, readBytes: bytesReader(mostBytes) }
  return async ctx => {
    const json = await readJson(ctx, reading)
    if (!json.ok) return json
    if (json.value === undefined && !bodyOptional) return invalid('A JSON body is needed.')
    const value = json.value === undefined ? {} : json.value
    const faults = find(value)
    return faults.length === 0 ? { ok: true, value } : refuseBody(faults)
  }
}
