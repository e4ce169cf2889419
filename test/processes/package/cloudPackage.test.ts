// The Debian package of the cloud: its bytes, its files, its scripts in a root of their own, and its units.

import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  argon2,
  type CloudArchitecture,
  cloudArchitectures,
  cloudPackage,
} from '../../../deploy/cloud/cloudPackage.ts'
import { filesBelow, type PackageFile } from '../../../deploy/pi/deb.ts'
import { secondsOf } from '../../../deploy/pi/gatewayPackage.ts'
import { isFetched } from '../../../deploy/pi/nodeBinaries.ts'
import { debianVersion } from '../../../deploy/version.ts'
import { knownSchema } from '../../../packages/cloud/src/database/migrations/schemaState.ts'
import { isThere, unpack } from './oneGate.ts'
import { type Entry, readDeb } from './readDeb.ts'

const maintains =
  process.getuid?.() === 0 && ['systemd-sysusers', 'systemd-tmpfiles', 'deb-systemd-helper'].every(isThere)

let folder = ''
let bundle: readonly PackageFile[] = []
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'callgate-cloud-package-'))
  // The bundle is built before all tests.
  bundle = await filesBelow(join(import.meta.dirname, '../../../packages/cloud/dist'), 'usr/lib/callgate/')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A package with a small text in place of Node. */
const small = (architecture: CloudArchitecture, files = bundle) =>
  cloudPackage({
    architecture,
    bundle: files,
    node: { program: Buffer.from('Node'), license: Buffer.from('MIT') },
    seconds: secondsOf({}),
    level: 1,
  })

/** Why the package for an architecture cannot be made without a download. */
async function whyNot(architecture: CloudArchitecture): Promise<string | undefined> {
  const name = argon2(architecture)
  const isHere = bundle.some(({ path }) => path.includes(`/${name}/`)) || (await isFetched(name))
  return isHere ? undefined : `${name} was not fetched: run package:cloud ${architecture} once`
}

const contentOf = (entries: readonly Entry[], path: string) =>
  entries.find(entry => entry.path === `./${path}`)?.content ?? Buffer.alloc(0)
const textOf = (entries: readonly Entry[], path: string) => contentOf(entries, path).toString()

describe.each(cloudArchitectures)('the package for %s', architecture => {
  it('has the same bytes each time, and belongs to root', async ({ skip }) => {
    const why = await whyNot(architecture)
    if (why !== undefined) return skip(why)
    const bytes = await small(architecture)
    expect((await small(architecture, bundle.toReversed())).equals(bytes)).toBe(true)
    const { control, files } = await readDeb(bytes)
    for (const { mode, owner, path, seconds, type } of [...control, ...files]) {
      expect([path, owner, seconds]).toEqual([path, '0:0 root:root', 1_767_225_600])
      const isProgram = /usr\/bin\/|callgate\/(node|copy-certificates)$|^\.\/(pre|post)(inst|rm)$/.test(path)
      expect([path, mode]).toEqual([path, type === 'directory' || isProgram ? 0o755 : 0o644])
    }
    expect(textOf(control, 'control')).toContain(`Version: ${debianVersion}\nArchitecture: ${architecture}\n`)
    expect(textOf(control, 'preinst')).toContain(`readable-by '${knownSchema}'`)
    expect(textOf(control, 'preinst')).not.toMatch(/@[A-Z]+@/)
  })

  it('contains the native parts for its processor alone, and lists them', async ({ skip }) => {
    const why = await whyNot(architecture)
    if (why !== undefined) return skip(why)
    const { files } = await readDeb(await small(architecture))
    const native = files.filter(({ path }) => path.endsWith('.node'))
    const processor = { amd64: 'x64', arm64: 'arm64' }[architecture]
    expect(native.map(({ path }) => path.slice(path.lastIndexOf('/') + 1)).sort()).toEqual([
      `argon2.linux-${processor}-gnu.node`,
      `linux-${processor}.node`,
    ])
    // The machine in the header of an ELF file: https://refspecs.linuxfoundation.org/elf/gabi4+/ch4.eheader.html
    const machine = { amd64: 62, arm64: 183 }[architecture]
    for (const { content, path } of native) expect([path, content.readUInt16LE(18)]).toEqual([path, machine])
    const listed = textOf(files, 'usr/lib/callgate/sbom.json').match(/pkg:npm\/%40node-rs\/argon2-[\w-]+/g)
    expect(new Set(listed)).toEqual(new Set([`pkg:npm/%40node-rs/argon2-linux-${processor}-gnu`]))
  })
})

