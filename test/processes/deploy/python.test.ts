// The Python client in the form that integrators get: its package, its wheel, and the same scripted exchanges as the TypeScript
// client.

import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { routes } from '@callgate/contract/rest/routes'
import { selfSigned } from '@callgate/mqtt/certificate.kit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { pythonVersion } from '../../../deploy/version.ts'
import { noPython, pythonThat, usablePython } from './pythonHere.ts'

const top = fileURLToPath(new URL('../../..', import.meta.url))
const scripts = join(top, 'test/processes/deploy/python')
const script = join(top, 'packages/client/exchanges.json')
const run = promisify(execFile)

let folder: string
let python: string | undefined
let aiohttpPython: string | undefined

beforeAll(async () => {
  python = await pythonThat(usablePython)
  aiohttpPython = await pythonThat('import aiohttp, sys; sys.exit(sys.version_info < (3, 9))')
  folder = await mkdtemp(join(tmpdir(), 'callgate-python-'))
  for (const to of ['first', 'second'])
    await run(process.execPath, ['--import', 'tsx', 'deploy/bundle.ts', 'python', '--to', join(folder, to)], {
      cwd: top,
    })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const wheelName = `callgate-${pythonVersion}-py3-none-any.whl`

/** Runs a script with the package, or its wheel, and returns what it prints as JSON. */
async function told(program: string, args: readonly string[], from = 'first/python'): Promise<unknown> {
  const env = { ...process.env, PYTHONPATH: join(folder, from), PYTHONDONTWRITEBYTECODE: '1', NO_PROXY: '*' }
  const { stdout } = await run(program, ['-W', 'error', ...args], { env, maxBuffer: 1e8 })
  return JSON.parse(stdout)
}

it('is a package with its types, a project file, a wheel and an sdist, with the same bytes each time', async ({
  skip,
}) => {
  skip(!python, noPython)
  const files = (await readdir(join(folder, 'first/python'), { recursive: true })).sort()
  expect(files).toEqual(
    [
      'README.md',
      'callgate',
      ...'__init__ _client _core _follow _methods _types _urllib _webhook aio'
        .split(' ')
        .map(name => `callgate/${name}.py`),
      'callgate/py.typed',
      wheelName,
      `callgate-${pythonVersion}.tar.gz`,
      'pyproject.toml',
    ].sort(),
  )
  for (const file of files.filter(name => name.includes('.'))) {
    const [first, second] = await Promise.all(
      ['first', 'second'].map(to => readFile(join(folder, to, 'python', file))),
    )
    expect(first?.equals(second ?? Buffer.alloc(0)), file).toBe(true)
  }
})

it('has in the wheel what an installer needs, and the hash of each file', async ({ skip }) => {
  if (!python) return skip(noPython)
  const listing = `
import base64, hashlib, json, sys, zipfile
wheel = zipfile.ZipFile(sys.argv[1])
rows = [line.split(",") for line in wheel.read("callgate-${pythonVersion}.dist-info/RECORD").decode().split()]
def digest(name):
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(wheel.read(name)).digest()).rstrip(b"=").decode()
right = [name for name, hashed, size in rows if hashed and hashed == digest(name) and int(size) == len(wheel.read(name))]
print(json.dumps([sorted(wheel.namelist()), sorted(right), wheel.read("callgate-${pythonVersion}.dist-info/METADATA").decode().split("\\n\\n")[0]]))
`
  const [names, right, about] = (await told(python, [
    '-c',
    listing,
    join(folder, 'first/python', wheelName),
  ])) as [string[], string[], string]
  expect(names).toHaveLength(13)
  expect(right).toEqual(names.filter(name => !name.endsWith('RECORD')))
  expect(about.split('\n')).toEqual(
    expect.arrayContaining([
      'Name: callgate',
      `Version: ${pythonVersion}`,
      'Requires-Python: >=3.9',
      'Requires-Dist: aiohttp>=3.8; extra == "aio"',
    ]),
  )
})

it('has no line above 100 characters, and compiles', async ({ skip }) => {
  if (!python) return skip(noPython)
  const sources = [
    join(folder, 'first/python/callgate'),
    scripts,
    join(top, 'deploy/python'),
    join(top, 'packages/client/examples'),
  ]
  for (const source of sources)
    for (const name of (await readdir(source)).filter(file => file.endsWith('.py'))) {
      const lines = (await readFile(join(source, name), 'utf8')).split('\n')
      expect(
        lines.filter(line => [...line].length > 100),
        name,
      ).toEqual([])
    }
  const compile =
    'import compileall, json, sys; print(json.dumps(compileall.compile_dir(sys.argv[1], quiet=2, force=True)))'
  expect(await told(python, ['-c', compile, join(folder, 'second/python')])).toBe(true)
})

it.for(['first/python', `first/python/${wheelName}`])(
  'makes the requests, pauses and results of the TypeScript client, from %s',
  async (from, { skip }) => {
    if (!python) return skip(noPython)
    const { exchanges, webhooks } = JSON.parse(await readFile(script, 'utf8')) as Record<string, unknown[]>
    const ran = (exchanges?.length ?? 0) * 2 + (webhooks?.length ?? 0)
    const faults = await told(python, [join(scripts, 'exchanges.py'), script], from)
    expect(faults).toEqual({ ran, faults: [] })
  },
)

it('has one method for each operation, blocking and for asyncio', async ({ skip }) => {
  if (!python) return skip(noPython)
  const program = `
import json
from callgate import Client
from callgate.aio import AsyncClient
print(json.dumps([[name for name in dir(kind) if not name.startswith("_")] for kind in (Client, AsyncClient)]))
`
  const operations = Object.keys(routes).map(name =>
    name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`),
  )
  const methods = [...operations.filter(name => name !== 'follow_events'), 'each', 'follow_space']
  expect(await told(python, ['-c', program])).toEqual([methods.sort(), [...methods, 'close'].sort()])
})

it('has examples in its page and its README that Python reads, and that name what there is', async ({
  skip,
}) => {
  if (!python) return skip(noPython)
  const pages = ['packages/cloud/docs/python.md', 'deploy/python/README.md'].map(page => join(top, page))
  const program = `
import ast, importlib, json, re, sys
seen = 0
for page in sys.argv[1:]:
    for block in re.findall("\`\`\`python\\n(.*?)\`\`\`", open(page, encoding="utf-8").read(), re.DOTALL):
        seen += 1
        for node in ast.walk(compile(block, page, "exec", ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)):
            if isinstance(node, ast.ImportFrom):
                [getattr(importlib.import_module(node.module), each.name) for each in node.names]
print(json.dumps(seen))
`
  expect(await told(python, ['-c', program, ...pages])).toBe(9)
})

it('sends over urllib, follows no redirect, and keeps its time limits', async ({ skip }) => {
  if (!python) return skip(noPython)
  expect(await told(python, [join(scripts, 'transports.py')])).toEqual([])
})

it('does the same over aiohttp', async ({ skip }) => {
  if (!aiohttpPython) return skip('there is no Python with aiohttp')
  expect(await told(aiohttpPython, [join(scripts, 'transports.py'), 'aiohttp'])).toEqual([])
})

it('checks the certificate of the service', async ({ skip }) => {
  if (!python) return skip(noPython)
  const server = createServer(selfSigned, (request, response) =>
    response.end(JSON.stringify({ gates: [{ name: request.headers.authorization }] })),
  )
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const authority = join(folder, 'authority.pem')
  await writeFile(authority, selfSigned.cert)
  const program = `
import json, ssl, sys
from callgate import CallgateError, Client, UrllibTransport
trusting = UrllibTransport(ssl.create_default_context(cafile=sys.argv[2]))
print(json.dumps(Client(sys.argv[1], "svc_live_x", transport=trusting).list_gates().body["gates"][0]["name"]), end="")
try:
    Client(sys.argv[1], "svc_live_x", tries=1).list_gates()
except CallgateError as error:
    assert error.code == "network_error" and "certificate" in error.message.lower(), error
else:
    sys.exit("a stranger's certificate was accepted")
`
  const baseUrl = `https://localhost:${typeof address === 'object' ? address?.port : ''}`
  expect(await told(python, ['-c', program, baseUrl, authority])).toBe('Bearer svc_live_x')
  await new Promise(resolve => server.close(resolve))
})

const typed = `
from typing import Optional, Sequence, Union

from callgate import CallgateError, Client, Gate, Member, verify_webhook
from callgate.aio import AsyncClient

client = Client("https://gates.example.com", "svc_live_x")


def visit(member: Member) -> Union[str, None]:
    gates: Sequence[Gate] = client.list_gates({"isActive": True}).body["gates"]
    schedules = member["accesses"][0]["schedules"]
    kind: str = schedules[0]["type"] if schedules else "always"
    try:
        pressed = client.open_gate("g", retry_open=1).body
        return pressed["openingId"] + kind + gates[0]["name"]
    except CallgateError as error:
        return error.reason if error.safe_to_retry else error.code


def keep_up(secret: str, body: bytes) -> str:
    for gate in client.each("list_gates", {"isActive": True}):
        print(gate["name"].upper())
    for change in client.follow_space():
        if change.has_missed:
            break
    return verify_webhook(body, {"webhook-id": "1"}, [secret]).event["type"]


async def later(asking: AsyncClient) -> Optional[str]:
    async for member in asking.each("list_members"):
        await asking.add_access(member["id"], {"gateId": "g", "schedules": [{"type": "custom", "daysOfWeek": [6]}]})
    async for step in asking.follow_opening("open_1"):
        print(step.step)
    return (await asking.get_gate("g", if_none_match="a")).etag
`
const wrongCalls = [
  'client.open_gate()',
  'client.open_gate("g", if_match="a")',
  'client.open_gate(1)',
  'client.open_gate("g", {})',
  'client.list_gates(idempotency_key="a")',
  'client.list_gates({"isActive": "yes"})',
  'client.each("list_gates", {"cursor": "a"})',
  'client.each("list_gateways")',
  'client.create_gate({"name": "x"})',
  'client.get_gate("g").body["gate"]["nome"]',
  'client.add_access("m", {"gateId": "g", "schedules": [{"type": "weekdays", "daysOfWeek": [1]}]})',
]

it('is typed: mypy in its strict mode finds nothing in it, and every wrong call', async ({ skip }) => {
  const hasMypy = await run('mypy', ['--cache-dir', join(folder, 'mypy'), '-c', 'import aiohttp']).then(
    () => true,
    () => false,
  )
  skip(!hasMypy, 'mypy is not installed, or does not find aiohttp')
  await writeFile(join(folder, 'right.py'), typed)
  await writeFile(
    join(folder, 'wrong.py'),
    `from callgate import Client\n\nclient = Client("a", "b")\n${wrongCalls.join('\n')}\n`,
  )
  const own = [
    join(folder, 'first/python/callgate'),
    join(top, 'deploy/python/build.py'),
    ...['exchanges', 'transports'].map(name => join(scripts, `${name}.py`)),
    ...['sync_members', 'booking', 'webhook_receiver'].map(name =>
      join(top, 'packages/client/examples', `${name}.py`),
    ),
  ]
  const env = { ...process.env, MYPYPATH: join(folder, 'first/python') }
  const check = (paths: readonly string[]) =>
    run('mypy', ['--strict', '--python-version', '3.9', '--cache-dir', join(folder, 'mypy'), ...paths], {
      env,
    }).then(
      ({ stdout }) => stdout,
      (error: { stdout?: string }) => error.stdout ?? String(error),
    )
  expect(await check([...own, join(folder, 'right.py')])).toMatch(
    /^Success: no issues found in 16 source files/,
  )
  const found = await check([join(folder, 'wrong.py')])
  const lines = new Set([...found.matchAll(/wrong\.py:(\d+): error/g)].map(([, line]) => Number(line)))
  expect(
    [...lines].sort((a, b) => a - b),
    found,
  ).toEqual(wrongCalls.map((_, place) => place + 4))
})
