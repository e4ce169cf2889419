import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { renewed, selfSigned } from '@callgate/mqtt/certificate.kit'
import { type FakeWorld, fakeWorld } from '@callgate/world/fake'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type KeyPair, loadCertificate, readAuthority } from './certificate.ts'

let world: FakeWorld
let folder = ''
beforeEach(() => {
  world = fakeWorld(1)
  folder = mkdtempSync(join(tmpdir(), 'callgate-certificate-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const files = () => ({ certFile: join(folder, 'cert'), keyFile: join(folder, 'key') })

function write(pair: Partial<KeyPair>): void {
  for (const [part, text] of Object.entries(pair)) writeFileSync(join(folder, part), text)
}

/** Renews like certbot: makes a new folder, and links that replace the old ones. */
function linkTo(name: string, pair: Partial<KeyPair>): void {
  mkdirSync(join(folder, name))
  for (const [part, text] of Object.entries(pair)) {
    writeFileSync(join(folder, name, part), text)
    symlinkSync(join(name, part), join(folder, 'draft'))
    renameSync(join(folder, 'draft'), join(folder, part))
  }
}

async function refusal(pair: Partial<KeyPair>): Promise<string> {
  write(pair)
  const loaded = await loadCertificate(world, files())
  return loaded.ok ? 'taken' : loaded.message
}

it('names the variable and the file of an unusable pair, and shows no content', async () => {
  expect(await refusal({})).toBe(`MQTT_TLS_CERT: cannot read ${folder}/cert: ENOENT`)
  expect(await refusal({ cert: selfSigned.cert })).toBe(`MQTT_TLS_KEY: cannot read ${folder}/key: ENOENT`)
  expect(await refusal({ key: renewed.key })).toMatch(/^MQTT_TLS_KEY: the key in .* does not belong to/)
  expect(await refusal({ key: selfSigned.cert })).toMatch(/^MQTT_TLS_KEY: .* holds no private key/)
  expect(await refusal({ ...selfSigned, cert: selfSigned.key })).toMatch(
    /^MQTT_TLS_CERT: .* holds no certificate/,
  )
  expect(await refusal(selfSigned)).toBe('taken')
  const broken = selfSigned.cert + selfSigned.cert.replace(/MII.{20}/, 'MII')
  expect(await refusal({ cert: broken })).toMatch(/^MQTT_TLS_CERT: .* cannot be used: /)
  expect(await readAuthority(join(folder, 'cert'))).toMatchObject({ ok: true })
  expect(await readAuthority(join(folder, 'key'))).toMatchObject({
    message: `MQTT_CA: ${folder}/key holds no certificate in PEM`,
  })
  expect(JSON.stringify(world.lines)).not.toContain('PRIVATE')
})

it('notices a renewal by links, keeps the old pair while half of the new one is there, and logs that once', async () => {
  linkTo('first', selfSigned)
  const loaded = await loadCertificate(world, files())
  if (!loaded.ok) throw new Error(loaded.message)
  const used: KeyPair[] = []
  const stop = loaded.certificate.watch(pair => used.push(pair))
  const check = async () => {
    await world.advance(30_000)
    // It plans the next check after this one.
    await expect.poll(() => world.nextTimerMs()).toBeDefined()
  }
  const warnings = () =>
    world.lines.filter(({ level }) => level === 'warn').map(({ fields }) => fields['why'])

  await check()
  expect(used).toEqual([])
  linkTo('half', { cert: renewed.cert })
  await check()
  await check()
  expect(used).toEqual([])
  expect(warnings()).toEqual([expect.stringContaining('does not belong to the first certificate')])
  linkTo('whole', renewed)
  await check()
  await check()
  expect(used).toEqual([renewed])
  rmSync(join(folder, 'key'))
  await check()
  expect(warnings()).toHaveLength(2)
  write({ key: renewed.key })
  await check()
  expect(used).toHaveLength(1)
  stop()
  expect(world.nextTimerMs()).toBeUndefined()
})
