// Fuzzing: sends thousands of generated requests to the whole API, and checks every answer against the contract.

import { setPlan } from '@callgate/cloud/space/spaces'
import { OpenFailedBody, ProblemBody } from '@callgate/contract/rest/problem'
import { scopeNames } from '@callgate/contract/rest/scope'
import { checker } from '@callgate/contract/validate'
import { settle } from '@callgate/world/fake'
import * as fc from 'fast-check'
import { expect } from 'vitest'
import { type AnswerJson, type Api, serveWholeApi } from '../apiServer.ts'
import { contractCheck } from '../contractCheck.ts'
import type { Tenant } from '../servedCloud.ts'
import { furnish, type ParamName } from '../validRequests.ts'
import { bytesOf } from './bytes.ts'
import { cutOff, cutWays } from './cut.ts'
import { type FuzzRequest, fuzzRequests } from './generatedRequests.ts'
import { type RawAnswer, type RawClient, rawClient } from './rawClient.ts'
import { refusedPrefixes } from './schemaValues.ts'

/** How often each status was answered. */
type Spread = Record<string, number>

/** Each Space gets so many requests. Then its lists stay short, and few of its keys meet a rate limit. */
const requestsPerSpace = 1_000
const connections = 16
/** One request in so many is cut off. */
const cutEvery = 20
/** How many ids of a kind are remembered: the newest. */
const keptIds = 10

const checkProblem = checker(ProblemBody, 'the answer')
const checkOpenFailed = checker(OpenFailedBody, 'the answer')

/** A Space for generated requests: its ids and its keys. */
interface Stage {
  readonly keys: readonly string[]
  /** An id for each placeholder. */
  resolve(text: string): string
  /** Remembers what an answer has made. */
  learn(request: FuzzRequest, path: string, json: Partial<AnswerJson>): void
}

async function keysOf(api: Api, space: Tenant): Promise<string[]> {
  const keys: string[] = []
  // The first keys are the same key, so that its requests meet the rate limits.
  for (let made = 0; made < 40; made++) keys.push(made < 4 && keys[0] ? keys[0] : (await space.addKey()).key)
  for (const scope of scopeNames) keys.push((await space.addKey({ scopes: [scope] })).key)
  const free = await api.addSpace('pro')
  await setPlan(api, { spaceId: free.spaceId, plan: 'free', actor: 'operator' })
  return [...keys, free.key, '', 'svc_live_short', '\u00ff', `${space.key}x`].slice(0, 50)
}

async function makeStage(api: Api, foreign: Readonly<Record<ParamName, string>>): Promise<Stage> {
  const space = await api.addSpace('business')
  const { deleted, own } = await furnish(api, space)
  const gone = { openingId: `open_${'0'.repeat(26)}`, ...deleted }
  const live: Record<ParamName, string[]> = {
    gateId: [own.gateId],
    memberId: [own.memberId],
    accessId: [`${own.memberId}/accesses/${own.accessId}`],
    openingId: [own.openingId],
  }

  function idAt(param: ParamName, index: number): string {
    const ids = live[param]
    if (index > keptIds) return index % 2 === 0 ? foreign[param] : gone[param]
    return ids[index % Math.max(1, ids.length)] ?? gone[param]
  }
  function add(param: ParamName, id: string | undefined): void {
    if (id === undefined || live[param].includes(id)) return
    live[param].push(id)
    if (live[param].length > keptIds) live[param].shift()
  }

  return {
    keys: await keysOf(api, space),
    resolve: text =>
      text
        // The path of an access needs the id of its own member.
        .replace(/@memberId:\d+@\/accesses\/@accessId:(\d+)@/, (_, index) => idAt('accessId', Number(index)))
        .replace(/@(\w+):(\d+)@/g, (_, param: ParamName, index) => idAt(param, Number(index))),
    learn({ operation }, path, { access, gate, member, openingId }) {
      add('gateId', gate?.id)
      add('openingId', openingId)
      if (member?.isActive) add('memberId', member.id)
      const [, memberId] = /\/members\/([^/?]+)/.exec(path) ?? []
      if (access) add('accessId', `${memberId}/accesses/${access.id}`)
      for (const { id } of member?.accesses ?? []) add('accessId', `${member?.id}/accesses/${id}`)
      if (operation === 'deactivateMember') live.memberId = live.memberId.filter(id => id !== memberId)
      if (operation === 'revokeAccess') live.accessId = live.accessId.filter(id => !path.includes(id))
    },
  }
}

/** Whether Node's parser may refuse the request before the API sees it. */
function mayBeBroken({ headers, method }: FuzzRequest): boolean {
  const broken = headers.some(
    ([name, value]) =>
      /\u0000| /.test(name + (name === 'X-Odd' ? value : '')) || /^(X-Long|Transfer)/.test(name),
  )
  return broken || method === 'BREW' || method === 'get'
}

type Check = (method: string, path: string, answer: RawAnswer & { json: object }) => void

