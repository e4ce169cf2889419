// The command `callgate` of a machine: root runs it in a folder of root's own, and it acts as the user who owns the data.

import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'

const top = fileURLToPath(new URL('../../..', import.meta.url))
/** The user of the cloud; no other process has this id. */
const service = 64_321

/** A machine with the bundle, a folder of root and the data of the cloud. */
function machine() {
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'callgate-machine-')))
  onTestFinished(() => rmSync(place, { recursive: true }))
  chmodSync(place, 0o755)
  const at = (name: string) => join(place, name)
  cpSync(join(top, 'packages/cloud/dist'), at('program'), { recursive: true })
  for (const name of ['home', 'data', 'of-service']) mkdirSync(at(name), { mode: 0o700 })
  for (const name of ['data', 'of-service']) chownSync(at(name), service, service)
  writeFileSync(at('cloud.env'), 'APP_URL=https://gates.example.com\n', { mode: 0o600 })
  const command = readFileSync(join(top, 'deploy/cloud/root/usr/bin/callgate'), 'utf8')
    .replaceAll('/etc/callgate/', `${place}/`)
    .replaceAll('/var/lib/callgate-clouds', at('clouds'))
    .replace('/var/lib/callgate', at('data'))
    .replace('/usr/lib/callgate/node /usr/lib/callgate/', `${process.execPath} ${at('program')}/`)
    .replace('-o callgate -g callgate', `-o ${service} -g ${service}`)
  const callgateAs = (user: string, ...args: string[]) => {
    const own = command.replace('CALLGATE_USER=callgate', `CALLGATE_USER=${user}`)
    const { status, stderr, stdout } = spawnSync('sh', ['-c', own, 'callgate', ...args], {
      cwd: at('home'),
      encoding: 'utf8',
    })
    return { code: status, out: stdout, err: stderr }
  }
  const callgate = (...args: string[]) => callgateAs(String(service), ...args)
  const callgateBy = (uid: number, ...args: string[]) => {
    const { status, stderr, stdout } = spawnSync('sh', ['-c', command, 'callgate', ...args], {
      cwd: '/',
      encoding: 'utf8',
      uid,
      gid: uid,
    })
    return { code: status, out: stdout, err: stderr }
  }
  const json = (...args: string[]) => {
    const said = callgate(...args, '--json')
    expect(said, args.join(' ')).toMatchObject({ code: 0, err: '' })
    return JSON.parse(said.out)
  }
  return { at, callgate, callgateAs, callgateBy, json }
}

const ownerOf = (path: string) => statSync(path).uid

it('opens the given files as root, and its data as the user of the cloud', ({ skip }) => {
  skip(process.getuid?.() !== 0, 'only root can act as another user')
  const { at, callgate, json } = machine()
  const { files } = json('broker', 'setup', '--host', 'broker.example.com', '--to', 'broker')
  expect(files.map(ownerOf)).toEqual([0, 0])

  json('space', 'create', '--name', 'Lake view', '--plan', 'pro')
  const gate = { name: 'North', phoneNumber: '+40722000001', location: 'Street 1' }
  writeFileSync(at('home/gate.json'), JSON.stringify(gate), { mode: 0o600 })
  json('gate', 'add', '--file', 'gate.json')
  const [added] = json('gate', 'list').gates
  writeFileSync(at('home/profile.json'), '{"mode":"reject"}', { mode: 0o600 })
  expect(json('gate', 'profile', '--gate', added.id, '--file', 'profile.json').callProfile.mode).toBe(
    'reject',
  )
  json('gateway', 'add', '--name', 'Pi', '--card', 'card.yaml')
  expect([ownerOf(at('home/card.yaml')), readFileSync(at('home/card.yaml'), 'utf8')]).toEqual([
    0,
    expect.stringContaining('cloud: https://gates.example.com'),
  ])

  const made = json('backup', 'backups', '--keys', 'keys')
  expect([made.folder, made.keysFolder].map(ownerOf)).toEqual([0, 0])
  expect(callgate('doctor', '--backups', 'backups').out).toContain('The newest of 1 is callgate-')
  expect(json('restore', made.folder, '--keys', made.keysFolder, '--replace').hadData).toBe(true)
  for (const name of readdirSync(at('data')))
    expect([name, ownerOf(join(at('data'), name))]).toEqual([name, service])
})

it('reports that the user does not exist, and does nothing', ({ skip }) => {
  skip(process.getuid?.() !== 0, 'only root can act as another user')
  const { at, callgateAs } = machine()
  expect(callgateAs('no-such-user', 'space', 'list')).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^This command cannot act as the user no-such-user[^\n]*\n$/),
  })
  expect(readdirSync(at('data'))).toEqual([])
})