it('has the rules of alerts, and a unit for several clouds that is the one unit with a name', async () => {
  const { files } = await readDeb(await small('amd64'))
  for (const name of ['alerts.yml', 'grafana-dashboard.json', 'prometheus.yml', 'Caddyfile'])
    expect([name, textOf(files, `usr/share/callgate/${name}`) !== '']).toEqual([name, true])
  const place = 'usr/lib/systemd/system/callgate-cloud'
  const [one, many] = [textOf(files, `${place}.service`), textOf(files, `${place}@.service`)]
  const differing = many.split('\n').filter(line => !one.split('\n').includes(line))
  expect(differing).toEqual([
    'Description=Callgate cloud %i',
    'ConditionPathExists=/etc/callgate/cloud@%i.env',
    'StateDirectory=callgate-clouds/%i',
    'Environment=CALLGATE_DATA=/var/lib/callgate-clouds/%i',
    'EnvironmentFile=/etc/callgate/cloud@%i.env',
  ])
})

it('has units in which systemd finds nothing unknown', async ({ skip }) => {
  if (spawnSync('systemd-analyze', ['--version']).status !== 0)
    return skip('systemd-analyze is not installed')
  const { files } = await readDeb(await small('amd64'))
  const units = files.filter(({ path, type }) => type === 'file' && path.includes('/systemd/system/'))
  expect(units.length).toBe(6)
  const place = join(folder, 'units')
  mkdirSync(place)
  const verified = (change: (text: string) => string) => {
    const paths = units.map(({ content, path }) => {
      const file = join(place, path.slice(path.lastIndexOf('/') + 1))
      // The programs that they start are not installed here.
      writeFileSync(file, change(content.toString()).replaceAll(/\/usr\/lib\/callgate\/\S+/g, '/bin/true'))
      return file.replace('@.', '@b.')
    })
    writeFileSync(
      join(place, 'callgate-cloud@b.service'),
      readFileSync(join(place, 'callgate-cloud@.service')),
    )
    const { status, stderr, stdout } = spawnSync('systemd-analyze', ['verify', ...paths], {
      encoding: 'utf8',
    })
    return { status, said: stdout + stderr }
  }
  expect(verified(text => text)).toEqual({ status: 0, said: '' })
  expect(verified(text => text.replace('Restart=', 'Restarts=')).said).toContain('Restarts')
})

/** Writes the scripts of the package with another root in the place of /etc and the like. */
async function scriptsIn(root: string): Promise<string> {
  const scripts = join(folder, 'scripts')
  mkdirSync(scripts, { recursive: true })
  for (const { content, path, type } of (await readDeb(await small('amd64'))).control)
    if (type === 'file')
      writeFileSync(join(scripts, path), content.toString().replaceAll(/ \/etc\//g, ` ${root}/etc/`), {
        mode: 0o755,
      })
  return scripts
}

it('makes the folders, keeps the settings for root and the cloud, and purges all but the backups', async ({
  skip,
}) => {
  if (!maintains) return skip('this needs root, systemd-sysusers, systemd-tmpfiles and deb-systemd-helper')
  const root = join(folder, 'root')
  mkdirSync(join(root, 'etc/callgate'), { recursive: true })
  // As an installation by hand has it.
  writeFileSync(join(root, 'etc/callgate/cloud.env'), 'PORT=1\n', { mode: 0o600 })
  await unpack(await small('amd64'), root)
  const scripts = await scriptsIn('')
  const run = (name: string, ...args: string[]) =>
    execFileSync(join(scripts, name), args, {
      env: { PATH: process.env['PATH'], DPKG_ROOT: root, DPKG_MAINTSCRIPT_PACKAGE: 'callgate-cloud' },
      encoding: 'utf8',
      stdio: 'pipe',
    })
  run('preinst', 'install')
  expect(run('postinst', 'configure')).not.toContain('callgate setup')
  const [, uid, gid] =
    /^callgate:[^:]*:(\d+):(\d+):/m.exec(readFileSync(join(root, 'etc/passwd'), 'utf8'))?.map(Number) ?? []
  const rights = (path: string) => {
    const about = statSync(join(root, path))
    return [path, about.uid, about.gid, (about.mode & 0o777).toString(8)]
  }
  for (const wanted of [
    ['etc/callgate', 0, gid, '750'],
    ['etc/callgate/cloud.env', 0, gid, '640'],
    ['var/lib/callgate', uid, gid, '700'],
    ['var/lib/callgate-clouds', 0, 0, '755'],
    ['var/backups/callgate', uid, gid, '700'],
    ['var/backups/callgate-keys', uid, gid, '700'],
  ])
    expect(rights(String(wanted[0]))).toEqual(wanted)
  expect(readdirSync(join(root, 'etc/systemd/system')).sort()).toEqual([
    'multi-user.target.wants',
    'timers.target.wants',
  ])
  writeFileSync(join(root, 'var/lib/callgate/signing-key'), 'secret')
  writeFileSync(join(root, 'var/backups/callgate/kept'), 'data')
  run('prerm', 'upgrade', debianVersion)
  run('postinst', 'configure', debianVersion)
  run('prerm', 'remove')
  run('postrm', 'remove')
  expect(readFileSync(join(root, 'var/lib/callgate/signing-key'), 'utf8')).toBe('secret')
  const instance = join(root, 'etc/systemd/system/multi-user.target.wants/callgate-cloud@b.service')
  symlinkSync('/usr/lib/systemd/system/callgate-cloud@.service', instance)
  run('postrm', 'purge')
  expect(readdirSync(join(root, 'etc/systemd/system/multi-user.target.wants'))).not.toContain(
    'callgate-cloud@b.service',
  )
  for (const path of ['etc/callgate', 'var/lib/callgate', 'var/lib/callgate-clouds'])
    expect([path, existsSync(join(root, path))]).toEqual([path, false])
  expect(readFileSync(join(root, 'var/backups/callgate/kept'), 'utf8')).toBe('data')
})