function checkAnswer(
  request: FuzzRequest,
  path: string,
  answer: RawAnswer,
  checkContract: Check,
): Partial<AnswerJson> {
  const { headers, status, text } = answer
  const shown = `${request.method} ${path} answered ${status} ${text.slice(0, 300)}`
  const isStream = `${headers['content-type']}`.startsWith('text/event-stream')
  const json = (text === '' || isStream ? {} : JSON.parse(text)) as Partial<AnswerJson>
  expect(headers['x-request-id'], shown).toMatch(/^[\w.-]{1,64}$/)
  if (status >= 500) expect([status, json.error?.code], shown).toEqual([502, 'open_failed'])
  if (status >= 400 && request.method !== 'HEAD') {
    const check = json.error?.code === 'open_failed' ? checkOpenFailed : checkProblem
    expect(check(json), shown).toMatchObject({ ok: true })
  }
  if (!mayBeBroken(request)) checkContract(request.method, path, { ...answer, json })
  return json
}

/** Sends one request and checks its answer. The error of a failure contains the whole request. */
async function sendOne(client: RawClient, stage: Stage, request: FuzzRequest, check: Check): Promise<number> {
  const path = stage.resolve(request.path)
  const bytes = bytesOf(request, path, stage.keys[request.key] ?? '', stage.resolve)
  const answer = await client.send(bytes, request.method === 'HEAD')
  try {
    if (!answer) throw new Error('the connection was closed without an answer')
    const json = checkAnswer(request, path, answer, check)
    if (answer.status < 300) stage.learn(request, path, json)
    return answer.status
  } catch (error) {
    throw new Error(`${bytes.subarray(0, 2_000).toString('latin1')}\n${String(error)}`, { cause: error })
  }
}

/** Sends a part of a request and goes away. `turn` decides how, and after how many bytes. */
async function cutOneOff(port: number, stage: Stage, request: FuzzRequest, turn: number): Promise<void> {
  const bytes = bytesOf(request, stage.resolve(request.path), '', stage.resolve)
  const way = cutWays[turn % cutWays.length] ?? 'reset'
  await cutOff(port, bytes.subarray(0, (turn * 97) % (bytes.length + 1)), way)
}

/** Sends the requests over several connections. Moves the clock when no answer comes for a while. */
async function sendAll(
  api: Api,
  stage: Stage,
  requests: readonly FuzzRequest[],
  spread: Spread,
  check: Check,
) {
  const waiting = [...requests]
  const port = Number(new URL(api.base).port)
  let isOver = false
  let answered = 0
  const work = async () => {
    const client = rawClient(port)
    for (let request = waiting.pop(); request; request = waiting.pop()) {
      const status = await sendOne(client, stage, request, check)
      // Nobody answers a client that goes away; the next requests show that the server still works.
      if (answered % cutEvery === 0) await cutOneOff(port, stage, request, answered / cutEvery)
      spread[status] = (spread[status] ?? 0) + 1
      answered++
    }
    client.close()
  }
  const all = Promise.all(Array.from({ length: connections }, work)).finally(() => {
    isOver = true
  })
  all.catch(() => {})
  while (!isOver) {
    const before = answered
    await settle(30)
    if (answered === before) await api.world.advance(5_000)
  }
  await all
}

/**
 * Sends `count` requests drawn from `seed`, and prints how they were answered. Fails at the first wrong answer, and when
 * too few requests succeed, because then they do not reach the code under test.
 */
export async function fuzz(seed: number, count: number): Promise<void> {
  const api = await serveWholeApi(seed)
  const foreign = (await furnish(api, api.home)).own
  const spread: Spread = {}
  try {
    for (let sent = 0; sent < count; sent += requestsPerSpace) {
      const stage = await makeStage(api, foreign)
      const { check } = contractCheck()
      const requests = fc.sample(fuzzRequests, { numRuns: requestsPerSpace, seed: seed * 1_000_003 + sent })
      await sendAll(api, stage, requests, spread, check)
      const stored: string[] = await api.database.knex('gates').pluck('phoneNumber')
      const refused = stored.filter(number => refusedPrefixes.some(prefix => number.startsWith(prefix)))
      expect(refused, 'numbers of a refused range').toEqual([])
      await api.nextMinute()
    }
  } catch (error) {
    throw new Error(`seed ${seed}: ${String(error)}`, { cause: error })
  } finally {
    await api.stop()
  }
  const summary = Object.entries(spread).map(([status, times]) => `${times} × ${status}`)
  process.stdout.write(`fuzz seed ${seed}: ${summary.join(', ')}\n`)
  const successes = [200, 201, 202, 204].reduce((sum, status) => sum + (spread[status] ?? 0), 0)
  expect(successes / count).toBeGreaterThan(0.25)
  // Every kind of refusal occurred too. Of the last two there are some in 25,000 requests.
  const seldom = count < 25_000 ? [] : [412, 422]
  for (const status of [400, 401, 403, 404, 405, 409, 413, 415, 429, 431, 502, ...seldom])
    expect(spread, String(status)).toHaveProperty(String(status))
}
