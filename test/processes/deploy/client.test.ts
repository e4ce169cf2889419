// The client in the form that integrators get: one folder, with which a program compiles and runs without this repository.

import { execFile, execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { cloud, proofText } from '@callgate/contract/proof/proof.kit'
import { exampleOpening } from '@callgate/contract/rest/opening'
import { version } from '@callgate/world/version'
import ts from 'typescript'
import { afterAll, beforeAll, expect, it } from 'vitest'

const top = fileURLToPath(new URL('../../..', import.meta.url))
let folder: string
let installed: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callgate-client-'))
  execFileSync(process.execPath, ['--import', 'tsx', 'deploy/bundle.ts', 'client', '--to', folder], {
    cwd: top,
  })
  installed = join(folder, 'node_modules', 'callgate-client')
  await mkdir(join(folder, 'node_modules'))
  await rename(join(folder, 'client'), installed)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const program = (pressed: string) => `
import { checkWebhook, type Client, createClient, type Gate, isAction, type Member } from 'callgate-client'
import { checkProof } from 'callgate-client/proof'
const client: Client = createClient({ baseUrl: 'https://gates.example.com', apiKey: 'svc_live_x' })
export async function visit(member: Member): Promise<string> {
  const listed = await client.listGates({ query: { isActive: true } })
  const gates: readonly Gate[] = listed.ok ? listed.body.gates : []
  const { type } = member.accesses[0]?.schedules[0] ?? { type: 'always' }
  const pressed = await ${pressed}
  if (!pressed.ok) return pressed.safeToRetry ? (pressed.reason ?? type) : pressed.code
  return pressed.body.openingId + gates.map(gate => gate.lastOpenedAt?.slice(0, 10)).join()
}
export async function names(): Promise<readonly (string | undefined)[]> {
  const { body } = (await client.listActivity()) as Extract<Awaited<ReturnType<Client['listActivity']>>, { ok: true }>
  return body.activity.map(entry => (isAction(entry, 'gate.updated') ? entry.details.changes.name?.to : undefined))
}
export async function keepUp(names: Map<string, string>, secret: string, body: string): Promise<string | undefined> {
  for await (const item of client.each('listGates', { isActive: true })) if (item.ok) names.set(item.row.id, item.row.name)
  for await (const change of client.followSpace()) if (!change.ok || change.hasMissed) break
  const checked = await checkWebhook({ body, headers: { 'webhook-id': '1' }, secret })
  return checked.ok ? checked.event.type : checked.code
}
export async function prove(openingId: string, cloudKey: string): Promise<string> {
  const given = await client.getProof({ openingId })
  if (!given.ok) return given.code
  const checked = checkProof({ text: given.body.text, cloudKey })
  return checked.ok ? checked.proof.opening.gateName + checked.says.join() : checked.message
}
export const grant = (member: Member) => {
  const [access] = member.accesses
  const schedules = [...(access?.schedules ?? []), { type: 'custom' as const, daysOfWeek: [6] }]
  return client.updateAccess({ memberId: member.id, accessId: access?.id ?? '', body: { schedules } })
}
`

/** Compiles the named programs beside the folder. */
async function compile(programs: Readonly<Record<string, string>>, resolution: ts.CompilerOptions) {
  const files = Object.entries(programs).map(([name, text]) => [join(folder, name), text] as const)
  await Promise.all(files.map(([path, text]) => writeFile(path, text)))
  const options: ts.CompilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    skipDefaultLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
    types: [],
    ...resolution,
  }
  const paths = files.map(([path]) => path)
  const compiled = ts.createProgram(paths, options)
  const found = ts.getPreEmitDiagnostics(compiled)
  const saidOf = (path: string) =>
    found
      .filter(({ file }) => (file?.fileName ?? path) === path)
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))
      .join()
  // The types themselves have no error.
  expect(found.filter(({ file }) => file && !paths.includes(file.fileName))).toEqual([])
  return { compiled, complaints: paths.map(saidOf) }
}

