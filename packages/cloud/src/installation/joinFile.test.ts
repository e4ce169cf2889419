// The file with which another machine joins a cloud.

import { realWorld } from '@callgate/world/real'
import { expect, it } from 'vitest'
import { isJoinFile, readJoinFile, type SharedCloud, writeJoinFile } from './joinFile.ts'

const world = realWorld({ logLevel: 'silent' })
const passphrase = 'abcd-efgh-ijkm-npqr-stuv'
const shared: SharedCloud = {
  variables: {
    APP_URL: 'https://gates.example.com',
    MQTT_URL: 'mqtts://callgate:s3cret-of-ours@b.example.com',
  },
  files: { 'authority.pem': 'a certificate' },
  keys: { 'signing-key': 'a key', 'sealing-keys': '1 another' },
}

it('opens with its passphrase alone, and shows nothing without it', async () => {
  const text = await writeJoinFile(world, shared, passphrase)
  expect(isJoinFile(text)).toBe(true)
  expect(text).not.toMatch(/gates|s3cret|signing-key/)
  expect(await readJoinFile(world, text, ` ${passphrase.toUpperCase()}\n`)).toEqual({ ok: true, shared })
  expect(await readJoinFile(world, text, 'abcd-efgh-ijkm-npqr-stuw')).toMatchObject({ ok: false })
})

it('does not open once a byte was changed', async () => {
  const text = await writeJoinFile(world, shared, passphrase)
  const at = text.length - 10
  const damaged = `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`
  expect(await readJoinFile(world, damaged, passphrase)).toMatchObject({
    ok: false,
    message: expect.stringContaining('damaged'),
  })
  expect(isJoinFile('APP_URL=https://gates.example.com\n')).toBe(false)
})

it('is another text each time', async () => {
  const texts = await Promise.all([1, 2].map(() => writeJoinFile(world, shared, passphrase)))
  expect(new Set(texts).size).toBe(2)
})
