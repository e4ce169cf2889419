// The daemon: wire, opener, journal and modem put together on one world.

import type { SigningKey, VerifyingKey } from '@callgate/contract/wire/signature'
import type { Modem } from '@callgate/modem/modem'
import type { World } from '@callgate/world/world'
import { type Connect, createCloudWire } from './cloudWire.ts'
import { unknownOutcome } from './core/unknownOutcome.ts'
import type { Journal } from './journal.ts'
import { createOpenings } from './openings.ts'
import { version } from './version.ts'

export interface DaemonParts {
  readonly world: World
  readonly gatewayId: string
  readonly signingKey: SigningKey
  /** The pinned keys of the cloud, one or two. */
  readonly cloudKeys: readonly VerifyingKey[]
  /** The path of the serial port; it names the modem until its IMEI is known. */
  readonly portName: string
  readonly modem: Modem
  readonly journal: Journal
  readonly connect: Connect
  /** The cloud refuses this boot for ever: the daemon is to be stopped. Said once. */
  readonly onSuperseded: () => void
  /** The cloud has lost this boot, as after its restore from a backup: the daemon is to be started anew. Said once. */
  readonly onForgotten: () => void
}

export interface Daemon {
  /** One start of the daemon; the cloud refuses it once it has heard of a later one. */
  readonly bootId: string
  start(): void
  /** Hangs up, reports, says goodbye and closes modem and journal; takes 25 s at most. */
  stop(): Promise<void>
}

/** A disk that hangs is not waited for; what it was to keep is reported as unknown after the restart. */
const closeJournalWithinMs = 1_000

/** A call that is hung up is over within this time, or its outcome is reported after the restart. */
const hangUpWithinMs = 20_000

/** A daemon of one boot; it starts and stops once. */
export function createDaemon(parts: DaemonParts): Daemon {
  const { journal, modem, world } = parts
  const bootId = Buffer.from(world.randomBytes(16)).toString('base64url')
  let isSuperseded = false
  let isForgotten = false
  let wasReady = false

  function superseded() {
    if (isSuperseded) return
    isSuperseded = true
    world.log.error(
      'the cloud refuses this gateway: another daemon was started with its identity, or it was revoked. ' +
        'Stop one of the two, or enrol this one anew',
      { gatewayId: parts.gatewayId },
    )
    parts.onSuperseded()
  }

  function forgotten() {
    if (isForgotten) return
    isForgotten = true
    world.log.warn('the cloud has forgotten this start of the gateway; it starts anew')
    parts.onForgotten()
  }

  const openings = createOpenings({
    world,
    bootId,
    modem,
    journal,
    sendClaim: claim => wire.claim(claim),
    decline: (openingId, reason) => wire.decline(openingId, reason),
    report: (openingId, report) => wire.report(openingId, report),
    onSuperseded: superseded,
  })
  const wire = createCloudWire({
    ...parts,
    bootId,
    version,
    modemStatus: modem.status,
    queueLength: openings.queueLength,
    onHint: openingId => openings.tell({ type: 'hint', openingId }),
    onGrant: grant => openings.tell({ type: 'grant', ...grant }),
    onSuperseded: superseded,
    onForgotten: forgotten,
  })

  return {
    bootId,
    start() {
      let cutOff = journal.unfinished()
      for (const openingId of cutOff)
        world.log.warn('the last run stopped during a call; it is not placed again', { openingId })
      modem.onStatus(({ model, operator, state }) => {
        // Not before the line is free: the cloud would let another gateway call the gate. Until then beats name them.
        if (state !== 'starting' && state !== 'lost') {
          for (const openingId of cutOff) wire.report(openingId, unknownOutcome)
          cutOff = []
        }
        if (state === 'ready') {
          if (!wasReady) world.log.info('modem ready', { model, operator })
          openings.tell({ type: 'modemReady' })
        }
        wasReady = state === 'ready' || state === 'calling'
        wire.statusChanged()
      })
      modem.start()
      wire.start()
    },
    async stop() {
      await openings.stop(hangUpWithinMs)
      await wire.close()
      await modem.close()
      await Promise.race([
        journal.close(),
        new Promise<void>(resolve => world.after(closeJournalWithinMs, resolve)),
      ])
    },
  }
}
