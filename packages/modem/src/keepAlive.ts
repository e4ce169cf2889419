// Keeping the modem alive: opens the line, sets the modem up, and climbs the ladder of remedies when it is lost.

import { type AtLine, openAtLine } from './atLine.ts'
import type { ByteLine } from './byteLine.ts'
import { commands } from './commands.ts'
import { pauseBeforeMs, type Rung, rungAfter } from './core/ladder.ts'
import { idle, type NetworkWatch } from './health.ts'
import { hear } from './hearing.ts'
import { pauseWhile, publish, type Rig, unsettle } from './rig.ts'
import { startUp } from './startUp.ts'

function pause(rig: Rig, durationMs: number): Promise<void> {
  return new Promise(resolve => rig.options.world.after(durationMs, resolve))
}

/** Ends a half-written line, then restarts the module, so that nothing it was told before can happen. */
async function resetModem(rig: Rig, at: AtLine): Promise<void> {
  rig.options.world.log.warn('Resetting the modem')
  await at.ask(commands.spoilLine)
  // A port that went before the command leaves a modem that still has to be reset.
  if (!at.isOpen()) return
  rig.isRestarting = true
  await at.ask(commands.reset)
  rig.isResetWanted = false
}

/** A module is up 2 to 3 s after power came (modem.md, section 6); before that it would pass for a silent one. */
const bootMs = 4_000

/** After a restart of ours, until the module tells of it or, where its rate is not fixed, should be up. */
async function awaitBoot(rig: Rig, at: AtLine): Promise<void> {
  await pauseWhile(rig, bootMs, () => rig.isRestarting && at.isOpen())
  // On USB the port goes with a restart: the time begins when it is back.
  if (at.isOpen()) rig.isRestarting = false
}

const startUpsPerLine = 3
const simRetryMs = 10_000
const simRetriesPerReset = 6

/** Serves an open line until it is gone, or has to be opened anew; how long the modem was set up on it, milliseconds. */
async function serve(rig: Rig, at: AtLine, watch: NetworkWatch): Promise<number> {
  const { world, pin, baudRate } = rig.options
  let setUpMs = 0
  let simFailures = 0
  for (let failures = 0; failures < startUpsPerLine && at.isOpen() && !rig.isClosing; ) {
    if (rig.isResetWanted) await resetModem(rig, at)
    if (rig.isRestarting) await awaitBoot(rig, at)
    // On USB the port goes with a restart, which is no silence that calls for another.
    if (!at.isOpen()) break
    publish(rig)
    const { pinTry } = rig
    const started = await startUp({
      world,
      at,
      pin,
      baudRate,
      pinTry,
      pause: durationMs => pause(rig, durationMs),
    })
    rig.simTrouble = !started.ok && started.why === 'sim' ? started.trouble : null
    if (started.ok) {
      failures = 0
      simFailures = 0
      rig.identity = started.identity
      rig.isSetUp = true
      rig.showsSettings = null
      rig.lineTrouble = null
      publish(rig)
      const sinceMs = world.monotonicMs()
      const ended = await idle(rig, at, watch)
      setUpMs += world.monotonicMs() - sinceMs + 1
      if (ended === 'silent') return setUpMs
      continue
    }
    world.log.warn('The modem could not be set up', { why: started.why, detail: started.detail })
    publish(rig)
    if (started.why === 'silent') {
      rig.lineTrouble ??= 'silent'
      return setUpMs
    }
    if (started.why === 'sim') {
      rig.isResetWanted = ++simFailures % simRetriesPerReset === 0
      await pauseWhile(rig, simRetryMs, at.isOpen)
    } else {
      failures += 1
      rig.isResetWanted ||= at.isOpen() && failures > 1
    }
  }
  return setUpMs
}

/** Serves one line from its opening to its close; how long the modem was set up on it. */
async function serveLine(rig: Rig, line: ByteLine, watch: NetworkWatch): Promise<number> {
  const { world, trace, pin } = rig.options
  const at = openAtLine({
    world,
    line,
    trace,
    secret: pin,
    onUrc: urc => hear(rig, at, urc),
    onClose: reason => {
      if (!rig.isClosing) world.log.warn('The serial port is gone', { reason })
      if (rig.at === at) rig.at = null
      if (reason === 'lineBreak') rig.lineTrouble = 'modem_off'
      unsettle(rig, reason === 'lineBreak' ? 'lineBreak' : 'port')
    },
  })
  rig.at = at
  rig.lineTrouble = null
  const setUpMs = await serve(rig, at, watch)
  if (!rig.isClosing) await at.close()
  return setUpMs
}

/** The rungs that need no open line. */
async function climb(rig: Rig, rung: Rung): Promise<void> {
  const { runHook, world } = rig.options
  // A modem that was unplugged needs no restart.
  if (rung === 'restart') rig.isResetWanted ||= rig.lineTrouble === 'silent'
  if (rung === 'reopen' || rung === 'restart' || !runHook) return
  world.log.warn('Nothing else has brought the modem back', { hook: rung })
  rig.isRestarting = await runHook(rung)
  if (!rig.isRestarting) world.log.error('The hook failed', { hook: rung })
}

/** Set up for so long, a modem is well again; one that fails sooner goes on where the ladder was left. */
const wellAfterMs = 60_000

/** Opens and serves the line until the modem is closed; with stronger remedies and growing pauses while that fails. */
export async function keepAlive(rig: Rig): Promise<void> {
  const { world, openLine, runHook, hooks = [] } = rig.options
  const watch: NetworkWatch = { awaySinceMs: null, restarts: 0 }
  let saidCode = ''
  let silentLines = 0
  let refusals = 0
  for (let failures = 0; !rig.isClosing; ) {
    const opened = await openLine(silentLines)
    if (opened.ok && rig.isClosing) await opened.line.close()
    else if (opened.ok) {
      saidCode = ''
      refusals = 0
      const setUpMs = await serveLine(rig, opened.line, watch)
      silentLines = setUpMs > 0 ? 0 : silentLines + 1
      // Nor is it a failure that makes the pauses longer, as while a SIM card is waited for.
      if (setUpMs === 0 && !rig.isRestarting) failures += 1
      else if (setUpMs >= wellAfterMs) failures = 0
    } else {
      rig.lineTrouble = opened.code
      // What another program or a missing right keeps from us, no hook brings back.
      if (opened.code === 'port_missing') failures += 1
      else refusals += 1
      if (opened.code !== saidCode) world.log.error(opened.message, { code: opened.code })
      saidCode = opened.code
      publish(rig)
    }
    const rung = refusals > 0 ? 'reopen' : rungAfter(failures, runHook ? hooks : [])
    await pauseWhile(rig, pauseBeforeMs(Math.max(failures, refusals), rung), () => true)
    if (!rig.isClosing) await climb(rig, rung)
  }
}
