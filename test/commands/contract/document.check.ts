// Spectral on the OpenAPI document, and attw on the types of our client.

import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { openApiDocument } from '@callgate/contract/openapi/openapi'
import { beforeAll, expect, it } from 'vitest'
import { runTool, toolsFolder } from './tools.ts'

const folder = `${toolsFolder}/dist/document`
const top = `${toolsFolder}/../../../..`

beforeAll(() => mkdir(folder, { recursive: true }))

/** The severity of each finding of Spectral by its rules for OpenAPI. */
async function lint(document: object): Promise<readonly string[]> {
  await writeFile(`${folder}/openapi.json`, JSON.stringify(document))
  await writeFile(`${folder}/rules.json`, JSON.stringify({ extends: ['spectral:oas'] }))
  const { output } = await runTool('spectral', [
    'lint',
    `${folder}/openapi.json`,
    ...['--ruleset', `${folder}/rules.json`, '--format', 'json', '--quiet'],
  ])
  return (JSON.parse(output) as { code: string; message: string }[]).map(one => `${one.code}: ${one.message}`)
}

it('Spectral finds nothing but what is planted', async () => {
  const document = openApiDocument('https://callgate.test')
  expect(await lint(document)).toEqual([])
  const info = { ...(document['info'] as object), contact: undefined }
  expect(await lint({ ...document, info })).toEqual([expect.stringContaining('info-contact')])
})

it('attw accepts the types of the client', async () => {
  const bundle = ['--import', 'tsx', 'deploy/bundle.ts', 'client', '--to', folder]
  await promisify(execFile)(process.execPath, bundle, { cwd: top })
  const { code, output } = await runTool('attw', ['--pack', `${folder}/client`, '--format', 'ascii'])
  expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('No problems found') })
})
