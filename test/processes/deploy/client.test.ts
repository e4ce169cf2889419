// The client as it is handed to integrators: one folder, of which a program compiles and runs without this repository.

import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
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
import { type Client, createClient, type Gate, type Member } from 'callgate-client'
const client: Client = createClient({ baseUrl: 'https://gates.example.com', apiKey: 'svc_live_x' })
export async function visit(member: Member): Promise<string> {
  const listed = await client.listGates({ query: { isActive: true } })
  const gates: readonly Gate[] = listed.ok ? listed.body.gates : []
  const { type } = member.accesses[0]?.schedules[0] ?? { type: 'always' }
  const pressed = await ${pressed}
  if (!pressed.ok) return pressed.safeToRetry ? (pressed.reason ?? type) : pressed.code
  return pressed.body.openingId + gates.map(gate => gate.lastOpenedAt?.slice(0, 10)).join()
}
`

/** What the compiler has to say of each program, beside the folder. */
async function complaints(texts: readonly string[]): Promise<string[]> {
  const paths = texts.map((_, place) => join(folder, `program${place}.mts`))
  await Promise.all(paths.map((path, place) => writeFile(path, texts[place] ?? '')))
  const compiled = ts.createProgram(paths, {
    strict: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
    types: [],
  })
  const found = ts.getPreEmitDiagnostics(compiled)
  const saidOf = (path: string | undefined) =>
    found
      .filter(({ file }) => file?.fileName === path)
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))
      .join()
  expect(found.filter(({ file }) => !paths.includes(file?.fileName ?? ''))).toEqual([])
  return paths.map(saidOf)
}

it('is a script, its types and a manifest, and imports nothing', async () => {
  expect((await readdir(installed)).sort()).toEqual(['client.d.ts', 'client.js', 'package.json'])
})

it('has the types of the contract', async () => {
  const calls = [
    'client.openGate({ gateId: "g" }, { retryOpen: 1 })',
    'client.openGate({})',
    'client.openGate({ gateId: "g" }, { ifMatch: "a" })',
    'client.openGate({ gateId: 1 })',
  ]
  expect(await complaints(calls.map(program))).toEqual([
    '',
    expect.stringContaining("'gateId' is missing"),
    expect.stringContaining("'ifMatch' does not exist"),
    expect.stringContaining("'number' is not assignable"),
  ])
})

it('runs by itself', async () => {
  const server = createServer((request, response) =>
    response.end(JSON.stringify({ gates: [{ name: request.headers.authorization }] })),
  )
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const baseUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  const lines = `import { createClient } from 'callgate-client'
    const listed = await createClient({ baseUrl: '${baseUrl}', apiKey: 'svc_live_x' }).listGates()
    export const name = listed.body.gates[0].name`
  await writeFile(join(folder, 'program.mjs'), lines)
  const { name } = (await import(pathToFileURL(join(folder, 'program.mjs')).href)) as { name: string }
  expect(name).toBe('Bearer svc_live_x')
  await new Promise(resolve => server.close(resolve))
})