it('reports as which user it could not open a file, and as root follows no link of the cloud’s user', ({
  skip,
}) => {
  skip(process.getuid?.() !== 0, 'only root can act as another user')
  const { at, callgate, json } = machine()
  expect(callgate('proof', 'verify', 'none').err).toBe('The file none cannot be read as root (ENOENT).\n')
  expect(callgate('release', 'add', 'none').err).toBe('none: there is no such file.\n')
  expect(callgate('restore', 'none').err).toContain('There is no manifest.json in none')
  writeFileSync(at('home/secret'), '{}', { mode: 0o600 })
  symlinkSync(at('home/secret'), at('of-service/link'))
  expect(callgate('proof', 'verify', at('of-service/link')).err).toContain(
    `cannot be read as ${service} (EACCES)`,
  )
  symlinkSync(at('home'), at('of-service/folder'))
  const setup = callgate('broker', 'setup', '--host', 'b.example.com', '--to', at('of-service/folder/b'))
  expect(setup).toMatchObject({ code: 1, err: expect.stringContaining(`as ${service} (EACCES)`) })
  expect(readdirSync(at('home'))).toEqual(['secret'])
  // The files that the nightly timer makes and deletes stay its own.
  json('space', 'create', '--name', 'Lake view', '--plan', 'pro')
  json('gateway', 'add', '--name', 'Pi')
  const { folder } = json('backup', at('of-service/backups'), '--without-keys')
  expect(ownerOf(folder)).toBe(service)
})

const setup = (at: (name: string) => string) => {
  writeFileSync(at('home/more.env'), 'MQTT_PORT=1\nLOG_LEVEL=warn\n', { mode: 0o600 })
  return [
    ...[
      'setup',
      '--address',
      'localhost',
      '--database',
      'sqlite',
      '--broker',
      'embedded',
      '--certificate',
      'none',
    ],
    ...[
      '--mail',
      'none',
      '--space',
      'Lake view',
      '--owner-email',
      'olga@example.com',
      '--owner-name',
      'Olga',
    ],
    ...['--settings', 'more.env', '--json'],
  ]
}
/** Owner, group and mode. */
const rights = (path: string) => {
  const { gid, mode, uid } = statSync(path)
  return [uid, gid, (mode & 0o777).toString(8)]
}

it('writes settings that root changes and the cloud’s user reads, and data of that user', ({ skip }) => {
  skip(process.getuid?.() !== 0, 'only root can act as another user')
  const { at, callgate } = machine()
  rmSync(at('cloud.env'))
  expect(callgate('space', 'list')).toEqual({
    code: 78,
    out: '',
    err: `There is no ${at('cloud.env')} yet: "callgate setup" makes it.\n`,
  })
  const { link } = JSON.parse(callgate(...setup(at)).out)
  expect(link).toMatch(/^https:\/\/localhost\/invitation#[\w-]{43}$/)
  expect(rights(at('cloud.env'))).toEqual([0, service, '640'])
  for (const name of ['callgate.sqlite', 'signing-key', 'sealing-keys'])
    expect([name, ...rights(join(at('data'), name))]).toEqual([name, service, service, '600'])
  expect(callgate('space', 'list').out).toContain('Lake view')
})

it('has settings and data of their own for each cloud that it names', ({ skip }) => {
  skip(process.getuid?.() !== 0, 'only root can act as another user')
  const { at, callgate } = machine()
  mkdirSync(at('clouds'))
  callgate('--cloud', 'b', ...setup(at))
  expect(rights(at('cloud@b.env'))).toEqual([0, service, '640'])
  expect(rights(at('clouds/b'))).toEqual([service, service, '700'])
  expect(callgate('--cloud', 'b', 'space', 'list').out).toContain('Lake view')
  expect(readdirSync(at('data'))).toEqual([])
  expect(callgate('--cloud', '../b', 'space', 'list')).toMatchObject({ code: 64 })
})

it('serves the cloud’s user as well, and nobody else', ({ skip }) => {
  skip(process.getuid?.() !== 0, 'only root can act as another user')
  const { at, callgate, callgateBy } = machine()
  callgate(...setup(at))
  expect(callgateBy(service, 'space', 'list').out).toContain('Lake view')
  expect(callgateBy(service + 1, 'space', 'list')).toEqual({
    code: 77,
    out: '',
    err: `${at('cloud.env')} cannot be read (EACCES): run this command as root.\n`,
  })
})
