// The daemon: connects the wire, the opener, the journal and the modem.

import { prepareToRead } from '@callgate/contract/validate'
import type { SigningKey } from '@callgate/contract/wire/signature'
import { downKinds } from '@callgate/contract/wire/topics'
import type { Modem, ModemStatus } from '@callgate/modem/modem'
import { recordingLines } from '@callgate/modem/record/recordingText'
import { version } from '@callgate/world/version'
import type { World } from '@callgate/world/world'
import type { CloudKeys } from './cloudKeys.ts'
import { CloudWire, type Connect } from './cloudWire.ts'
import { shownAnswer, shownLine } from './console/shownAnswer.ts'
import { unknownOutcome } from './core/unknownOutcome.ts'
import type { Journal } from './journal.ts'
import type { JournalDisk } from './journalDisk.ts'
import {
  type AtAnswer,
  type DaemonHealth,
  type DaemonPause,
  type DaemonStatus,
  pauseMs,
} from './local/localMessages.ts'
import type { LocalAnswers } from './local/localServer.ts'
import { modemTasks } from './modemTasks.ts'
import { Openings } from './openings.ts'
import { kindsOf, type TaskRunners, Tasks } from './taskRunners.ts'
import { OpeningTrace } from './trace/openingTrace.ts'
import type { Offers } from './update/offers.ts'

export interface DaemonParts {
  readonly world: World
  readonly gatewayId: string
  readonly signingKey: SigningKey
  /** The keys of the cloud that the daemon trusts. */
  readonly cloudKeys: CloudKeys
  /** The path of the serial port, which stands for the modem until its IMEI is known. */
  readonly portName: string
  readonly modem: Modem
  readonly journal: Journal
  /** The folder of the journal. */
  readonly disk: JournalDisk
  readonly connect: Connect
  /** The tasks that the cloud can ask for outside an opening; by default those of the modem. */
  readonly taskRunners?: TaskRunners
  /** Updates that the cloud may ask for; absent where nothing on this machine can install them. */
  readonly offers?: Pick<Offers, 'follow' | 'inBeat' | 'run'> | undefined
  /** The cloud refuses this boot, now and later, so the daemon must be stopped. Called once. */
  readonly onSuperseded: () => void
  /** The cloud has lost this boot, for example after a restore, so the daemon must be restarted. Called once. */
  readonly onForgotten: () => void
}

/** A hanging disk gets no more time: what is not on it by then is reported as unknown after the restart. */
const closeJournalWithinMs = 1_000

/** A call that is hung up ends within this time; otherwise its outcome is reported after the restart. */
const hangUpWithinMs = 20_000

/** A daemon of one boot; it starts and stops once. */
export class Daemon {
  /** Identifies this start of the daemon. The cloud refuses it after it has taken up a later one. */
  readonly bootId: string
  readonly #parts: DaemonParts
  readonly #trace: OpeningTrace
  readonly #openings: Openings
  readonly #tasks: Tasks
  readonly #wire: CloudWire
  /** Calls of an earlier run that are still to be reported. */
  #cutOff: readonly string[] = []
  #wasReady = false
  #startMs = 0
  #isSuperseded = false
  #isForgotten = false
  /** Whether the modem handles a line that a person typed. */
  #isAsking = false

