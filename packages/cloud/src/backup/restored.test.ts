import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fakeWorld } from '@callgate/world/fake'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runCommand } from '../cli/terminal.kit.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { migrate } from '../database/migrate.ts'
import { emptyPostgres, onPostgres } from '../database/postgres.kit.ts'
import { openPostgres } from '../database/postgres.ts'
import { noteSigningKeys } from '../history/proofKeys.ts'
import { newLink } from '../member/memberLinks.ts'
import { loadKeyring } from '../secrets/keyring.ts'
import { newSpace } from '../space/space.kit.ts'
import { newUser } from '../user/user.kit.ts'

const folder = mkdtempSync(join(tmpdir(), 'callgate-restored-'))
afterAll(() => rmSync(folder, { recursive: true }))

const opened = {
  SQLite: async () => {
    const url = join(mkdtempSync(join(folder, 'data-')), 'callgate.sqlite')
    return { url, database: await openDatabase({ url }) }
  },
  Postgres: async () => {
    const url = await emptyPostgres()
    return { url, database: await openPostgres({ url }) }
  },
}

const at = '2026-01-01T00:00:00.000Z'

describe.each([onPostgres ? 'Postgres' : 'SQLite'] as const)('callgate restored, on %s', product => {
  const world = fakeWorld(1)
  let url = ''
  let database: Database
  const callgate = (...args: string[]) => runCommand({ CALLGATE_DATA: folder, DATABASE_URL: url }, args)

  beforeEach(async () => {
    ;({ database, url } = await opened[product]())
    await migrate(database)
    const parts = { world, database }
    const spaceId = await newSpace(parts)
    await newUser(parts, { email: 'olga@example.com', spaceId })
    const keys = await loadKeyring(world, { folder })
    if (!keys.ok) throw new Error(keys.message)
    await noteSigningKeys(parts, keys.keyring.signing().keys)
    const owner = { id: 'member_a', spaceId }
    const gate = {
      id: 'gate_a',
      spaceId,
      name: 'G',
      phoneNumber: '+40722000001',
      location: '',
      isActive: true,
    }
    const opening = {
      spaceId,
      gateId: 'gate_a',
      gateName: 'G',
      phoneNumber: '+40722000001',
      status: 'initiated',
    }
    await database.write(async tx => {
      const link = newLink(world, keys.keyring.seal, owner)
      await tx('members').insert({ ...owner, name: 'Ana', createdAt: at, ...link })
      await tx('gates').insert({ ...gate, createdAt: at, callProfile: '{}' })
      const gateway = { id: 'gw_a', spaceId, name: 'Pi', publicKey: 'k', passwordHash: 'p', createdAt: at }
      await tx('gateways').insert({ ...gateway, bootId: 'b' })
      const pressed = {
        calledAt: '2026-05-01T00:00:00.000Z',
        grantBefore: at,
        actorType: 'owner',
        actorName: 'O',
      }
      await tx('openings').insert({ id: 'open_a', ...opening, ...pressed, lockedNumber: '+40722000001' })
      const mail = {
        id: 'mail_a',
        spaceId,
        memberId: 'member_a',
        kind: 'link',
        createdAt: at,
        nextAttemptAt: at,
      }
      await tx('outbox').insert(mail)
      await tx('clouds').insert({
        id: 'cloud_a',
        signing: 'x',
        sealing: 'y',
        aliveUntilMs: Number.MAX_SAFE_INTEGER,
      })
    })
  })
  afterEach(() => database.close())

  it('does what a restore does, once, and lets guests in when that is confirmed', async () => {
    const asked = await callgate('restored')
    expect([asked.code, asked.err]).toEqual([1, expect.stringMatching(/^Nothing was changed\. With --yes/)])
    const { code, out } = await callgate('restored', '--yes')
    expect([code, out]).toEqual([0, expect.stringContaining('1 opening that ran then is ended')])
    expect(out).toContain('1 mail that waited then is given up')
    expect(out).toMatch(/Everything is as it was at 2026-05-01T00:00:00\.000Z\. Keys, gateways, members/)
    expect(out).not.toContain('signing key is not')
    const { knex } = database
    expect(await knex('openings').first()).toMatchObject({ status: 'timeout', reason: 'outcome_unknown' })
    expect(await knex('gateways').first()).toMatchObject({ bootId: null })
    for (const table of ['sessions', 'events', 'clouds', 'replicas']) expect(await knex(table)).toEqual([])
    const again = await callgate('restored', '--yes')
    expect([again.code, again.err]).toEqual([1, expect.stringContaining('marked as restored already')])
    expect((await callgate('confirm-restore')).out).toContain('2026-05-01T00:00:00.000Z')
    expect((await callgate('verify')).out).toContain('as it must be')
  })

  it('refuses while a cloud serves, and with keys of other data, and changes nothing', async () => {
    const lock = await database.lock()
    expect((await callgate('restored', '--yes')).err).toContain('A cloud serves the data')
    await lock?.release()
    const otherFolder = mkdtempSync(join(folder, 'other-'))
    await loadKeyring(fakeWorld(2), { folder: otherFolder })
    const wrong = await runCommand({ CALLGATE_DATA: otherFolder, DATABASE_URL: url }, ['restored', '--yes'])
    expect([wrong.code, wrong.err]).toEqual([
      1,
      expect.stringMatching(/^The sealing keys do not belong.*member_a/),
    ])
    // The same sealing keys with another signing key, which may have been replaced since.
    copyFileSync(join(folder, 'sealing-keys'), join(otherFolder, 'sealing-keys'))
    expect(await database.knex('restores')).toEqual([])
    const { code, out } = await runCommand({ CALLGATE_DATA: otherFolder, DATABASE_URL: url }, [
      'restored',
      '--yes',
    ])
    expect([code, out]).toEqual([0, expect.stringContaining('The signing key is not the one of that time')])
  })

  it('reports data that verify finds wrong by its exit code', async () => {
    await database.write(tx => tx('members').update({ createdAt: 'yesterday' }))
    const { code, out } = await callgate('verify')
    expect([code, out]).toEqual([
      1,
      expect.stringMatching(/members\.createdAt +member_a +is no time: yesterday/),
    ])
    expect((await callgate('verify', '--quiet')).code).toBe(1)
  })
})
