import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from '../config.ts'
import { readSecretFiles, secretVariables } from './secretFiles.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'callgate-secrets-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function file(text: string, mode = 0o600): string {
  const path = join(folder, 'secret')
  writeFileSync(path, text)
  chmodSync(path, mode)
  return path
}
const messageOf = (environment: Record<string, string>) => {
  const read = readConfig(environment)
  return read.ok ? 'ok' : read.message
}

describe('a variable with a password', () => {
  it.each(secretVariables)('is read from a file: %s', variable => {
    const path = file('scheme://user:secret@host/path\n')
    expect(readSecretFiles({ [`${variable}_FILE`]: path })).toEqual({
      ok: true,
      values: { [variable]: 'scheme://user:secret@host/path' },
      complaints: [],
    })
  })

  it('is used and checked like a value in the environment', () => {
    const path = file('mqtts://cloud:secret@broker.example.com\n')
    const read = readConfig({ MQTT_URL_FILE: path })
    expect(read.ok && read.config.mqttUrl).toBe('mqtts://cloud:secret@broker.example.com')
    expect(messageOf({ MQTT_URL_FILE: file('secret\n') })).toBe(
      'The configuration is wrong: MQTT_URL must begin with mqtt:// or mqtts:// and name a host.',
    )
  })

  it('must not come from two places', () => {
    expect(messageOf({ DATABASE_URL: 'a.sqlite', DATABASE_URL_FILE: file('b.sqlite') })).toBe(
      'The configuration is wrong: DATABASE_URL and DATABASE_URL_FILE are both set: set one of them.',
    )
  })

  it('names a file that is missing, empty, a folder, too large, or has more than one line, but never its content', () => {
    const why = (path: string) => messageOf({ SMTP_URL_FILE: path }).replaceAll(folder, '…')
    const wrong = (rest: string) => `The configuration is wrong: SMTP_URL_FILE names ${rest}.`
    expect(why(join(folder, 'none'))).toBe(wrong('…/none, but there is no such file'))
    expect(why(folder)).toBe(wrong('…, but it is a folder'))
    expect(why(file(' \n'))).toBe(wrong('…/secret, but the file is empty'))
    expect(why(file('smtp://secret\nmore'))).toBe(
      wrong('…/secret, but it has more than one line: it must hold the value alone'),
    )
    expect(why(file('s'.repeat(20_000)))).toBe(
      wrong('…/secret, but it has 20000 bytes: it is no file of an address'),
    )
  })

  it('warns where every user of the machine can read its file', () => {
    const read = readConfig({ DATABASE_URL_FILE: file('a.sqlite', 0o644) })
    expect(read.ok && read.config.secretComplaints.map(text => text.replaceAll(folder, '…'))).toEqual([
      'DATABASE_URL_FILE: every user of this machine can read …/secret. Take that right away: chmod o-r …/secret',
    ])
    expect(messageOf({ DATABASE_URL_FILE: file('a.sqlite', 0o640) })).toBe('ok')
    const keys = readConfig({ SIGNING_KEY_FILE: file('key', 0o604), SEALING_KEYS_FILE: join(folder, 'none') })
    expect(keys.ok && keys.config.secretComplaints).toHaveLength(1)
  })
})
