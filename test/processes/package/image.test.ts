// The builder of card images, on a small image with the partitions of Raspberry Pi OS and hardly anything in them.

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { debOf } from '../../../deploy/pi/deb.ts'
import { isThere } from './oneGate.ts'

const script = fileURLToPath(new URL('../../../deploy/pi/image.sh', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'callgate-image-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const at = (name: string) => join(folder, name)
const tools = ['dpkg', 'sfdisk', 'partx', 'resize2fs', 'debugfs', 'mcopy', 'mkfs.vfat', 'mkfs.ext4']
const withLoops =
  process.getuid?.() === 0 && tools.every(isThere) && spawnSync('losetup', ['--find']).status === 0

const bootAt = 1 << 20
const rootAt = 9 << 20
const rootBytes = 16 << 20
/** Of a group that this machine does not have. */
const overrides = 'root of-the-image 2755 /usr/bin/of-the-image\n'

/** The image: a table of two partitions, and a package of the gateway with this dependency. */
async function prepare(depends?: string): Promise<string> {
  const root = at('root')
  for (const name of ['boot/firmware', 'etc', 'usr', 'var/lib/dpkg/info', 'var/lib/dpkg/updates'])
    mkdirSync(join(root, name), { recursive: true })
  writeFileSync(join(root, 'var/lib/dpkg/status'), '')
  writeFileSync(join(root, 'var/lib/dpkg/statoverride'), overrides)
  for (const [name, bytes] of [
    ['image.img', 26 << 20],
    ['boot', 8 << 20],
    ['system', rootBytes],
  ] as const)
    execFileSync('truncate', ['--size', String(bytes), at(name)])
  execFileSync('mkfs.vfat', [at('boot')], { stdio: 'ignore' })
  writeFileSync(at('cmdline.txt'), 'console=tty1 rootwait\n')
  execFileSync('mcopy', ['-i', at('boot'), at('cmdline.txt'), '::cmdline.txt'])
  execFileSync('mkfs.ext4', ['-q', '-F', '-d', root, at('system')])
  const sectors = (bytes: number) => bytes / 512
  const table = [
    'label: dos',
    `start=${sectors(bootAt)}, size=${sectors(rootAt - bootAt)}, type=c`,
    `start=${sectors(rootAt)}, size=${sectors(rootBytes)}, type=83`,
  ]
  execFileSync('sfdisk', ['--quiet', at('image.img')], { input: `${table.join('\n')}\n` })
  for (const [name, place] of [
    ['boot', bootAt],
    ['system', rootAt],
  ] as const)
    execFileSync(
      'dd',
      [`if=${at(name)}`, `of=${at('image.img')}`, 'bs=1M', `seek=${place >> 20}`, 'conv=notrunc'],
      {
        stdio: 'ignore',
      },
    )
  const deb = await debOf({
    control: {
      Package: 'callgate-gateway',
      Version: '1.0.0',
      Architecture: 'all',
      Maintainer: 'A test <test@callgate.invalid>',
      Description: 'of a test',
      ...(depends !== undefined && { Depends: depends }),
    },
    scripts: {},
    files: [
      { path: 'usr/lib/callgate-gateway/gateway.mjs', content: Buffer.from('program'), isProgram: false },
    ],
    seconds: 1_790_000_000,
    level: 1,
  })
  writeFileSync(at('gateway.deb'), deb)
  writeFileSync(at('card.yaml'), 'cloud: https://gates.example.com\n')
  return at('image.img')
}

const build = (image: string, ...more: readonly string[]) =>
  spawnSync('sh', [script, image, at('gateway.deb'), '--to', at('card.img'), ...more], {
    encoding: 'utf8',
    env: { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin:/sbin` },
  })
const inRoot = (path: string) =>
  execFileSync('debugfs', ['-R', `cat ${path}`, `${at('card.img')}?offset=${rootAt}`], {
    encoding: 'utf8',
    stdio: 'pipe',
  })
const inBoot = (name: string) =>
  execFileSync('mcopy', ['-i', `${at('card.img')}@@${bootAt}`, `::${name}`, '-'], { encoding: 'utf8' })

it('installs the package and the file of the first boot, and leaves the given image as it was', async ({
  skip,
}) => {
  if (!withLoops) return skip('only root with loop devices and these tools can build an image')
  const image = await prepare()
  const before = readFileSync(image)
  const { status, stderr } = build(image, '--enrol', at('card.yaml'))
  expect(status, stderr).toBe(0)
  expect(inRoot('/usr/lib/callgate-gateway/gateway.mjs')).toBe('program')
  expect(inRoot('/var/lib/dpkg/status')).toContain(
    'Package: callgate-gateway\nStatus: install ok installed\n',
  )
  expect(inRoot('/var/lib/dpkg/statoverride')).toBe(overrides)
  expect(inBoot('callgate-gateway.yaml')).toBe('cloud: https://gates.example.com\n')
  expect(inBoot('cmdline.txt')).toBe('console=tty1 rootwait\n')
  expect(readFileSync(image).equals(before)).toBe(true)
  // It holds secrets.
  expect(statSync(at('card.img')).mode & 0o777).toBe(0o600)
})

it('makes no image where the package lacks something, or what is given is wrong', async ({ skip }) => {
  if (!withLoops) return skip('only root with loop devices and these tools can build an image')
  const image = await prepare('libatomic1')
  rmSync(at('card.img'), { force: true })
  const { status, stderr } = build(image)
  expect([status, stderr]).toEqual([1, expect.stringContaining('callgate-gateway depends on libatomic1')])
  expect(build(image, '--enrol', at('nowhere')).stderr).toBe(`There is no ${at('nowhere')}.\n`)
  expect(readdirSync(folder).filter(name => name.startsWith('card.img'))).toEqual([])
  expect(execFileSync('losetup', ['--all'], { encoding: 'utf8' })).not.toContain(folder)
})
