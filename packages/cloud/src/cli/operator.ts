// The operator as a principal of the API: the same schemas and the same handlers, in this process and without HTTP.

import type { Answer, CallShape } from '@callgate/contract/rest/operation'
import { isProblem, type Problem } from '@callgate/contract/rest/problem'
import { checker, fieldPath, shownName } from '@callgate/contract/validate'
import { readNamed } from '../backup/operatorFiles.ts'
import { repeatedName } from '../core/repeatedName.ts'
import { type Reach, type Write, writeUnlessProblem } from '../database/transaction.ts'
import type { LongFile, LongList } from '../http/longList.ts'
import { queryReader } from '../http/query.ts'
import type { WrittenList } from '../http/reply.ts'
import type { LinkParts } from '../member/memberLinks.ts'
import { loadKeyring } from '../secrets/keyring.ts'
import { listSpaces } from '../space/spaces.ts'
import { actor, type CommandParts, type CommandWork, type Options, type Said } from './commandWork.ts'

/** A failure, as one sentence for a person. */
type Refused = { readonly ok: false; readonly message: string }

type BodyOf<Shape extends CallShape> = NonNullable<Answer<Shape>['body']>

interface OperationInput {
  readonly params?: Readonly<Record<string, string>>
  /** The query of the operation, by its own names. Undefined values are left out. */
  readonly query?: Readonly<Record<string, string | undefined>>
  readonly body?: unknown
}

/** An operator in one Space. */
export interface Operator {
  readonly spaceId: string
  /** IANA name. */
  readonly timezone: string
  /** The body of a command: that of `--file` alone, or the options. Undefined options are left out. */
  readBody(
    options: Options,
    fields: Readonly<Record<string, unknown>>,
  ): Promise<{ readonly ok: true; readonly value: unknown } | Refused>
  /** Calls the operation's handler with the input that passes its schemas. A long list is collected whole. */
  call<Shape extends CallShape>(
    shape: Shape,
    handle: (request: never) => Promise<object>,
    given: OperationInput,
  ): Promise<{ readonly ok: true; readonly body: BodyOf<Shape> } | Refused>
}

/** The Space of `--space`; without it the only one. The message says how to name one where there are none or several. */
async function spaceOf({ database }: CommandParts, spaceId: string | undefined) {
  const spaces = await listSpaces(database)
  const [only, ...others] = spaces
  if (spaceId !== undefined)
    return (
      spaces.find(space => space.spaceId === spaceId) ??
      `There is no Space ${spaceId}; see "callgate space list".`
    )
  if (!only) return 'There is no Space yet; "callgate space create" makes one.'
  if (others.length === 0) return only
  return `There are ${spaces.length} Spaces: say which one with --space; "callgate space list" lists them.`
}

/** Runs the command with the id of its Space. */
export async function workInSpace(parts: CommandParts, options: Options, work: CommandWork): Promise<Said> {
  const found = await spaceOf(parts, options['space'])
  if (typeof found === 'string') return { ok: false, message: found }
  return work(parts, { ...options, space: found.spaceId })
}

function querystringOf(query: OperationInput['query'] = {}): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return new URLSearchParams(given).toString()
}

/** The answer of a handler. */
type Answered = Problem | LongList | LongFile | WrittenList | { readonly body?: object }

async function gather(answered: Exclude<Answered, Problem>): Promise<object> {
  if ('json' in answered) return JSON.parse(answered.json) as object
  if (!('pieces' in answered)) return answered.body ?? {}
  if ('fileName' in answered) throw new Error('a file is no answer of a command')
  const items: object[] = []
  for await (const piece of answered.pieces) items.push(...piece.map(item => JSON.parse(item)))
  return { [answered.list]: items, ...answered.rest }
}

/** The operator in the Space of the options, or why there is none. */
export async function operatorIn(parts: CommandParts, { space }: Options): Promise<Operator | Refused> {
  const { database } = parts
  const found = await spaceOf(parts, space)
  if (typeof found === 'string') return { ok: false, message: found }
  const { country, spaceId, timezone } = found
  const principal = {
    spaceId,
    country,
    actor,
    name: actor,
    email: null,
    base: '/api/v1',
    identity: { kind: 'operator' },
    role: 'owner',
    isConfirmed: true,
  } as const
  return {
    spaceId,
    timezone,
    readBody: (options, fields) => readBody(parts, options, fields),
    async call(shape, handle, { body, params = {}, query }) {
      const checked = shape.body && checker(shape.body, 'the file')(body ?? (shape.bodyOptional && {}))
      if (checked && !checked.ok) return { ok: false, message: `${checked.message}.` }
      const asked = queryReader(shape)(querystringOf(query))
      if (!asked.ok) return { ok: false, message: `${asked.problem.message}.` }
      const request = {
        principal,
        params,
        query: asked.value,
        body: checked?.value,
        stale: () => undefined,
        write: (work: Parameters<Write>[0], reach: Reach = { spaceId }) =>
          writeUnlessProblem(database, work, reach),
      }
      // The checked values fit the schemas of this operation, which the compiler cannot see through `unknown`.
      const answered = (await handle(request as never)) as Answered
      if (isProblem(answered)) return { ok: false, message: answered.message.replace(/[^.]$/, '$&.') }
      return { ok: true, body: (await gather(answered)) as BodyOf<typeof shape> }
    },
  }
}

/** The parts that show and create links: the keys in the data folder, and the address of the pages. */
export async function linkParts({ config, world }: CommandParts): Promise<LinkParts | Refused> {
  const loaded = await loadKeyring(world, config.keys)
  return loaded.ok ? { seal: loaded.keyring.seal, appUrl: config.appUrl } : loaded
}

export function isRefused(value: object): value is Refused {
  return 'ok' in value && value.ok === false
}

/** The same limit as that of a body over HTTP. */
const mostBytes = 64 * 1024

/** The JSON of `--file`; or the fault of the file. */
async function readJsonFile(
  { files }: Pick<CommandParts, 'files'>,
  file: string,
): Promise<{ readonly ok: true; readonly value: unknown } | Refused> {
  const refuse = (what: string): Refused => ({ ok: false, message: `The file ${file} ${what}.` })
  const bytes = await readNamed(files, file)
  if (typeof bytes === 'string') return refuse(bytes)
  if (bytes.length > mostBytes) return refuse(`has more than ${mostBytes / 1024} KiB`)
  const text = bytes.toString('utf8')
  try {
    const value: unknown = JSON.parse(text)
    const repeated = repeatedName(text)
    return repeated ? refuse(`has ${fieldPath(repeated.map(shownName))} more than once`) : { ok: true, value }
  } catch {
    return refuse('is not valid JSON')
  }
}

async function readBody(
  parts: Pick<CommandParts, 'files'>,
  { file }: Options,
  fields: Readonly<Record<string, unknown>>,
): Promise<{ readonly ok: true; readonly value: unknown } | Refused> {
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  if (file === undefined) return { ok: true, value: given }
  if (Object.keys(given).length > 0)
    return {
      ok: false,
      message: 'Give --file alone: it holds the whole body, so no other option goes with it.',
    }
  return readJsonFile(parts, file)
}

/** An option as a number; any other text stays text, and the schema refuses it by its name. */
export function numberOf(text: string | undefined): number | string | undefined {
  return text !== undefined && /^-?[0-9]{1,10}$/.test(text) ? Number(text) : text
}

/** An empty text clears the field. */
export function orNull(text: string | undefined): string | null | undefined {
  return text === '' ? null : text
}
