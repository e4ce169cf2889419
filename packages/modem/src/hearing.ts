// Hearing: what the modem says unasked, and what follows from it for the driver; incoming calls are refused here.

import type { AtLine } from './atLine.ts'
import { commands } from './commands.ts'
import type { Urc } from './core/lines.ts'
import { registrationOf } from './core/readings.ts'
import { publish, type Rig, unsettle } from './rig.ts'

function hearRestart(rig: Rig): void {
  if (rig.isSetUp) rig.options.world.log.warn('The modem restarted by itself')
  // The burst of a call is what a weak supply cannot carry; a restart of our own says nothing of it.
  if (rig.call && !rig.isRestarting) rig.isBrownedOut = true
  rig.isRestarting = false
  unsettle(rig, 'restarted')
}

function hearPower(rig: Rig, report: string): void {
  rig.options.world.log.warn('The modem reports its supply voltage', { report })
  if (!report.startsWith('UNDER')) return
  rig.isBrownedOut = true
  publish(rig)
}

/** After `RING`, time for the line that says who rings. */
const callerWithinMs = 300

/**
 * Turns away who rings this modem, where AT+GSMBUSY=1 has not: nobody is to hold the line that gates are called on.
 * A call that waits behind ours is turned away without ending ours, and never before ATD's OK.
 */
async function refuse(rig: Rig, at: AtLine): Promise<void> {
  const { world } = rig.options
  if (rig.isRefusing) return
  rig.isRefusing = true
  await new Promise<void>(resolve => world.after(callerWithinMs, resolve))
  const hangUp = rig.identity?.quirks.hangUps[0] ?? commands.hangUp
  if (rig.at === at && rig.isSetUp) {
    const isOurs = rig.call !== null && !rig.call.isOver()
    if (!isOurs) await at.ask(hangUp)
    else if (rig.call?.record().trace.dial === 'accepted') await at.ask(commands.refuseWaiting)
  }
  rig.isRefusing = false
  rig.quietSinceMs = world.monotonicMs()
  rig.changed.ring()
}

/** The line tells of a call to this modem. */
function isOfOthers(urc: Urc): boolean {
  return urc.urc === 'ring' || urc.urc === 'caller' || (urc.urc === 'call' && !urc.call.outgoing)
}

/** Takes in one unsolicited line of `at`. */
export function hear(rig: Rig, at: AtLine, urc: Urc): void {
  const { log } = rig.options.world
  if (isOfOthers(urc)) rig.quietSinceMs = rig.options.world.monotonicMs()
  rig.call?.hear(urc)
  switch (urc.urc) {
    case 'restarted':
      hearRestart(rig)
      break
    case 'radioOn':
      // +CFUN: 1 also follows RDY; only out of the blue is it a restart.
      if (rig.isSetUp) hearRestart(rig)
      break
    case 'poweredDown':
      hearPower(rig, urc.text)
      unsettle(rig, 'poweredDown')
      break
    case 'voltage':
      hearPower(rig, urc.text)
      break
    case 'sim':
      if (urc.state === 'READY' || !rig.isSetUp) break
      log.warn('The SIM card went away', { state: urc.state })
      if (rig.call) rig.isSimGone = true
      else unsettle(rig, 'sim')
      break
    case 'registration':
      rig.health = { ...rig.health, registration: registrationOf(urc.stat) }
      publish(rig)
      break
    case 'ring':
      void refuse(rig, at)
      break
    case 'call':
      if (!urc.call.outgoing && [4, 5].includes(urc.call.state)) void refuse(rig, at)
      break
  }
}
