// Shared parts of the package's tests: the unpacked package, a cloud in this process, and the configuration of a gateway.

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createCloud } from '@callgate/cloud/app'
import { readConfig } from '@callgate/cloud/config'
import { openDatabase } from '@callgate/cloud/database/database'
import { migrate } from '@callgate/cloud/database/migrate'
import { loadKeyring } from '@callgate/cloud/secrets/keyring'
import { createApiKey } from '@callgate/cloud/space/apiKeys'
import { createSpace } from '@callgate/cloud/space/spaces'
import { realWorld } from '@callgate/world/real'
import { readDeb } from './readDeb.ts'

const world = realWorld({ logLevel: 'silent' })

export const isThere = (program: string) => spawnSync('which', [program]).status === 0

/** Unpacks a package into a folder, by dpkg-deb where it is installed, else by the reader of these tests. */
export async function unpack(bytes: Buffer, root: string): Promise<void> {
  const file = `${root}.deb`
  writeFileSync(file, bytes)
  if (isThere('dpkg-deb')) {
    execFileSync('dpkg-deb', ['-x', file, root])
    return
  }
  for (const { content, mode, path, type } of (await readDeb(bytes)).files) {
    if (type === 'directory') mkdirSync(join(root, path), { recursive: true })
    else writeFileSync(join(root, path), content, { mode })
  }
}

/** A cloud with one gate, whose broker and API listen on this machine. It stops at the end of the test that starts it. */
export async function startCloud(folder: string, onTestFinished: (work: () => Promise<void>) => void) {
  const read = readConfig({ CALLGATE_DATA: folder })
  const keys = await loadKeyring(world, { folder })
  if (!read.ok || !keys.ok) throw new Error('the cloud cannot be configured')
  const database = await openDatabase({ url: join(folder, 'callgate.sqlite') })
  await migrate(database)
  const cloud = createCloud({ world, database, config: { ...read.config, port: 0, mqttPort: 0 } })
  const started = await cloud.start()
  if (!started.ok) throw new Error(started.message)
  onTestFinished(async () => {
    await cloud.stop()
    await database.close()
  })
  const baseUrl = `http://127.0.0.1:${started.port}`
  const given = { name: 'A', plan: 'pro', country: 'RO', timezone: 'Europe/Bucharest' } as const
  const { spaceId } = await createSpace({ database, world }, given)
  const desk = { spaceId, name: 'Desk', actor: 'operator', expiresAt: null } as const
  const scopes = ['gates:read', 'gates:write', 'gates:open'] as const
  const key = await createApiKey({ database, world }, { ...desk, scopes: [...scopes] })
  const headers = { Authorization: `Bearer ${key?.key}`, 'Content-Type': 'application/json' }
  const post = async (path: string, body: object = {}) => {
    const answer = await fetch(baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body) })
    return { status: answer.status, body: (await answer.json()) as { gate?: { id: string } } }
  }
  const mqttUrl = started.mqttUrl.replace('localhost', '127.0.0.1')
  return {
    baseUrl,
    database,
    cloudKeys: keys.keyring.publicKeys(),
    spaceId,
    mqttUrl,
    post,
  }
}

/** The template of the package, filled in as its guide says. */
export function configurationOf(root: string, fields: Readonly<Record<string, unknown>>): string {
  const template = readFileSync(join(root, 'usr/share/callgate-gateway/callgate-gateway.yaml'), 'utf8')
  const own = template
    .replace(/^(dataFolder|privateKeyFile): .*$/gm, '')
    .replace(/^serialPort:\n(?: {2}- .*\n)+/m, '')
  return (
    own +
    Object.entries(fields)
      .map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`)
      .join('')
  )
}