it('is a script for each kind of module, its types, a README, a manifest and the list of its libraries', async () => {
  expect((await readdir(installed)).sort()).toEqual([
    'README.md',
    'client.d.mts',
    'client.d.ts',
    'client.js',
    'client.mjs',
    'package.json',
    'proof.d.mts',
    'proof.d.ts',
    'proof.js',
    'proof.mjs',
    'sbom.json',
  ])
  const read = async (path: string) => JSON.parse(await readFile(path, 'utf8')) as { version: string }
  expect(version).toMatch(/^\d+\.\d+\.\d+(-rc\.\d+)?$/)
  expect(await read(join(installed, 'package.json'))).toMatchObject({ name: 'callgate-client', version })
  // The client itself takes nothing from Node.
  for (const script of ['client.mjs', 'client.js'])
    expect(await readFile(join(installed, script), 'utf8')).not.toMatch(/node:|require\(/)
})

const rightCall = 'client.openGate({ gateId: "g" }, { retryOpen: 1 })'
const { Bundler, Node10, NodeNext } = ts.ModuleResolutionKind

it('has the types of the API in Node, for modules and CommonJS', async () => {
  const wrongCalls = [
    'client.openGate({})',
    'client.openGate({ gateId: "g" }, { ifMatch: "a" })',
    'client.openGate({ gateId: 1 })',
    'client.openGate({ gateId: "g", body: 1 })',
    `${rightCall}; client.listGates({}, { idempotencyKey: "a" })`,
    `${rightCall}; client.each('listGates', { cursor: "a" })`,
    `${rightCall}; client.addAccess({ memberId: "m", body: { gateId: "g", schedules: [{ type: "weekdays", daysOfWeek: [1] }] } })`,
  ]
  const programs = {
    'right.mts': program(rightCall),
    'right.cts': program(rightCall),
    ...Object.fromEntries(wrongCalls.map((call, place) => [`wrong${place}.mts`, program(call)])),
  }
  const { complaints } = await compile(programs, {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: NodeNext,
  })
  expect(complaints).toEqual([
    '',
    '',
    expect.stringContaining("'gateId' is missing"),
    expect.stringContaining("'ifMatch' does not exist"),
    expect.stringContaining("'number' is not assignable"),
    expect.stringContaining("'body' does not exist"),
    expect.stringContaining("'idempotencyKey' does not exist"),
    expect.stringContaining("'cursor' does not exist"),
    expect.stringContaining("'daysOfWeek' are incompatible"),
  ])
})

it.each([
  ['an old compiler setting', { module: ts.ModuleKind.CommonJS, moduleResolution: Node10 }],
  ['a bundler', { module: ts.ModuleKind.ESNext, moduleResolution: Bundler }],
])('has the types of the API for %s', async (_, resolution) => {
  const { complaints } = await compile({ 'right.ts': program(rightCall) }, resolution)
  expect(complaints).toEqual([''])
})

/** The properties of a type that have no comment. */
function silent(checker: ts.TypeChecker, type: ts.Type): string[] {
  return checker
    .getPropertiesOfType(type)
    .filter(property => property.getDocumentationComment(checker).length === 0)
    .map(({ name }) => name)
}

it('shows in the editor what every operation and every field is', async () => {
  const uses = `import type { Client, Failure, Gate, Member, Access, Opening, ClientOptions } from 'callgate-client'
export let client: Client, failure: Failure, gate: Gate, member: Member, access: Access, options: ClientOptions, opening: Opening`
  const { compiled } = await compile(
    { 'uses.mts': uses },
    { module: ts.ModuleKind.NodeNext, moduleResolution: NodeNext },
  )
  const checker = compiled.getTypeChecker()
  const source = compiled.getSourceFile(join(folder, 'uses.mts'))
  const module = source && checker.getSymbolAtLocation(source)
  const exported = module ? checker.getExportsOfModule(module) : []
  expect(exported).toHaveLength(7)
  const untold = exported.map(one => [one.name, silent(checker, checker.getTypeOfSymbol(one))])
  expect(Object.fromEntries(untold)).toEqual({
    client: [],
    failure: ['ok'],
    gate: [],
    member: [],
    access: [],
    options: [],
    // The type explains this one.
    opening: ['status'],
  })
})

/** Starts a service that answers every request in the same way. */
async function serve(answer: (authorization: string | undefined) => object) {
  const server = createServer((request, response) =>
    response.end(JSON.stringify(answer(request.headers.authorization))),
  )
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const baseUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/api/v1`
  return { baseUrl, stop: () => new Promise(resolve => server.close(resolve)) }
}

it('runs by itself, as a module and as CommonJS', async () => {
  const { baseUrl, stop } = await serve(name => ({ gates: [{ name }] }))
  const call = `createClient({ baseUrl: '${baseUrl}', apiKey: 'svc_live_x' }).listGates()`
  const name = `.then(listed => process.stdout.write(listed.body.gates[0].name))`
  const programs = {
    'program.mjs': `import { createClient } from 'callgate-client'\n${call}${name}`,
    'program.cjs': `const { createClient } = require('callgate-client')\n${call}${name}`,
  }
  for (const [file, text] of Object.entries(programs)) {
    await writeFile(join(folder, file), text)
    const { stdout } = await promisify(execFile)(process.execPath, [file], { cwd: folder })
    expect(stdout).toBe('Bearer svc_live_x')
  }
  await stop()
})

it('checks proofs by itself, as a module and as CommonJS', async () => {
  const text = proofText()
  const check = `for (const text of [${JSON.stringify(text)}, ${JSON.stringify(text.replace('Attic', 'Attik'))}]) {
  const checked = checkProof({ text, cloudKey: '${cloud.publicKey}' })
  console.log(checked.ok ? checked.proof.opening.gateName : checked.message)
}`
  const programs = {
    'proof.mjs': `import { checkProof } from 'callgate-client/proof'\n${check}`,
    'proof.cjs': `const { checkProof } = require('callgate-client/proof')\n${check}`,
  }
  for (const [file, program] of Object.entries(programs)) {
    await writeFile(join(folder, file), program)
    const { stdout } = await promisify(execFile)(process.execPath, [file], { cwd: folder })
    expect(stdout).toBe(`${exampleOpening.gateName}\nThe file was changed after the cloud signed it.\n`)
  }
})

it('checks a proof of the service as its page says', async () => {
  const page = await readFile(join(top, 'packages/cloud/docs/client.md'), 'utf8')
  const [, program = ''] = /```ts\n([^`]*checkProof[^`]*)```/.exec(page) ?? []
  await writeFile(join(folder, 'page.mts'), program)
  const run = (cloudKey: string) =>
    new Promise<{ code: unknown; stdout: string }>(resolve => {
      const env = { ...process.env, BASE_URL: baseUrl, API_KEY: 'svc_live_x', CLOUD_KEY: cloudKey }
      const args = ['--import', 'tsx', join(folder, 'page.mts'), 'open_1']
      execFile(process.execPath, args, { cwd: top, env }, (error, stdout) =>
        resolve({ code: error?.code ?? 0, stdout }),
      )
    })
  const { baseUrl, stop } = await serve(() => ({ fileName: 'proof.json', text: proofText() }))
  expect(await run(cloud.publicKey)).toEqual({ code: 0, stdout: expect.stringContaining('The proof holds.') })
  expect(await run('')).toEqual({ code: 1, stdout: expect.stringContaining('Another cloud has signed') })
  await stop()
})
