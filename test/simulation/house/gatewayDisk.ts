// The disk of a simulated Pi: its faults, and what a kill or a power cut leaves on it.

import { journalName } from '@callgate/gateway/journalFile'
import { readJournal } from '@callgate/gateway/journalLines'
import { type DiskOperation, type MemoryDisk, memoryDisk } from '@callgate/gateway/memoryDisk.kit'
import { SentToday } from '@callgate/gateway/sentToday'
import type { FakeWorld } from '@callgate/world/fake'
import type { World } from '@callgate/world/world'
import type { Span } from '../../checker/facts.ts'
import { createFaultLog } from './faultLog.ts'
import { createSpanLog } from './spans.ts'

/**
 * What is left on the disk after a kill. `kept`: everything. `torn`: what was synced and a part of the rest, as after a power
 * cut. `forgotten`: only what was synced. `wiped`: nothing.
 */
export const leftovers = ['kept', 'torn', 'forgotten', 'wiped'] as const
export type Leftover = (typeof leftovers)[number]

/** `fails`: half of the operations fail. `is full`: nothing more can be written. `is slow`: an fsync takes seconds. */
export const diskFaults = ['fails', 'is full', 'is read-only', 'is slow'] as const
export type DiskFault = (typeof diskFaults)[number]

export interface GatewayDisk {
  /** The current disk; a new one after `wiped`. */
  current(): MemoryDisk
  setFault(fault: DiskFault | undefined): void
  /** When it had a fault. */
  readonly faultSpans: readonly Span[]
  /** Called before each fsync; takes long while the disk is slow. */
  stall(): Promise<void>
  /** Applies what a kill leaves of the disk. Returns whether that changed the journal. */
  applyLeftover(leftover: Leftover): boolean
  /** The openings whose INTENT would survive a power cut now. */
  syncedIntents(): ReadonlySet<string>
  /** The given number of messages (SMS) was sent earlier in the day, by the clocks of `own`, and the disk records it. */
  hasSent(own: World, messages: number): Promise<void>
  /** How many of these the disk may still record; none after `wiped`. */
  sentBefore(): number
  /** The wall clock was set: at the next start of the daemon it may be another day. */
  beginDay(): void
}

const mostTornBytes = 40
const slowestSyncMs = 8_000
const usualCapacityBytes = 64 * 1024 * 1024

export function createGatewayDisk(world: FakeWorld, name: string): GatewayDisk {
  const faultLog = createFaultLog(world, name, 'disk')
  const faultSpans = createSpanLog<'fault'>(world)
  let disk: MemoryDisk = memoryDisk()
  let fault: DiskFault | undefined
  let sentBefore = 0

  function failureOf(operation: DiskOperation): string | undefined {
    if (fault === undefined || operation === 'size' || operation === 'read') return undefined
    if (fault === 'is read-only') return 'EROFS'
    if (fault === 'fails' && world.random() < 0.5) return 'EIO'
    const isFull = operation === 'append' && disk.usedBytes() >= disk.capacityBytes
    return fault === 'is full' && isFull ? 'ENOSPC' : undefined
  }

  function setFault(next: DiskFault | undefined) {
    if (next === undefined) faultSpans.end('fault')
    else faultSpans.begin('fault')
    fault = next
    faultLog.begin(next)
    disk.capacityBytes = next === 'is full' ? disk.usedBytes() : usualCapacityBytes
    disk.fault = operation => {
      const code = failureOf(operation)
      if (code !== undefined) faultLog.show('the disk fails', { operation, code })
      return code
    }
  }

  return {
    current: () => disk,
    setFault,
    faultSpans: faultSpans.ended,
    async stall() {
      if (fault !== 'is slow') return
      const forMs = world.randomInt(0, slowestSyncMs)
      faultLog.show('an fsync takes long', { forMs })
      await new Promise<void>(resolve => {
        world.after(forMs, resolve)
      })
    },
    applyLeftover(leftover) {
      const before = disk.content(journalName)
      const synced = disk.syncedContent(journalName)
      if (leftover === 'torn') disk.crash(world.randomInt(1, mostTornBytes))
      if (leftover === 'forgotten') disk.crash()
      if (leftover === 'wiped') {
        disk = memoryDisk()
        sentBefore = 0
      }
      setFault(fault)
      const after = disk.content(journalName)
      const isLess = before !== undefined && !(after && before.equals(after))
      // A torn journal counts only where a part of the unsynced bytes is left.
      return isLess && (leftover !== 'torn' || (after?.byteLength ?? 0) > (synced?.byteLength ?? 0))
    },
    syncedIntents() {
      const bytes = disk.syncedContent(journalName)
      const read = bytes && readJournal(bytes)
      return new Set(read?.ok ? read.content.intents : [])
    },
    async hasSent(own, messages) {
      const sentMessages = new SentToday({ world: own, disk, of: 'messages' })
      for (let sent = 0; sent < messages; sent++) if ((await sentMessages.note()) === 'noted') sentBefore += 1
    },
    sentBefore: () => sentBefore,
    beginDay() {
      sentBefore = 0
    },
  }
}