it.each([
  ['an update', ['configure', '0.0.1'], 'restart'],
  ['a first installation', ['configure', ''], 'start'],
  ['a refused downgrade', ['abort-upgrade', '0.0.1'], 'start'],
  ['a refused removal', ['abort-remove'], 'start'],
])('after %s (%j) it does a %s, and starts the enabled clouds with a name', async (_, args, action) => {
  const root = mkdtempSync(join(folder, 'machine-'))
  const wanted = join(root, 'etc/systemd/system/multi-user.target.wants')
  for (const path of [wanted, join(root, 'etc/callgate'), join(root, 'bin')])
    mkdirSync(path, { recursive: true })
  writeFileSync(join(root, 'etc/callgate/cloud.env'), '')
  symlinkSync('/nowhere', join(wanted, 'callgate-cloud@b.service'))
  const programs = ['systemctl', 'deb-systemd-invoke', 'deb-systemd-helper', 'systemd-sysusers']
  for (const name of [...programs, 'systemd-tmpfiles'])
    writeFileSync(join(root, 'bin', name), `#!/bin/sh\necho "${'$'}{0##*/} $*"\n`, { mode: 0o755 })
  const script = readFileSync(join(await scriptsIn(root), 'postinst'), 'utf8')
    .replace('[ -z "$DPKG_ROOT" ] && [ -d /run/systemd/system ]', 'true')
    .replaceAll('"$DPKG_ROOT"/etc/callgate/cloud', '/nowhere/cloud')
  const run = spawnSync('sh', ['-c', script, 'postinst', ...args], {
    encoding: 'utf8',
    env: { PATH: `${join(root, 'bin')}:${process.env['PATH']}` },
  })
  expect([run.status, run.stderr]).toEqual([0, ''])
  const services = run.stdout
    .split('\n')
    .filter(line => /^(systemctl|deb-systemd-invoke) .*\.service/.test(line))
  expect(services).toEqual([
    ...(action === 'restart' ? ['systemctl try-restart callgate-cloud@*.service'] : []),
    `deb-systemd-invoke ${action} callgate-cloud.service`,
    'deb-systemd-invoke start callgate-cloud@b.service',
  ])
})

