// Keeping the modem alive: it opens the line, sets the modem up, and tries the remedies in turn when the modem is lost.

import { type AtLine, openAtLine } from './atLine.ts'
import type { ByteLine, OpenFailure } from './byteLine.ts'
import { commands } from './commands.ts'
import { pauseBeforeMs, type Rung, rungAfter } from './core/ladder.ts'
import { isSetUp, restartOf } from './core/modemState.ts'
import type { StartUp } from './core/startUpResult.ts'
import type { Driver } from './driver.ts'
import { watchHealth } from './health.ts'
import { quirksOf } from './quirks.ts'
import { type PinTry, startUp } from './startUp.ts'

/** Ends a half-written line, then restarts the module, so that no earlier command can still take effect. */
async function restartModule(driver: Driver, line: AtLine): Promise<void> {
  driver.options.world.log.warn('Resetting the modem')
  await line.ask(commands.spoilLine)
  // The port went before the command, so the modem still has to be restarted.
  if (!line.isOpen()) return
  driver.apply({ type: 'restartSent' })
  await line.ask(commands.reset)
}

/** How long a module is silent after a restart, by the model that answered last. */
const bootMsOf = ({ state: { identity } }: Driver) =>
  identity ? quirksOf(identity.model).bootMs : shortestBootMs

/** A SIM800 is up 2 to 3 s after its power came. Before that it seems to be silent. */
const shortestBootMs = 4_000

/** After a restart of ours: waits until the module reports it or, where its rate is not fixed, should be up. */
async function awaitBoot(driver: Driver, line: AtLine): Promise<void> {
  await driver.pauseWhile(bootMsOf(driver), () => restartOf(driver.state) === 'underWay' && line.isOpen())
  // On USB the port goes with a restart. There the time begins when the port is back.
  if (line.isOpen()) driver.apply({ type: 'bootAwaited' })
}

const startUpsPerLine = 3
/** A SIM card may be inserted, or the modem replaced by another one on the same port. */
const retryMs = { sim: 10_000, unfit: 60_000 }
const simRetriesPerRestart = 6

/** The start-ups on one open line, and for how long the modem was set up on it. */
class LineService {
  readonly #driver: Driver
  readonly #line: AtLine
  readonly #pinTry: PinTry
  #failures = 0
  #simFailures = 0
  #setUpMs = 0

  constructor(driver: Driver, line: AtLine, pinTry: PinTry) {
    this.#driver = driver
    this.#line = line
    this.#pinTry = pinTry
  }

