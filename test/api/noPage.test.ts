// Unknown addresses: a person gets a page in their language, and a program gets JSON.

import { texts } from '@callgate/cloud/guest/texts/texts'
import { languages } from '@callgate/contract/language'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Api, serveWholeApi } from './apiServer.ts'

let api: Api
beforeAll(async () => {
  api = await serveWholeApi()
})
afterAll(() => api.stop())

const html = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const browse = (path: string, language = 'en', method = 'GET') =>
  fetch(api.base + path, { method, headers: { Accept: html, 'Accept-Language': language } })

it('shows a browser a page in its language, with a way back', async () => {
  for (const language of languages) {
    const answer = await browse('/gates', language)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    const text = await answer.text()
    expect(text).toContain(`<html lang="${language}"`)
    expect(text).toMatch(/<a class="b fill" href="\/">\S/)
    // The tab has the title of this page, and does not offer to open a gate.
    expect(text).toContain(`<title>${texts[language].noPage[0]}</title>`)
  }
  expect((await browse('/gates', 'ro', 'HEAD')).headers.get('content-type')).toMatch(/^text\/html/)
})

it('shows the same at every address, under the headers of the pages behind links', async () => {
  const answers = await Promise.all(
    ['/gates', '/spaces/space_x', '/G/abc', '/nothing'].map(path => browse(path)),
  )
  const texts = await Promise.all(answers.map(answer => answer.text()))
  expect(new Set(texts).size).toBe(1)
  const { headers } = await browse('/g/abc')
  for (const name of [
    'content-security-policy',
    'referrer-policy',
    'x-robots-tag',
    'cache-control',
    'x-content-type-options',
    'x-frame-options',
  ]) {
    const value = headers.get(name)
    expect(value, name).not.toBeNull()
    for (const answer of answers) expect(answer.headers.get(name), name).toBe(value)
  }
})

it('reveals nothing about a link: below /g a dead link and no link get the same page', async () => {
  const bodies = ['/g/abc', '/g/abc/nothing', '/g', '/g/abc/openings/open_x'].map(async path => {
    const answer = await browse(path)
    return [answer.status, await answer.text()]
  })
  const [first, ...others] = await Promise.all(bodies)
  expect(first?.[1]).toContain('This link does not work')
  for (const other of others) expect(other).toEqual(first)
})

it.each([
  ['GET', '/gates', '*/*'],
  ['GET', '/gates', 'application/json'],
  ['GET', '/gates', 'application/json, text/plain, */*'],
  ['POST', '/gates', html],
  ['GET', '/api/v1/nothing', html],
  ['GET', '/app/v1/nothing', html],
  ['GET', '/enrol/v1/nothing', html],
])('answers %s %s with Accept %s as JSON', async (method, path, accept) => {
  const answer = await fetch(api.base + path, { method, headers: { Accept: accept } })
  expect(answer.status).toBe(404)
  expect(await answer.json()).toEqual({
    error: { code: 'not_found', message: 'There is nothing at this address.' },
  })
})
