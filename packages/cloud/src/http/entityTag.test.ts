import { isProblem } from '@callgate/contract/rest/problem'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { entityTag, isUnchanged, readTags } from './entityTag.ts'
import { type ApiServer, gate, json, serveApi, told } from './server.kit.ts'

describe('If-Match', () => {
  it('is read as a star or as a list of tags', () => {
    const read = (header: string | undefined) => {
      const match = readTags('If-Match', header)
      return isProblem(match) ? 'refused' : match
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

  it('is on every answer with one resource, and is the same for the same state', async () => {
    expect(tag).toMatch(/^"[\w-]{43}"$/)
    const got = await api.send('GET', path)
    expect(got.headers.get('etag')).toBe(tag)
    expect(entityTag(got.json)).toBe(tag)
    const changed = await api.send('PATCH', path, json({ name: 'Back' }))
    expect(changed.headers.get('etag')).not.toBe(tag)
    expect((await api.send('GET', path)).headers.get('etag')).toBe(changed.headers.get('etag'))
    expect((await api.send('GET', '/api/v1/gates')).headers.get('etag')).toBeNull()
    expect((await api.send('GET', `${path}s`)).headers.get('etag')).toBeNull()
  })

  it('changes for a reader when the gate is opened, but an edit with the old tag succeeds', async () => {
    await api.database.knex('gates').update({ openCount: 7, lastOpenedAt: '2026-01-05T08:00:00.000Z' })
    const opened = (await api.send('GET', path)).headers.get('etag') ?? ''
    expect(opened).not.toBe(tag)
    expect(opened.slice(0, 28)).toBe(tag.slice(0, 28))
    expect((await change('Back', tag)).json['gate']).toMatchObject({ name: 'Back', openCount: 7 })
    // A tag that has only the first part, and one of another form.
    const [first = ''] = (await api.send('GET', path)).headers.get('etag')?.match(/"[\w-]{27}/) ?? []
    expect(told(await change('Side', `${first}x"`))).toBe('412 precondition_failed')
    expect((await change('Side', `${first}"`)).status).toBe(200)
  })

  it('has metadata whole in its first part, also a key that is called as a use is', () => {
    const tagWith = (metadata: object) => entityTag({ gate: { id: 'a', openCount: 0, metadata } })
    const first = tagWith({ openCount: '1', now: 'a' })
    expect(tagWith({ openCount: '2', now: 'a' }).slice(0, 28)).not.toBe(first.slice(0, 28))
    expect(tagWith({ now: 'a', openCount: '1' })).toBe(first)
  })

  it('of a member has the uses of each access in its second part, and everything else in its first', () => {
    const access = { id: 'a', maxUsage: 5, usageCount: 0, lastUsedAt: null }
    const member = { name: 'Ana', preferredLanguage: 'en', accesses: [access] }
    const tagOf = (given: object, more: object = {}) =>
      entityTag({ member: { ...member, ...more, accesses: [{ ...access, ...given }] } })
    const edit = (of: string) => of.slice(1, 28)
    const uses = [
      tagOf({ usageCount: 3 }),
      tagOf({ lastUsedAt: 'now' }),
      tagOf({}, { preferredLanguage: 'hu' }),
    ]
    expect(new Set([...uses, tagOf({})]).size).toBe(4)
    for (const other of uses) expect(edit(other)).toBe(edit(tagOf({})))
    for (const other of [tagOf({ maxUsage: 6 }), tagOf({ id: 'b' }), tagOf({}, { name: 'Eva' })])
      expect(edit(other)).not.toBe(edit(tagOf({})))
    const [one, two] = [
      { a: { usageCount: 1 }, b: [{ lastUsedAt: 2 }] },
      { b: [{ lastUsedAt: 2 }], a: { usageCount: 1 } },
    ]
    expect(entityTag(one)).toBe(entityTag(two))
    expect(entityTag({ a: { usageCount: 1 } })).not.toBe(entityTag({ b: { usageCount: 1 } }))
    expect(entityTag({ name: 'Ana' })).toMatch(/^"[\w-]{27}"$/)
  })

  it('accepts the first of two changes, and makes the second one read again', async () => {
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

describe('If-None-Match', () => {
  it('compares weakly: W/ makes no difference', () => {
    expect(isUnchanged(['W/"a"'], '"a"')).toBe(true)
    expect(isUnchanged(['"b"', '"a"'], '"a"')).toBe(true)
    expect(isUnchanged('*', '"a"')).toBe(true)
    for (const other of ['"A"', '"a', 'W/"aa"', '"W/a"']) expect(isUnchanged([other], '"a"')).toBe(false)
  })

  it('makes the answer 304 without a body, with the tag, as long as nothing has changed', async () => {
    const api = await serveApi()
    const { id } = (await api.send('POST', '/api/v1/gates', json(gate))).json['gate'] as { id: string }
    const path = `/api/v1/gates/${id}`
    const read = (ifNoneMatch: string, method = 'GET', of = path) =>
      api.send(method, of, { headers: { 'If-None-Match': ifNoneMatch } })
    const tag = (await api.send('GET', path)).headers.get('etag') ?? ''
    for (const same of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const { headers, status, text } = await read(same)
      expect([same, status, text, headers.get('etag')]).toEqual([same, 304, '', tag])
      expect([headers.get('cache-control'), headers.get('content-type')]).toEqual(['no-store', null])
      expect(headers.get('ratelimit')).toMatch(/^"default"/)
    }
    expect((await read(tag, 'HEAD')).status).toBe(304)
    expect((await read('"other"')).json['gate']).toMatchObject({ id })
    // A counter has changed, but nothing that can be edited.
    await api.database.knex('gates').update({ openCount: 7 })
    expect((await read(tag)).json['gate']).toMatchObject({ openCount: 7 })
    expect(told(await read('other'))).toBe('400 validation_error')
    expect((await read('other')).json.error?.message).toBe(
      'If-None-Match must be * or the ETag of the resource in its quotes',
    )
    expect(told(await read('*', 'GET', `${path}x`))).toBe('404 not_found')
    // Lists have no tag, and changes use If-Match.
    expect((await read('*', 'GET', '/api/v1/gates')).status).toBe(200)
    expect((await api.send('PATCH', path, json({ name: 'B' }, { 'If-None-Match': '*' }))).status).toBe(200)
    await api.stop()
  })
})
