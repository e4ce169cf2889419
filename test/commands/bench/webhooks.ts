// Webhooks beside receivers that never answer: how soon events are sent, and how much later gates are opened.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { selfSigned } from '@callgate/mqtt/certificate.kit'

/** How much happens in a second: events for receivers that answer, for those that never do, for another Space, and openings of a gate. */
export const rates = { deliveries: 500, tarpits: 40, other: 5, openings: 12 } as const
/** How many receivers never answer. */
export const tarpits = 200

/** What one phase does beside the presses: it writes events alone, sends each by a bare POST after its commit, or by webhooks. */
export type Phase = 'written' | 'bare' | 'webhooks'

export interface AskedPhase {
  readonly phase: Phase
  readonly seconds: number
}

/** What a phase has measured, in milliseconds. */
export interface PhaseFigures {
  /** Each press, until its commit. */
  readonly pressMs: readonly number[]
  /** From the commit of an event to its first attempt, and to the answer. */
  readonly attemptMs: readonly number[]
  readonly answerMs: readonly number[]
  /** The same to the answer, of a Space with few events. */
  readonly otherMs: readonly number[]
  /** Events that were not taken in time. */
  readonly missing: number
}

/** Each on a port of its own, so that each has connections of its own. */
const receivers = 25
/** Longer for webhooks: an attempt at a receiver that does not answer ends after 15 s. */
const secondsOf = { written: 5, bare: 5, webhooks: 20 } as const satisfies Record<Phase, number>

async function listen(server: Server): Promise<string> {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return String((server.address() as AddressInfo).port)
}

function answering(): Server {
  const server = createServer(selfSigned, (asked, response) => {
    asked.resume()
    asked.on('end', () => response.writeHead(204).end())
  })
  // A bare POST is not repeated, so it must not meet a connection that is being closed.
  server.keepAliveTimeout = 0
  return server
}

export type WebhookRound = Readonly<Record<Phase, PhaseFigures>>

/** Measures the phases in turn, in a process of its own with a new database; the receivers are in this one. */
export async function measureWebhooks(rounds: number): Promise<readonly WebhookRound[]> {
  const folder = await mkdtemp(join(tmpdir(), 'callgate-webhooks-'))
  const tarpit = createServer(selfSigned, () => {})
  const servers = [tarpit, ...Array.from({ length: receivers }, answering)]
  const ports = await Promise.all(servers.map(listen))
  const child = fork(
    new URL('webhookCloud.ts', import.meta.url),
    [join(folder, 'callgate.sqlite'), ...ports],
    { execArgv: ['--import', 'tsx'] },
  )
  const over = once(child, 'exit')
  const failed = over.then(() => {
    throw new Error('the cloud of the benchmark has ended')
  })
  const next = async () => ((await Promise.race([once(child, 'message'), failed])) as [PhaseFigures])[0]
  try {
    await next()
    const ask = (phase: Phase): Promise<PhaseFigures> => {
      const asked: AskedPhase = { phase, seconds: secondsOf[phase] }
      child.send(asked)
      return next()
    }
    const measured: WebhookRound[] = []
    for (let round = 0; round < rounds; round++)
      measured.push({
        written: await ask('written'),
        bare: await ask('bare'),
        webhooks: await ask('webhooks'),
      })
    return measured
  } finally {
    if (child.connected) child.disconnect()
    await over
    await failed.catch(() => {})
    for (const server of servers) {
      server.closeAllConnections()
      server.close()
    }
    await rm(folder, { recursive: true, force: true })
  }
}
