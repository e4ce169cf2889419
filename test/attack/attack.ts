// Generated requests and cut dialogues against a real cloud: it has to live, and its heap has to come back.

import * as fc from 'fast-check'
import { bytesOf } from '../api/fuzz/bytes.ts'
import { type CutWay, cutOff, endStalled } from '../api/fuzz/cut.ts'
import { rawClient } from '../api/fuzz/rawClient.ts'
import { fuzzRequests } from '../api/fuzz/requests.ts'
import type { CloudProcess } from './cloudProcess.ts'
import { type Dialogue, dialogues } from './dialogues.ts'

const connections = 16
/** After so many requests or cuts the cloud has to answer. */
const batch = 1_000

/** How often each status was answered; `none` where the connection was closed instead. */
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

/** Ids that answers named, in the place of placeholders. */
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

/** Sends generated requests, some in the middle of nothing; fails when the cloud dies, is mute, or answers with 500. */
export async function sendRequests(cloud: CloudProcess, seed: number, count: number): Promise<Spread> {
  const { keys } = cloud.credentials
  const { learn, resolve } = names()
  const spread: Spread = {}
  const clients = Array.from({ length: connections }, () => rawClient(cloud.ports.http))
  for (let sent = 0; sent < count; sent += batch) {
    const requests = fc.sample(fuzzRequests, { numRuns: Math.min(batch, count - sent), seed: seed + sent })
    const lines = [...clients]
    await share(requests.length, async turn => {
      const request = requests[turn]
      const client = lines.pop()
      if (!request || !client) return
      const bytes = bytesOf(request, resolve(request.path), keys[request.key % keys.length] ?? '', resolve)
      const answer = await client.send(bytes, request.method === 'HEAD')
      lines.push(client)
      const status = String(answer?.status ?? 'none')
      spread[status] = (spread[status] ?? 0) + 1
      if (status === '500') throw new Error(`${bytes.subarray(0, 2_000).toString('latin1')}\n${answer?.text}`)
      if (answer && answer.status < 300) learn(answer.text)
    })
    await expectLife(cloud, `requests ${sent} to ${sent + batch}, seed ${seed}`)
  }
  for (const client of clients) client.close()
  return spread
}

interface Cut {
  readonly dialogue: Dialogue
  readonly at: number
}

/** Cuts so many dialogues, after every byte in turn and again from the start; fails when the cloud dies or is mute. */
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

/** The cloud's heap once it is within `most` bytes, or at last after `withinMs`. */
export async function settledHeap(cloud: CloudProcess, most: number, withinMs: number): Promise<number> {
  const endMs = performance.now() + withinMs
  for (;;) {
    const bytes = await cloud.heapBytes()
    if (bytes <= most || performance.now() >= endMs) return bytes
    await new Promise(resolve => setTimeout(resolve, 1_000))
  }
}
