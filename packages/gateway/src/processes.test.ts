import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { type FileFacts, holdersOfFile, isSameFile } from './processes.ts'

/** A device as stat shows it: `dev` is the file system in which it lies. */
const device = (dev: number, ino: number, rdev: number): FileFacts => ({
  dev,
  ino,
  rdev,
  isCharacterDevice: () => true,
})
const numberOf = (major: number, minor: number) => major * 256 + minor

it('tells a terminal from the one with its name and number in another container', () => {
  const terminal = numberOf(136, 7)
  expect(isSameFile(device(24, 10, terminal), device(24, 10, terminal))).toBe(true)
  expect(isSameFile(device(24, 10, terminal), device(97, 10, terminal))).toBe(false)
  expect(isSameFile(device(24, 10, terminal), device(24, 11, numberOf(136, 8)))).toBe(false)
})

it('knows a serial port by its number, also in the /dev of a container', () => {
  const port = numberOf(188, 0)
  expect(isSameFile(device(5, 300, port), device(97, 12, port))).toBe(true)
  expect(isSameFile(device(5, 300, port), device(97, 12, numberOf(188, 1)))).toBe(false)
  const file = (dev: number) => ({ ...device(dev, 12, 0), isCharacterDevice: () => false })
  expect(isSameFile(file(5), file(97))).toBe(false)
})

it('finds who holds a file under another name, and nobody where it is another file of that name', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'callgate-processes-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [path, other, proc] = [join(folder, 'ttyAMA0'), join(folder, 'other'), join(folder, 'proc')]
  writeFileSync(path, '')
  linkSync(path, other)
  mkdirSync(join(proc, '412/fd'), { recursive: true })
  symlinkSync(other, join(proc, '412/fd/7'))
  expect(await holdersOfFile(path, proc)).toMatchObject([{ pid: 412 }])
  rmSync(other)
  writeFileSync(other, '')
  expect(await holdersOfFile(path, proc)).toEqual([])
  expect(await holdersOfFile(join(folder, 'none'), proc)).toEqual([])
})
