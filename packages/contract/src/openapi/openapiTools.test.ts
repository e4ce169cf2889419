import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import openapiTypescript, { astToString, type OpenAPI3 } from 'openapi-typescript'
import ts from 'typescript'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openApiDocument } from './openapi.ts'

const document = openApiDocument('https://callgate.test')

const redocly = join(
  dirname(createRequire(import.meta.url).resolve('@redocly/cli/package.json')),
  'bin/cli.js',
)

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callgate-openapi-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const processWithinMs = 180_000

/** The rules of redocly's recommended set that the document breaks, as errors or warnings. */
async function lint(what: object): Promise<string[]> {
  const file = join(folder, 'openapi.json')
  await writeFile(file, JSON.stringify(what))
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [redocly, 'lint', '--extends', 'recommended', '--format', 'json', file],
    {
      cwd: folder,
      maxBuffer: 16 * 1024 * 1024,
      // Redocly sends nothing to its makers.
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    },
    // Redocly exits with 1 when it finds errors, and still prints them.
  ).catch((error: { stdout: string }) => error)
  const { problems } = JSON.parse(stdout) as { problems: { ruleId: string; message: string }[] }
  return problems.map(({ message, ruleId }) => `${ruleId}: ${message}`)
}

it(
  'redocly finds nothing but what is planted',
  async () => {
    const { components } = document as { components: { schemas: object } }
    const schemas = { ...components.schemas, Planted: { type: 'string' } }
    expect(await lint({ ...document, components: { ...components, schemas } })).toEqual([
      expect.stringContaining('no-unused-components'),
    ])
  },
  processWithinMs,
)

/** The compiler's messages for the types and for each file in `uses`, by file. */
function compile(uses: Readonly<Record<string, string>>, types: string): Record<string, string[]> {
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    types: [],
    lib: ['lib.es5.d.ts'],
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  }
  const files = new Map(Object.entries({ ...uses, '/types.ts': types }))
  const host = ts.createCompilerHost(options)
  const { fileExists, getSourceFile, readFile } = host
  host.fileExists = path => files.has(path) || fileExists(path)
  host.readFile = path => files.get(path) ?? readFile(path)
  host.getSourceFile = (path, version) => {
    const text = files.get(path)
    return text === undefined ? getSourceFile(path, version) : ts.createSourceFile(path, text, version)
  }
  const program = ts.createProgram(Object.keys(uses), options, host)
  const found = ts.getPreEmitDiagnostics(program)
  const of = (path: string) =>
    found
      .filter(({ file }) => (file?.fileName ?? path) === path)
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
  return Object.fromEntries([...files.keys()].map(path => [path, of(path)]))
}

const body = (status: number) => `['responses'][${status}]['content']['application/json']`
const rightUse = `
  import type { components, operations, paths } from './types'
  type Open = operations['openGate']${body(200)}
  export const answer: Open = { opened: true, openingId: 'open_01kdj0v4t6w8y1a3c5e7g9j2m4' }
  export const create: components['schemas']['MemberCreate'] = {
    name: 'Ana Pop',
    accesses: [{ gateId: 'gate_x', schedules: [{ type: 'one-shot', startsAt: null }], maxUsage: 1 }],
  }
  type Problem = components['responses']['OpenFailed']['content']['application/json']
  export const isSafe = ({ error }: Problem): boolean => error.safeToRetry
  type Query = NonNullable<paths['/api/v1/openings']['get']['parameters']['query']>
  export const query: Query = { limit: 200, offset: 0, status: 'failed', include: 'reason' }
  type Openings = operations['listOpenings']${body(200)}
  export const next = ({ pagination }: Openings): string | null | number =>
    'nextCursor' in pagination ? pagination.nextCursor : pagination.offset + pagination.limit
  export const reasons = ({ openings }: Openings) => openings.map(({ reason }) => reason ?? 'none')
  type Gates = operations['listGates']${body(200)}
  export const names = ({ gates }: Gates): string[] => gates.map(({ name }) => name)
  type Schedule = components['schemas']['Schedule']
  // What was read can be sent back with one more.
  export const more = (read: Schedule[]): components['schemas']['AccessUpdate'] => ({
    schedules: [...read, { type: 'custom', daysOfWeek: [6] }],
  })
  export const daysOf = (read: Schedule) => (read.type === 'custom' ? read.daysOfWeek : [])
`
const wrongUse = `
  import type { components } from './types'
  type Sent = components['schemas']['ScheduleInput']
  export const unknown: Sent = { type: 'sometimes' }
  export const withoutDays: Sent = { type: 'custom' }
  export const withDays: Sent = { type: 'weekdays', daysOfWeek: [1] }
  export const withWindows: Sent = { type: 'always', timeWindows: [{ from: '08:00', to: '18:00' }] }
`

it(
  'the types that openapi-typescript makes compile, take right calls and refuse wrong ones',
  async () => {
    const types = astToString(await openapiTypescript(document as unknown as OpenAPI3, { silent: true }))
    expect(compile({ '/right.ts': rightUse, '/wrong.ts': wrongUse }, types)).toEqual({
      '/types.ts': [],
      '/right.ts': [],
      '/wrong.ts': [
        expect.stringContaining('"sometimes"'),
        expect.stringContaining('daysOfWeek'),
        expect.stringContaining('number[]'),
        expect.stringContaining('not assignable'),
      ],
    })
  },
  processWithinMs,
)
