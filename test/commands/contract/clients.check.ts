// Clients made by other makers' generators: they compile, and make a round of calls to the service.

import { execFile } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { openApiDocument } from '@callgate/contract/openapi/openapi'
import ts from 'typescript'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Api, serveWholeApi } from '../../api/apiServer.ts'
import { rounds } from './rounds.ts'
import { runTool, toolsFolder } from './tools.ts'

// Beside the tools, so that the generated code finds its libraries.
const folder = `${toolsFolder}/dist/clients`
const document = `${folder}/openapi.json`

/** Generates all clients. Each generator must accept the document without a complaint. */
async function generate(): Promise<void> {
  const orval = {
    fetch: { input: { target: document }, output: { target: `${folder}/orval/fetch.ts`, client: 'fetch' } },
    zod: { input: { target: document }, output: { target: `${folder}/orval/zod.ts`, client: 'zod' } },
  }
  await writeFile(document, JSON.stringify(openApiDocument('')))
  await writeFile(`${folder}/orval.json`, JSON.stringify(orval))
  const runs = await Promise.all([
    runTool('openapi-typescript', [document, '-o', `${folder}/api.d.ts`]),
    runTool('openapi-ts', ['-i', document, '-o', `${folder}/hey`, '-c', '@hey-api/client-fetch', '--silent']),
    runTool('orval', ['--config', `${folder}/orval.json`]),
  ])
  for (const { code, output } of runs) expect({ code, output }).toMatchObject({ code: 0 })
}

let api: Api
beforeAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const written = Object.entries(rounds).map(([name, text]) => writeFile(`${folder}/${name}.ts`, text))
  await Promise.all([...written, generate()])
  api = await serveWholeApi()
})
afterAll(() => api?.stop())

it('compile, and refuse schedules that the service refuses', () => {
  const program = ts.createProgram(
    Object.keys(rounds).map(name => `${folder}/${name}.ts`),
    {
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
      types: ['node'],
      typeRoots: [`${toolsFolder}/../../../../node_modules/@types`],
    },
  )
  const found = ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => {
    return `${file?.fileName ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`
  })
  expect(found).toEqual([])
})

it.each(Object.keys(rounds))('%s makes a round of calls to the service', async name => {
  const space = await api.addSpace()
  // A press fails at once.
  space.unplug()
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', `${folder}/${name}.ts`],
    {
      cwd: `${toolsFolder}/../../../..`,
      env: { ...process.env, BASE_URL: api.base, API_KEY: space.key },
    },
  )
  expect(JSON.parse(stdout)).toEqual({
    listed: ['Poarta 🚪 Nord'],
    schedule: {
      type: 'custom',
      daysOfWeek: [5],
      timeWindows: [{ from: '22:00', to: '06:00' }],
      timezone: 'Europe/Bucharest',
    },
    failed: 'gateway_offline',
    opening: 'gateway_offline',
    activity: ['member.created', 'gate.created', 'api_key.created'],
  })
})
