import { request } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { type OperationId, operations } from '@callgate/contract/rest/operations'
import { scopeNames } from '@callgate/contract/rest/scope'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { activityHandlers } from '../activity/activityLog.ts'
import { memberHandlers } from '../member/members.ts'
import { createApiKey, revokeApiKey } from '../space/apiKeys.ts'
import { newSpace } from '../space/space.kit.ts'
import { mayCompress } from './compression.ts'
import type { Handlers } from './handler.ts'
import { type ApiServer, gate, json, serveApi } from './server.kit.ts'

let api: ApiServer

/** A small answer. */
const listOpenings: Handlers['listOpenings'] = async () => ({
  status: 200,
  body: { openings: [], pagination: { limit: 1, offset: 0 } },
})

beforeAll(async () => {
  api = await serveApi(parts => ({
    ...memberHandlers({ ...parts, appUrl: 'http://localhost' }),
    ...activityHandlers(parts),
    listOpenings,
  }))
  for (let made = 0; made < 12; made++) {
    const { json: created } = await api.send('POST', '/api/v1/gates', json({ ...gate, name: `Gate ${made}` }))
    const { id: gateId } = created['gate'] as { id: string }
    await api.send('POST', '/api/v1/members', json({ name: `Ana ${made}`, accesses: [{ gateId }] }))
  }
})
afterAll(() => api.stop())

interface Got {
  readonly status: number | undefined
  readonly headers: Readonly<Record<string, unknown>>
  readonly bytes: Buffer
}

function get(
  path: string,
  encoding: string | undefined,
  { key = api.key, method = 'GET' } = {},
): Promise<Got> {
  const accepted = encoding === undefined ? {} : { 'Accept-Encoding': encoding }
  const headers = { Authorization: `Bearer ${key}`, ...accepted }
  return new Promise((resolve, reject) => {
    const sent = request(api.base + path, { method, headers }, answer => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      const end = () =>
        resolve({ status: answer.statusCode, headers: answer.headers, bytes: Buffer.concat(chunks) })
      answer.on('end', end)
    })
    sent.on('error', reject)
    sent.end()
  })
}

const encodingOf = async (path: string, accepted: string | undefined) =>
  (await get(path, accepted)).headers['content-encoding']

describe('compression', () => {
  it('compresses long lists and the document for clients that accept gzip, with the same bytes inside', async () => {
    for (const path of ['/api/v1/gates', '/api/v1/activity', '/api/v1/openapi.json']) {
      const plain = await get(path, undefined)
      const short = await get(path, 'br, gzip')
      expect([plain.headers['content-encoding'], short.headers['content-encoding']]).toEqual([
        undefined,
        'gzip',
      ])
      expect(short.bytes.length).toBeLessThan(plain.bytes.length / 3)
      expect(gunzipSync(short.bytes).equals(plain.bytes)).toBe(true)
      // A cache must not give one form to a client that wants the other.
      for (const { headers } of [plain, short]) expect(headers['vary']).toContain('Accept-Encoding')
      for (const other of ['br', 'gzip;q=0', 'identity', ''])
        expect(await encodingOf(path, other)).toBeUndefined()
      expect((await get(path, 'gzip', { method: 'HEAD' })).bytes).toHaveLength(0)
    }
  })

  it('gives the kept bytes of a list to nobody who may not read it, and to nobody else', async () => {
    const list = '/api/v1/gates'
    const { apiKeyId, key } = await api.newKey()
    const other = await newSpace(api)
    const theirs = await createApiKey(api, {
      ...{ spaceId: other, name: 'Desk', expiresAt: null, actor: 'operator' },
      scopes: scopeNames,
    })
    const { key: withoutScope } = await api.newKey(['members:read'])
    const first = await get(list, 'gzip', { key })
    const again = await get(list, 'gzip')
    expect([first.status, again.bytes.equals(first.bytes)]).toEqual([200, true])
    expect((await get(list, 'gzip', { key: withoutScope })).status).toBe(403)
    expect((await get(list, 'gzip', { key: theirs?.key ?? '' })).bytes.toString()).toBe('{"gates":[]}')
    await revokeApiKey(api, { apiKeyId, actor: 'operator' })
    const refused = await get(list, 'gzip', { key })
    expect([refused.status, refused.headers['content-encoding']]).toEqual([401, undefined])
  })

  it('compresses again what has changed, and each query by itself', async () => {
    const before = await get('/api/v1/gates', 'gzip')
    const of = await get('/api/v1/gates?isActive=true', 'gzip')
    expect(of.bytes.equals(before.bytes)).toBe(true)
    const { json: listed } = await api.send('GET', '/api/v1/gates')
    const [{ id } = { id: '' }] = listed['gates'] as { id: string }[]
    await api.send('DELETE', `/api/v1/gates/${id}`)
    const names = async (query: string) => {
      const { bytes } = await get(`/api/v1/gates${query}`, 'gzip')
      const { gates } = JSON.parse(gunzipSync(bytes).toString()) as { gates: { isActive: boolean }[] }
      return [gates.length, gates.filter(({ isActive }) => !isActive).length]
    }
    expect([await names(''), await names('?isActive=true')]).toEqual([
      [12, 1],
      [11, 0],
    ])
    expect((await get('/api/v1/gates', undefined)).bytes.toString()).toContain('"isActive":false')
  })

  it('does not compress answers with magic links, whatever the client accepts', async () => {
    const list = await get('/api/v1/members', 'gzip')
    expect(list.bytes.length).toBeGreaterThan(1_400)
    expect(list.bytes.toString()).toContain('http://localhost/g/')
    expect([list.headers['content-encoding'], list.headers['vary']]).toEqual([undefined, undefined])
    const withLinks = (Object.keys(operations) as OperationId[]).filter(id =>
      JSON.stringify(operations[id].answers).includes('accessUrl'),
    )
    expect(withLinks.length).toBeGreaterThan(5)
    expect(withLinks.filter(id => mayCompress(operations[id]))).toEqual([])
  })

  it('does not compress small answers, errors and single resources', async () => {
    const { json: listed } = await api.send('GET', '/api/v1/gates')
    const [{ id } = { id: '' }] = listed['gates'] as { id: string }[]
    for (const path of [
      '/api/v1/openings',
      '/api/v1/gates?limit=1',
      '/api/v1/gates?x=1',
      `/api/v1/gates/${id}`,
    ])
      expect(await encodingOf(path, 'gzip'), path).toBeUndefined()
    expect((await get(`/api/v1/gates/${id}`, 'gzip')).headers['etag']).toBeDefined()
  })

  it('does not compress lists in pieces: they keep their pace, and one that fails is cut off', async () => {
    const details = { deviceName: 'Front', changes: { name: { from: 'x'.repeat(30_000), to: 'y' } } }
    const entry = { action: 'gate.updated', actor: 'operator', targetType: 'gate', targetLabel: 'Front' }
    await api.database.write(async tx => {
      for (let place = 0; place < 10; place++) {
        const row = {
          ...entry,
          id: `act_${place}`,
          spaceId: api.spaceId,
          timestamp: '2026-01-06T00:00:00.000Z',
        }
        await tx('activity').insert({ ...row, details: JSON.stringify(details) })
      }
    })
    const { bytes, headers } = await get('/api/v1/activity?limit=10', 'gzip')
    expect([headers['content-encoding'], headers['transfer-encoding']]).toEqual([undefined, 'chunked'])
    expect(bytes.length).toBeGreaterThan(300_000)
    const link = '</api/v1/activity?limit=10&offset=10>; rel="next"'
    expect(headers['link']).toContain(link)
  })
})
