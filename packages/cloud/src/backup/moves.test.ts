import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { markerOf } from '../database/unfinishedRestore.ts'
import { LeftHalfway, type Move, moveAll } from './moves.ts'

let folder = ''
const at = (name: string) => join(folder, name)
const marker = () => markerOf(at('data'))
const write = (name: string) => writeFileSync(at(name), name)
const move = (from: string, to: string): Move => ({ from: at(from), to: at(to) })
/** Every file with its content. */
const all = () => Object.fromEntries(readdirSync(folder).map(name => [name, readFileSync(at(name), 'utf8')]))

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'callgate-moves-'))
  for (const name of ['key', 'key.new', 'data', 'data.new']) write(name)
})
afterEach(() => rmSync(folder, { recursive: true }))

const swap = () => [
  move('key', 'key.old'),
  move('key.new', 'key'),
  move('data', 'data.old'),
  move('data.new', 'data'),
]

it('puts every file in its place, and leaves no marker', async () => {
  await moveAll(swap(), marker())
  expect(all()).toEqual({ key: 'key.new', 'key.old': 'key', data: 'data.new', 'data.old': 'data' })
})

it.each([0, 1, 2, 3])('undoes all moves where move %i fails', async place => {
  const before = all()
  const moves = swap()
  const [from, to] = [moves[place]?.from ?? '', moves[place]?.to ?? '']
  // The name is taken: an existing file is never overwritten.
  if (!existsSync(to)) {
    writeFileSync(to, 'taken')
    await expect(moveAll(moves, marker())).rejects.toMatchObject({ code: 'EEXIST' })
    rmSync(to)
    expect(all()).toEqual(before)
  }
  rmSync(from)
  const { [from.slice(folder.length + 1)]: _, ...rest } = before
  await expect(moveAll(moves, marker())).rejects.toMatchObject({ code: 'ENOENT' })
  expect(all()).toEqual(rest)
})

it('keeps the marker of a killed run, unless all moves succeed', async () => {
  writeFileSync(marker(), 'of before')
  await expect(moveAll([...swap(), move('nothing', 'x')], marker())).rejects.toThrow('ENOENT')
  expect(existsSync(marker())).toBe(true)
  await moveAll(swap(), marker())
  expect(existsSync(marker())).toBe(false)
})

it('keeps the marker where a move cannot be undone', async () => {
  const [first] = swap()
  if (!first) throw new Error('there is one')
  const failing = {
    // Between two moves, another process creates a file in the place to which the first one must return.
    get from() {
      write('key')
      return at('nothing')
    },
    to: at('x'),
  }
  await expect(moveAll([first, failing], marker())).rejects.toBeInstanceOf(LeftHalfway)
  expect(readFileSync(marker(), 'utf8')).toContain('callgate restore')
})