  /** Serves the line until it is gone or has to be opened again. Returns the milliseconds for which the modem was set up. */
  async serve(): Promise<number> {
    const driver = this.#driver
    while (this.#failures < startUpsPerLine && this.#line.isOpen() && !driver.state.isClosing) {
      if (restartOf(driver.state) === 'owed') await restartModule(driver, this.#line)
      if (restartOf(driver.state) === 'underWay') await awaitBoot(driver, this.#line)
      // On USB the port goes with a restart. Such a silence needs no further restart.
      if (!this.#line.isOpen()) break
      const started = await this.#startUp()
      const next = started.ok ? await this.#watch(started) : await this.#retry(started)
      if (next === 'reopen') break
    }
    return this.#setUpMs
  }

  async #startUp(): Promise<StartUp> {
    const { options, recorder } = this.#driver
    const { world, pin, baudRate } = options
    this.#driver.apply({ type: 'startUpBegan' })
    recorder.startUpBegan()
    const pause = (durationMs: number) => new Promise<void>(resolve => world.after(durationMs, resolve))
    const refused = new Set<string>()
    const line = this.#line
    const started = await startUp({ world, line, pin, baudRate, pinTry: this.#pinTry, pause, refused })
    recorder.startUpEnded(started.ok)
    return started
  }

  async #watch({ identity }: Extract<StartUp, { ok: true }>): Promise<'again' | 'reopen'> {
    const driver = this.#driver
    const { world } = driver.options
    this.#failures = 0
    this.#simFailures = 0
    driver.apply({ type: 'startedUp', identity })
    if (!isSetUp(driver.state)) return 'again'
    const sinceMs = world.monotonicMs()
    const ended = await watchHealth(driver, this.#line)
    this.#setUpMs += world.monotonicMs() - sinceMs + 1
    return ended === 'silent' ? 'reopen' : 'again'
  }

  async #retry(failure: Extract<StartUp, { ok: false }>): Promise<'again' | 'reopen'> {
    const driver = this.#driver
    const { why, detail } = failure
    driver.options.world.log.warn('The modem could not be set up', { why, detail })
    if (why === 'sim') this.#simFailures += 1
    else if (why === 'stuck') this.#failures += 1
    const isRestartDue =
      why === 'sim'
        ? this.#simFailures % simRetriesPerRestart === 0
        : why === 'stuck' && this.#line.isOpen() && this.#failures > 1
    driver.apply({ type: 'startUpFailed', failure, isRestartDue })
    if (why === 'sim' || why === 'unfit') await driver.pauseWhile(retryMs[why], () => this.#line.isOpen())
    return why === 'silent' ? 'reopen' : 'again'
  }
}

/** A modem that was set up this long counts as well again. One that fails sooner continues on the ladder. */
const wellAfterMs = 60_000

/** The attempts to reach the modem, from port to port and from remedy to remedy. */
class Attempts {
  readonly #driver: Driver
  readonly #pinTry: PinTry = { isRefused: false, unheardAtTries: null }
  /** Lines in a row on which no modem could be set up. */
  #silentLines = 0
  /** Failed lines and missing ports in a row. */
  #failures = 0
  /** Ports in a row that another program or a missing permission keeps from us; no hook helps against that. */
  #refusals = 0
  #loggedCode: OpenFailure | null = null
  /** Until this time a missing port belongs to a module on USB that we have restarted; monotonic milliseconds. */
  #portDueMs = Number.NEGATIVE_INFINITY

  constructor(driver: Driver) {
    this.#driver = driver
  }

  /** Opens a port, serves it to its end, pauses, and carries out the remedy that is due. */
  async next(): Promise<void> {
    const driver = this.#driver
    const { openLine, runHook, hooks = [] } = driver.options
    const opened = await driver.recorder.open(openLine, this.#silentLines)
    if (!opened.ok) this.#noteRefusal(opened)
    else if (driver.state.isClosing) await opened.line.close()
    else this.#noteService(await this.#serve(opened.line))
    const rung = this.#refusals > 0 ? 'reopen' : rungAfter(this.#failures, runHook ? hooks : [])
    const pauseMs = pauseBeforeMs(Math.max(this.#failures, this.#refusals), rung)
    await driver.pauseWhile(pauseMs, () => true)
    if (!driver.state.isClosing) await this.#remedy(rung)
  }

  #nowMs(): number {
    return this.#driver.options.world.monotonicMs()
  }

  /** Serves one line from its opening to its close. Returns the milliseconds for which the modem was set up on it. */
  async #serve(byteLine: ByteLine): Promise<number> {
    const driver = this.#driver
    const { world, trace, pin } = driver.options
    this.#loggedCode = null
    this.#refusals = 0
    const line = openAtLine({
      world,
      line: byteLine,
      trace,
      secret: pin,
      onUnasked: text => driver.heardUnasked(text),
      onUrc: urc => driver.takeUrc(urc),
      onClose(reason) {
        if (!driver.state.isClosing) world.log.warn('The serial port is gone', { reason })
        driver.lineClosed(line, reason === 'lineBreak')
      },
    })
    driver.lineOpened(line)
    const setUpMs = await new LineService(driver, line, this.#pinTry).serve()
    if (!driver.state.isClosing) await line.close()
    return setUpMs
  }

  #noteService(setUpMs: number): void {
    this.#silentLines = setUpMs > 0 ? 0 : this.#silentLines + 1
    // A port that goes with our own restart is no failure: without a SIM card that happens every minute.
    const isRestarting = restartOf(this.#driver.state) === 'underWay'
    if (isRestarting) this.#portDueMs = this.#nowMs() + bootMsOf(this.#driver)
    if (setUpMs === 0 && !isRestarting) this.#failures += 1
    else if (setUpMs >= wellAfterMs) this.#failures = 0
  }

  #noteRefusal({ code, message }: { readonly code: OpenFailure; readonly message: string }): void {
    // A hook during a start would switch the module off.
    if (code === 'port_missing') this.#failures += this.#nowMs() < this.#portDueMs ? 0 : 1
    else this.#refusals += 1
    if (code !== this.#loggedCode) this.#driver.options.world.log.error(message, { code })
    this.#loggedCode = code
    this.#driver.apply({ type: 'portFailed', code })
  }

  /** The remedies that need no open line. */
  async #remedy(rung: Rung): Promise<void> {
    const { runHook, world } = this.#driver.options
    if (rung === 'restart') this.#driver.apply({ type: 'restartChosen' })
    if (rung === 'reopen' || rung === 'restart' || !runHook) return
    world.log.warn('Nothing else has brought the modem back', { hook: rung })
    const hasWorked = await runHook(rung)
    this.#driver.apply({ type: 'hookRan', hasWorked })
    if (!hasWorked) world.log.error('The hook failed', { hook: rung })
  }
}

/** Opens and serves the line until the modem is closed, with stronger remedies and growing pauses while that fails. */
export async function keepAlive(driver: Driver): Promise<void> {
  const attempts = new Attempts(driver)
  while (!driver.state.isClosing) await attempts.next()
}
