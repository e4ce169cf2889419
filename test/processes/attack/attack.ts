// Sends generated requests and cut dialogues to a real cloud, which must keep running and answering.

import * as fc from 'fast-check'
import { bytesOf } from '../../api/fuzz/bytes.ts'
import { type CutWay, cutOff, cutSecuredOff, endStalled } from '../../api/fuzz/cut.ts'
import { type FuzzRequest, fuzzRequests } from '../../api/fuzz/generatedRequests.ts'
import { rawClient } from '../../api/fuzz/rawClient.ts'
import type { CloudProcess } from './cloudProcess.ts'
import { aGateway, type Dialogue, dialogues } from './dialogues.ts'

const connections = 16
/** The number of requests to each Space before the next Space. */
const turnOfSpace = 50
/** The number of requests or cuts after which the cloud is asked whether it answers. */
const batch = 1_000

/** The highest share of requests that may be refused by a rate limit, because such an answer tests nothing else. */
export const most429 = 0.05

const bearer = (key: string) => [['Authorization', `Bearer ${key}`]] as const

/** The number of answers with each status; `none` where the connection was closed instead. */
export type Spread = Record<string, number>

/** Shares work between several connections. */
async function share(count: number, work: (turn: number) => Promise<void>): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: connections }, worker))
}

async function expectLife(cloud: CloudProcess, after: string): Promise<void> {
  const isUp = await cloud.answers()
  const end = cloud.death()
  if (end !== undefined || !isUp) throw new Error(`${after}: ${end ?? 'the cloud does not answer'}`)
}

/** Replaces placeholders with ids from earlier answers. */
function names() {
  const known = new Map<string, string[]>()
  return {
    learn(body: string) {
      for (const [id, kind = ''] of body.matchAll(/\b(gate|member|access|open)_[0-9a-z]{26}\b/g))
        known.set(kind, [...(known.get(kind) ?? []), id].slice(-10))
    },
    resolve: (said: string) =>
      said.replace(/@(gate|member|access|open)\w*:(\d+)@/g, (_, kind: string, index: string) => {
        const ids = known.get(kind) ?? []
        return ids[Number(index) % Math.max(1, ids.length)] ?? `${kind}_${'0'.repeat(26)}`
      }),
  }
}

/** Draws requests when they are needed, a thousand at a time. */
function drawing(seed: number): (turn: number) => FuzzRequest | undefined {
  let first = 0
  let drawn: readonly FuzzRequest[] = []
  return turn => {
    if (turn >= first + drawn.length) {
      first = turn
      drawn = fc.sample(fuzzRequests, { numRuns: batch, seed: seed + turn })
    }
    return drawn[turn - first]
  }
}

/** Sends generated requests. Fails when the cloud dies, does not answer, or answers with 500. */
export async function sendRequests(cloud: CloudProcess, seed: number, count: number): Promise<Spread> {
  const { spaces } = cloud
  const known = spaces.map(names)
  const spread: Spread = {}
  const draw = drawing(seed)
  // Each client has its own address, because many bad keys from one address slow down the answers to it.
  const clients = Array.from({ length: connections }, (_, place) =>
    rawClient(cloud.ports.http, `127.0.1.${place + 1}`),
  )
  const lines = [...clients]
  await share(count, async turn => {
    const request = draw(turn)
    const client = lines.pop()
    const place = Math.floor(turn / turnOfSpace) % spaces.length
    const [space, ids] = [spaces[place], known[place]]
    if (!request || !client || !space || !ids) return
    const key = space.keys[turn % space.keys.length] ?? ''
    const bytes = bytesOf(request, ids.resolve(request.path), bearer(key), ids.resolve)
    const answer = await client.send(bytes, request.method === 'HEAD')
    lines.push(client)
    const status = String(answer?.status ?? 'none')
    spread[status] = (spread[status] ?? 0) + 1
    if (status === '500') throw new Error(`${bytes.subarray(0, 2_000).toString('latin1')}\n${answer?.text}`)
    if (answer && answer.status < 300) ids.learn(answer.text)
    if (turn % batch === batch - 1) await expectLife(cloud, `requests until ${turn}, seed ${seed}`)
  })
  await expectLife(cloud, `${count} requests, seed ${seed}`)
  for (const client of clients) client.close()
  return spread
}

interface Cut {
  readonly dialogue: Dialogue
  readonly at: number
}

/** Cuts `count` dialogues, each at a later byte than the one before, in rounds. Fails when the cloud dies or does not answer. */
export async function cutDialogues(cloud: CloudProcess, way: CutWay, count: number): Promise<void> {
  const cuts = dialogues(cloud.credentials).flatMap(dialogue =>
    Array.from({ length: dialogue.bytes.length + 1 }, (_, at): Cut => ({ dialogue, at })),
  )
  for (let done = 0; done < count; done += batch) {
    await share(Math.min(batch, count - done), async turn => {
      const cut = cuts[(done + turn) % cuts.length]
      if (cut) await cutOff(cloud.ports[cut.dialogue.port], cut.dialogue.bytes.subarray(0, cut.at), way)
    })
    const first = cuts[done % cuts.length]
    await expectLife(cloud, `${batch} cuts by ${way}, from "${first?.dialogue.name}" after byte ${first?.at}`)
  }
  endStalled()
}

/**
 * Cuts a gateway's dialogue over TLS after each byte on the wire. The cloud must take TLS. Fails when the cloud dies or does not
 * answer. Returns the number of cuts.
 */
export async function cutSecuredDialogue(cloud: CloudProcess, way: CutWay): Promise<number> {
  const { bytes } = aGateway(cloud.credentials)
  const port = cloud.ports.mqtt
  const whole = await cutSecuredOff(port, bytes, Number.POSITIVE_INFINITY, 'reset')
  if (whole <= bytes.length) throw new Error(`the cloud took no TLS: ${whole} bytes were sent`)
  await share(whole, async at => {
    await cutSecuredOff(port, bytes, at + 1, way)
  })
  endStalled()
  await expectLife(cloud, `${whole} cuts of a TLS connection by ${way}`)
  return whole
}

/** The cloud's heap as soon as it is at most `most` bytes, or after `withinMs`. */
export async function settledHeap(cloud: CloudProcess, most: number, withinMs: number): Promise<number> {
  const endMs = performance.now() + withinMs
  for (;;) {
    const bytes = await cloud.heapBytes()
    if (bytes <= most || performance.now() >= endMs) return bytes
    await new Promise(resolve => setTimeout(resolve, 1_000))
  }
}