  constructor(parts: DaemonParts) {
    const { journal, modem, offers, world } = parts
    const ofModem = parts.taskRunners ?? modemTasks(parts)
    const taskRunners = { ...ofModem, ...(offers && { update: offers.run }) }
    this.#parts = parts
    this.bootId = Buffer.from(world.randomBytes(16)).toString('base64url')
    const onSuperseded = () => this.#superseded()
    this.#trace = new OpeningTrace(world)
    this.#openings = new Openings({
      world,
      bootId: this.bootId,
      modem,
      journal,
      sendClaim: claim => this.#wire.claim(claim),
      decline: (openingId, reason) => this.#wire.decline(openingId, reason),
      report: (openingId, report) => this.#wire.report(openingId, report),
      onSuperseded,
      onWork: hasOpening => this.#tasks.openings(hasOpening),
      trace: this.#trace,
    })
    this.#tasks = new Tasks({
      world,
      bootId: this.bootId,
      runners: taskRunners,
      tell: told => this.#wire.tell(told),
      onIdle: () => this.#openings.tell({ type: 'modemReady' }),
    })
    this.#wire = new CloudWire({
      ...parts,
      bootId: this.bootId,
      modemStatus: () => modem.status(),
      queueLength: () => this.#openings.queueLength(),
      lastGrant: () => this.#openings.lastGrant(),
      can: kindsOf(taskRunners),
      updateInBeat: offers && (() => offers.inBeat()),
      onHint: openingId => this.#openings.hint(openingId),
      onGrant: grant => this.#openings.tell({ type: 'grant', ...grant }),
      onTask: task => this.#tasks.receive(task),
      onBeat: seq => this.#tasks.beatSent(seq),
      onSuperseded,
      onForgotten: () => this.#forgotten(),
    })
  }

  start(): void {
    const { journal, modem, world } = this.#parts
    this.#startMs = world.monotonicMs()
    this.#cutOff = journal.unfinished()
    for (const openingId of this.#cutOff)
      world.log.warn('the last run stopped during a call; it is not placed again', { openingId })
    modem.onStatus(status => this.#onModemStatus(status))
    modem.start()
    this.#wire.start()
    this.#parts.offers?.follow(() => this.#wire.statusChanged())
    // Prepared while the connection is being made.
    prepareToRead(downKinds)
  }

  /** Whether an opening hangs, so that the watchdog must restart the daemon. */
  isStuck(): boolean {
    return this.#openings.isStuck()
  }

  /** The answers to the commands on this machine. */
  answers(): LocalAnswers {
    const { modem } = this.#parts
    return {
      status: () => this.status(),
      health: () => this.health(),
      rest: () => this.pause(),
      at: line => this.#ask(line),
      trace: listener => this.#trace.follow(listener),
      unasked: listener => modem.onUnasked(line => listener({ text: shownLine(line) })),
      recording: () => recordingLines(modem.recording()),
    }
  }

  /** Sends a typed line. An opening goes first, and never waits for more than one typed line. */
  async #ask(line: string): Promise<AtAnswer> {
    const refused = (why: string): AtAnswer => ({ result: 'refused', lines: [], why })
    if (this.#openings.isBusy() || this.#openings.queueLength() > 0)
      return refused('An opening is being served. Type it again when that is over')
    if (this.#isAsking) return refused('The modem is being asked from elsewhere. Type it again')
    this.#isAsking = true
    const answer = await this.#parts.modem.ask(line)
    this.#isAsking = false
    return shownAnswer(answer)
  }

  /** The status for the commands on this machine. */
  status(): DaemonStatus {
    const { cloudKeys, modem } = this.#parts
    const { firmware, lacks, model, operator, registration, state, trouble, ...measured } = modem.status()
    const { lowestInCallMv, signalDbm, voltageMv } = measured
    return {
      version,
      upMs: this.#upMs(),
      waiting: this.#openings.queueLength(),
      isOpening: this.#openings.isBusy(),
      cloud: { ...this.#wire.status(), keyIds: [...cloudKeys.trust().keyIds] },
      modem: {
        firmware,
        lacks: [...lacks],
        model,
        operator,
        registration,
        state,
        trouble,
        lowestInCallMv,
        signalDbm,
        voltageMv,
      },
    }
  }

  /** Whether broker, cloud and modem are available, so that the daemon could open a gate. */
  health(): DaemonHealth {
    const { isConnected, isTakenUp } = this.#wire.status()
    const { state } = this.#parts.modem.status()
    const isHealthy = isConnected && isTakenUp && (state === 'ready' || state === 'calling')
    return { version, upMs: this.#upMs(), isHealthy }
  }

  /** Claims nothing for `pauseMs`, unless an opening or a task waits or runs. */
  pause(): DaemonPause {
    return { rests: !this.#tasks.isBusy() && this.#openings.pause(pauseMs) }
  }

  /** Hangs up, reports, says goodbye and closes modem and journal; takes 25 s at most. */
  async stop(): Promise<void> {
    const { journal, modem, world } = this.#parts
    await Promise.race([
      Promise.all([this.#openings.stop(hangUpWithinMs), this.#tasks.stop()]),
      new Promise<void>(resolve => world.after(hangUpWithinMs, resolve)),
    ])
    await this.#wire.close()
    await modem.close()
    await Promise.race([
      journal.close(),
      new Promise<void>(resolve => world.after(closeJournalWithinMs, resolve)),
    ])
  }

  #upMs(): number {
    return Math.round(this.#parts.world.monotonicMs() - this.#startMs)
  }

  #onModemStatus({ model, operator, state }: ModemStatus): void {
    if (state !== 'starting' && state !== 'lost') this.#reportCutOff()
    if (state === 'ready') {
      if (!this.#wasReady) this.#parts.world.log.info('modem ready', { model, operator })
      this.#openings.tell({ type: 'modemReady' })
    }
    this.#wasReady = state === 'ready' || state === 'calling'
    this.#wire.statusChanged()
  }

  /**
   * Reports these calls only once the line is free, because the cloud then lets another gateway call the gate. Until then beats
   * name the openings.
   */
  #reportCutOff(): void {
    const cutOff = this.#cutOff
    this.#cutOff = []
    for (const openingId of cutOff) this.#wire.report(openingId, unknownOutcome)
  }

  #superseded(): void {
    if (this.#isSuperseded) return
    this.#isSuperseded = true
    const { gatewayId, onSuperseded, world } = this.#parts
    world.log.error(
      'the cloud refuses this gateway: another daemon was started with its identity, or it was revoked. ' +
        'Stop one of the two, or enrol this one again',
      { gatewayId },
    )
    onSuperseded()
  }

  #forgotten(): void {
    if (this.#isForgotten) return
    this.#isForgotten = true
    const { onForgotten, world } = this.#parts
    world.log.warn('the cloud has forgotten this start of the gateway; it starts again')
    onForgotten()
  }
}
