import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readMime } from './mail.kit.ts'
import { fileKeptMs, folderTransport, mailFiles } from './mailFolder.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'callgate-mails-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const message = {
  mailId: 'mail_1',
  to: { name: 'Ana', address: 'ana@example.com' },
  subject: 'Lake view',
  text: 'Hello',
  html: '<p>Hello</p>',
  atMs: 0,
}
const from = { name: '', address: 'gates@example.com' }
const { signal } = new AbortController()

it('writes each mail as a file that only its owner may read', async () => {
  const transport = folderTransport(join(folder, 'mails'), from)
  expect(await transport.send(message, signal)).toEqual({ outcome: 'sent' })
  await transport.send(message, signal)
  expect(readdirSync(join(folder, 'mails'))).toEqual(['mail_1.eml'])
  const file = join(folder, 'mails', 'mail_1.eml')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(statSync(join(folder, 'mails')).mode & 0o777).toBe(0o700)
  const { bodies, header } = readMime(readFileSync(file, 'utf8'))
  expect([header('from'), header('to')]).toEqual(['gates@example.com', 'Ana <ana@example.com>'])
  expect(bodies['text/plain']).toContain('Hello')
})

it('fails for every mail when the folder cannot be made', async () => {
  writeFileSync(join(folder, 'taken'), '')
  expect(await folderTransport(join(folder, 'taken'), from).send(message, signal)).toEqual({
    outcome: 'failed',
    isForAll: true,
    why: 'the file cannot be written: EEXIST',
  })
})

it('removes the files of the given mails, and leaves the others', async () => {
  for (const name of ['mail_1.eml', 'mail_1.eml.draft', 'mail_2.eml']) writeFileSync(join(folder, name), '')
  const files = mailFiles(folder, { nowMs: () => 0 })
  await files.remove(['mail_1', 'mail_gone'])
  expect(readdirSync(folder)).toEqual(['mail_2.eml'])
  await mailFiles(join(folder, 'none'), { nowMs: () => 0 }).remove(['mail_1'])
})

it('removes only the files of mails that were written 30 days ago', async () => {
  const nowMs = Date.parse('2026-06-01T00:00:00Z')
  const write = (name: string, agoMs: number) => {
    writeFileSync(join(folder, name), '')
    const at = new Date(nowMs - agoMs)
    utimesSync(join(folder, name), at, at)
  }
  write('old.eml', fileKeptMs)
  write('old.eml.draft', fileKeptMs)
  write('young.eml', fileKeptMs - 1_000)
  write('notes.txt', 2 * fileKeptMs)
  await mailFiles(folder, { nowMs: () => nowMs }).removeOld()
  expect(readdirSync(folder).sort()).toEqual(['notes.txt', 'young.eml'])
  await mailFiles(join(folder, 'none'), { nowMs: () => nowMs }).removeOld()
})