describe('before it is unpacked', () => {
  /** Runs preinst on a machine whose newer program gives the exit codes `codes`, by the name of the cloud. */
  async function preinst(args: readonly string[], codes: Readonly<Record<string, number>> = {}) {
    const root = mkdtempSync(join(folder, 'machine-'))
    mkdirSync(join(root, 'etc/callgate'), { recursive: true })
    mkdirSync(join(root, 'etc/systemd/system'), { recursive: true })
    mkdirSync(join(root, 'bin'))
    for (const name of Object.keys(codes)) writeFileSync(join(root, `etc/callgate/cloud${name}.env`), '')
    const cases = Object.entries(codes).map(([name, code]) => {
      const asked = `${name === '' ? '' : `--cloud ${name.slice(1)} `}readable-by ${knownSchema}`
      return `"${asked}") exit ${code} ;;`
    })
    writeFileSync(
      join(root, 'bin/callgate'),
      `#!/bin/sh\ncase "$*" in ${cases.join(' ')} *) exit 99 ;; esac\n`,
      {
        mode: 0o755,
      },
    )
    const script = join(await scriptsIn(root), 'preinst')
    const run = () =>
      spawnSync(script, args, {
        encoding: 'utf8',
        env: { PATH: `${join(root, 'bin')}:${process.env['PATH']}` },
      })
    return { root, run }
  }

  it('refuses to go back where the newer program says that the older one cannot read the data', async ({
    skip,
  }) => {
    skip(!isThere('dpkg'), 'dpkg is not installed')
    const newer = ['upgrade', '99.0.0']
    const fits = await preinst(newer, { '': 0, '@b': 0 })
    expect(fits.run()).toMatchObject({ status: 0, stderr: '' })
    const second = (await preinst(newer, { '': 0, '@b': 3 })).run()
    expect([second.status, second.stderr]).toEqual([
      1,
      expect.stringContaining('cloud@b.env, which is of a newer'),
    ])
    expect((await preinst(newer, { '': 3 })).run().status).toBe(1)
    const unknown = (await preinst(newer, { '': 1 })).run()
    expect([unknown.status, unknown.stderr]).toEqual([0, expect.stringContaining('could not be asked')])
    // An update, and the first installation.
    expect((await preinst(['upgrade', '0.0.1'], { '': 3 })).run().status).toBe(0)
    expect((await preinst(['install'], { '': 3 })).run().status).toBe(0)
  })

  it('refuses beside an installation by hand, and says what takes it away', async () => {
    const { root, run } = await preinst(['install'])
    writeFileSync(join(root, 'etc/systemd/system/callgate.service'), '')
    expect(run()).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('systemctl disable --now callgate callgate-backup.timer\n'),
    })
  })
})

it('copies renewed certificates for each cloud, in the places that setup has written', ({ skip }) => {
  skip(process.getuid?.() !== 0, 'only root can give a file to another group')
  const root = mkdtempSync(join(folder, 'certificates-'))
  mkdirSync(join(root, 'cloud@b'), { recursive: true })
  writeFileSync(join(root, 'cert.pem'), 'new certificate')
  writeFileSync(join(root, 'key.pem'), 'new key')
  writeFileSync(join(root, 'cloud@b/fullchain.pem'), 'old')
  writeFileSync(join(root, 'cloud@b/certificate-from'), `${root}/cert.pem\n${root}/key.pem\n`)
  const script = readFileSync(
    join(import.meta.dirname, '../../../deploy/cloud/root/usr/lib/callgate/copy-certificates'),
    'utf8',
  )
  const here = script.replaceAll('/etc/callgate/', `${root}/`).replaceAll('chgrp callgate', 'chgrp 64321')
  const copy = () => spawnSync('sh', ['-c', here], { encoding: 'utf8' })
  expect(copy()).toMatchObject({ status: 0, stderr: '' })
  expect(readFileSync(join(root, 'cloud@b/privkey.pem'), 'utf8')).toBe('new key')
  expect(readFileSync(join(root, 'cloud@b/fullchain.pem'), 'utf8')).toBe('new certificate')
  const { gid, mode } = statSync(join(root, 'cloud@b/privkey.pem'))
  expect([gid, mode & 0o777]).toEqual([64_321, 0o640])

  // One cloud without its certificate does not stop the others.
  mkdirSync(join(root, 'cloud'))
  writeFileSync(join(root, 'cloud/certificate-from'), `${root}/gone.pem\n${root}/key.pem\n`)
  writeFileSync(join(root, 'key.pem'), 'newer key')
  expect(copy()).toMatchObject({ status: 1, stderr: expect.stringContaining('gone.pem') })
  expect(readFileSync(join(root, 'cloud@b/privkey.pem'), 'utf8')).toBe('newer key')
  rmSync(join(root, 'cloud'), { recursive: true })

  // The proxy leads root to a file that the proxy may not read.
  chmodSync(folder, 0o755)
  chmodSync(root, 0o755)
  const ofProxy = join(root, 'proxy')
  mkdirSync(ofProxy)
  writeFileSync(join(root, 'secret'), 'of root', { mode: 0o600 })
  symlinkSync(join(root, 'secret'), join(ofProxy, 'key.pem'))
  chownSync(ofProxy, 64_322, 64_322)
  writeFileSync(join(root, 'cloud@b/certificate-from'), `${root}/cert.pem\n${ofProxy}/key.pem\n`)
  expect(copy()).toMatchObject({ status: 1, stderr: expect.stringContaining('Permission denied') })
  expect(readFileSync(join(root, 'cloud@b/privkey.pem'), 'utf8')).toBe('newer key')
})
