import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { entityTag, readIfMatch } from './entityTag.ts'
import { type ApiServer, gate, json, serveApi, told } from './server.kit.ts'

describe('If-Match', () => {
  it('is read as a star or as a list of tags', () => {
    const read = (header: string | undefined) => {
      const match = readIfMatch(header)
      return match.ok ? match.ifMatch : 'refused'
    }
    expect(read(undefined)).toBeUndefined()
    expect(read(' * ')).toBe('*')
    expect(read('"a", W/"b,c" ,"d"')).toEqual(['"a"', 'W/"b,c"', '"d"'])
    for (const bad of ['', 'a', '"a', '"a" b', ',', '*, "a"', "'a'"]) expect(read(bad), bad).toBe('refused')
  })
})

describe('a tag', () => {
  let api: ApiServer
  let path = ''
  let tag = ''
  beforeEach(async () => {
    api = await serveApi()
    const created = await api.send('POST', '/api/v1/gates', json(gate))
    path = `/api/v1/gates/${(created.json['gate'] as { id: string }).id}`
    tag = created.headers.get('etag') ?? ''
  })
  afterEach(() => api.stop())

  const change = (name: string, ifMatch: string) =>
    api.send('PATCH', path, json({ name }, { 'If-Match': ifMatch }))

  it('is on every answer that holds one resource, and the same for the same state', async () => {
    expect(tag).toMatch(/^"[\w-]{27}"$/)
    const got = await api.send('GET', path)
    expect(got.headers.get('etag')).toBe(tag)
    expect(entityTag(got.json)).toBe(tag)
    const changed = await api.send('PATCH', path, json({ name: 'Back' }))
    expect(changed.headers.get('etag')).not.toBe(tag)
    expect((await api.send('GET', path)).headers.get('etag')).toBe(changed.headers.get('etag'))
    expect((await api.send('GET', '/api/v1/gates')).headers.get('etag')).toBeNull()
    expect((await api.send('GET', `${path}s`)).headers.get('etag')).toBeNull()
  })

  it('is the same after the gate was opened: an edit goes through', async () => {
    await api.database.knex('gates').update({ openCount: 7, lastOpenedAt: '2026-01-05T08:00:00.000Z' })
    expect((await api.send('GET', path)).headers.get('etag')).toBe(tag)
    expect((await change('Back', tag)).json['gate']).toMatchObject({ name: 'Back', openCount: 7 })
  })

  it('of a member leaves out the use of each access, and nothing else', () => {
    const access = { id: 'a', maxUsage: 5, usageCount: 0, lastUsedAt: null }
    const member = { name: 'Ana', preferredLanguage: 'en', accesses: [access] }
    const tagOf = (given: object, more: object = {}) =>
      entityTag({ member: { ...member, ...more, accesses: [{ ...access, ...given }] } })
    expect(tagOf({ usageCount: 3, lastUsedAt: 'now' }, { preferredLanguage: 'hu' })).toBe(tagOf({}))
    for (const other of [tagOf({ maxUsage: 6 }), tagOf({ id: 'b' }), tagOf({}, { name: 'Eva' })])
      expect(other).not.toBe(tagOf({}))
  })

  it('lets the first of two changes through, and the second read again', async () => {
    const first = await change('Back', tag)
    expect(first.status).toBe(200)
    expect(told(await change('Side', tag))).toBe('412 precondition_failed')
    expect(told(await change('Side', `W/${first.headers.get('etag')}`))).toBe('412 precondition_failed')
    expect((await api.send('GET', path)).json['gate']).toMatchObject({ name: 'Back' })
    expect((await change('Side', `"other", ${first.headers.get('etag')}`)).status).toBe(200)
    expect((await change('Front', '*')).status).toBe(200)
  })

  it('guards a DELETE as well', async () => {
    const remove = (ifMatch: string) => api.send('DELETE', path, { headers: { 'If-Match': ifMatch } })
    expect(told(await remove('"other"'))).toBe('412 precondition_failed')
    expect((await remove(tag)).status).toBe(204)
    expect(told(await remove(tag))).toBe('412 precondition_failed')
    expect((await remove('*')).status).toBe(204)
  })
})
