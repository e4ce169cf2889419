import { describe, expect, it } from 'vitest'
import { serverName } from './databaseAddress.ts'
import { troubleOf } from './databaseCodes.ts'
import { unsuitable } from './postgresTroubles.ts'

const failed = (code: string, more: object = {}) => Object.assign(new Error('no'), { code, ...more })

describe('an error of Postgres', () => {
  it.each([
    ['57P01', 'unreachable'],
    ['57P03', 'unreachable'],
    ['08006', 'unreachable'],
    ['25P03', 'unreachable'],
    ['ECONNREFUSED', 'unreachable'],
    ['40P01', 'busy'],
    ['53300', 'busy'],
    ['55P03', 'busy'],
    ['53100', 'full'],
    ['25006', 'not_writable'],
    ['28P01', 'refused'],
    ['3D000', 'missing'],
    ['XX001', 'damaged'],
    ['23505', undefined],
    ['42P01', undefined],
    ['22P02', undefined],
  ])('%s is the trouble %s', (code, trouble) => expect(troubleOf(failed(code))).toBe(trouble))

  it('without a code is a lost connection, or a bug', () => {
    for (const words of ['Connection terminated unexpectedly', 'Query read timeout', 'timeout expired'])
      expect(troubleOf(new Error(words))).toBe('unreachable')
    expect(troubleOf(new Error('undefined is not a function'))).toBeUndefined()
    // A missing socket, and a missing file.
    expect(troubleOf(failed('ENOENT', { syscall: 'connect' }))).toBe('unreachable')
    expect(troubleOf(failed('ENOENT', { syscall: 'open' }))).toBe('not_writable')
  })
})

it('names a server without its password', () => {
  const name = 'postgres://db.example.com:5432/callgate'
  for (const address of [
    'postgres://u:p@db.example.com:5432/callgate',
    'postgresql://u:p%40@db.example.com:5432/callgate?sslmode=verify-full',
    'postgres://u:p@ss@db.example.com:5432/callgate',
    'postgres://db.example.com:5432/callgate?user=u&password=p@x/y',
    'postgres://u:p/q@db.example.com:5432/callgate',
  ])
    expect(serverName(address)).toBe(name)
})

it('knows a database that does not sort texts by their bytes', () => {
  const right = { version: 180_000, encoding: 'UTF8', collation: 'C', provider: 'c' }
  for (const facts of [
    right,
    { ...right, collation: 'C.UTF-8', provider: 'b' },
    { ...right, provider: null },
  ])
    expect(unsuitable('db', facts)).toBeUndefined()
  expect(unsuitable('db', { ...right, collation: 'en_US.UTF-8' })).toContain(
    'sorts texts by the rules of en_US',
  )
  expect(unsuitable('db', { ...right, provider: 'i', collation: 'de' })).toContain('of ICU')
  expect(unsuitable('db', { ...right, encoding: 'LATIN1' })).toContain('must have UTF8')
  expect(unsuitable('db', { ...right, version: 130_011 })).toContain('needs 14 or newer')
})
