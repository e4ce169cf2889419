// Start-up: from a port that just opened, or a modem that restarted, to one that is set up with no call on its line.

import type { World } from '@callgate/world/world'
import type { AtLine } from './atLine.ts'
import { commands, enterPin, fixBaudRate } from './commands.ts'
import type { Answer, Command } from './core/dialogue.ts'
import { callerIdReading, callReadyReading, pinTriesReading } from './core/readings.ts'
import { type Quirks, quirksOf } from './quirks.ts'
import { releaseLine } from './releaseLine.ts'

export interface Identity {
  readonly modemId: string | null
  readonly model: string | null
  readonly firmware: string | null
  readonly quirks: Quirks
  /** Whether gates see our number: always, only when the dial string asks for it, or never. */
  readonly callerId: 'shown' | 'onRequest' | 'never'
  /** Rows of the list of calls that no hang-up ends, and that are no calls. */
  readonly leftovers: readonly number[]
}

export type SimTrouble =
  | 'sim_missing'
  | 'pin_missing'
  | 'pin_refused'
  /** Fewer than two tries are left, or the modem does not say how many. */
  | 'pin_tries'
  | 'sim_puk'
  | 'sim_failure'

export type StartUp =
  | { readonly ok: true; readonly identity: Identity }
  /** `silent`: nothing answers; `stuck`: it answers, but not as it must. */
  | { readonly ok: false; readonly why: 'silent' | 'stuck'; readonly detail: string }
  /** The SIM card cannot be used. */
  | { readonly ok: false; readonly why: 'sim'; readonly trouble: SimTrouble; readonly detail: string }

/** What became of the PIN so far. One that was refused is never tried again: a third refusal locks the card. */
export interface PinTry {
  isRefused: boolean
  /** How many tries were left before it was given and nobody heard the answer. */
  unheardAtTries: number | null
}

export interface StartUpOptions {
  readonly world: World
  readonly at: AtLine
  readonly pin: string | undefined
  readonly baudRate: number | undefined
  readonly pinTry: PinTry
  readonly pause: (durationMs: number) => Promise<void>
}

type Failure = Extract<StartUp, { ok: false }>

const stuck = (detail: string): Failure => ({ ok: false, why: 'stuck', detail })
const simFailed = (trouble: SimTrouble, detail: string): Failure => ({
  ok: false,
  why: 'sim',
  trouble,
  detail,
})

const linesOf = (answer: Answer) => (answer.result === 'ok' ? answer.lines : [])

/**
 * Up to 10 tries: only `AT` is understood while the baud rate is being found (SIM800 AT manual V1.09 1.4). The first is
 * a hang-up, which begins with it: a program that died may have left a dial on the line, and there is no other byte
 * that may follow one.
 */
async function makeContact({ at, pause }: StartUpOptions): Promise<boolean> {
  for (let attempt = 0; attempt < 10 && at.isOpen(); attempt++) {
    const { result } = await at.ask(attempt === 0 ? commands.hangUpAtBoot : commands.attentionAtBoot)
    if (result === 'ok') return true
    if (result === 'dropped') await pause(300)
  }
  return false
}

/** Asks; a command that this modem lacks is a quirk and no failure, a silent one is. */
async function tryCommand({ at, world }: StartUpOptions, command: Command): Promise<boolean> {
  const answer = await at.ask(command)
  if (answer.result === 'error')
    world.log.info('The modem does not take a command', { command: command.text, answer: answer.error.text })
  return answer.result === 'ok' || answer.result === 'error'
}

async function setUp(options: StartUpOptions, list: readonly Command[]): Promise<boolean> {
  for (const command of list) if (!(await tryCommand(options, command))) return false
  return true
}

async function identify({ at }: StartUpOptions): Promise<Identity> {
  // A line that came unasked may stand among the reply's.
  const named = linesOf(await at.ask(commands.model))
  const known = named.find(line => quirksOf(line).family !== 'unknown') ?? named.at(-1)
  const model = known?.replace(/^SIMCOM_/, '') ?? null
  const firmware =
    linesOf(await at.ask(commands.revision))[0]?.replace(/^(?:Revision|\+CGMR):\s*/, '') ?? null
  const modemId = linesOf(await at.ask(commands.imei))[0] ?? null
  return { modemId, model, firmware, quirks: quirksOf(model), callerId: 'shown', leftovers: [] }
}

/** Ends autobauding, under which a restart goes unseen; saved once, so as not to wear the flash. */
async function fixRate(options: StartUpOptions): Promise<boolean> {
  const { at, baudRate } = options
  const isAutomatic = linesOf(await at.ask(commands.baudRate)).includes('+IPR: 0')
  if (!isAutomatic || baudRate === undefined) return true
  // Error texts are switched off for the saving: other programs do not understand them.
  return setUp(options, [fixBaudRate(baudRate), commands.errorNumbers, commands.save, commands.errorTexts])
}

/** Gives the PIN, and whether that was heard: what was lost on the line may be given again, if it cost no try. */
async function givePin(
  options: StartUpOptions,
  { pinTries }: Quirks,
): Promise<Failure | 'given' | 'unheard'> {
  const { at, pin, pinTry } = options
  if (pin === undefined)
    return simFailed('pin_missing', 'The SIM card asks for its PIN and none is configured')
  const command = enterPin(pin)
  if (!command || pinTry.isRefused)
    return simFailed('pin_refused', 'The configured PIN is not that of the SIM card')
  const tries = pinTriesReading(linesOf(await at.ask(pinTries))[0])
  if (tries === undefined)
    return simFailed(
      'pin_tries',
      'The modem does not say how many tries for the PIN are left; take the PIN off',
    )
  if (tries < 2)
    return simFailed('pin_tries', 'The SIM card has one try for its PIN left; enter the PIN in a phone first')
  const isLess = pinTry.unheardAtTries !== null && tries < pinTry.unheardAtTries
  const { result } = isLess ? { result: 'error' } : await at.ask(command)
  pinTry.isRefused = result === 'error'
  pinTry.unheardAtTries = result === 'ok' ? null : tries
  if (pinTry.isRefused) return simFailed('pin_refused', 'The SIM card refused its PIN')
  return result === 'ok' ? 'given' : 'unheard'
}

const simBooting = [14, 515]

/** What a SIM card that will not become ready is short of, by its state or the code of an error (V1.09 19.1). */
function simTroubleOf(state: string | undefined, code: number | null): SimTrouble {
  if (state?.includes('PUK') || code === 12 || code === 18) return 'sim_puk'
  return state === 'NOT INSERTED' || code === 10 ? 'sim_missing' : 'sim_failure'
}

/** Waits up to 20 s for the SIM card, which is read after the modem already answers. */
async function unlockSim(options: StartUpOptions, quirks: Quirks): Promise<Failure | null> {
  const { at, pause } = options
  let hasGivenPin = false
  for (let attempt = 0; attempt < 20; attempt++) {
    const answer = await at.ask(commands.sim)
    // The last of them is the newest, should one have come unasked.
    const state = linesOf(answer).at(-1)?.replace('+CPIN: ', '')
    const code = answer.result === 'error' ? answer.error.code : null
    if (state === 'READY') return null
    if ((state === 'SIM PIN' || code === 11) && !hasGivenPin) {
      const given = await givePin(options, quirks)
      if (typeof given === 'object') return given
      hasGivenPin = given === 'given'
    } else if (answer.result === 'ok' && state !== 'NOT READY' && state !== 'SIM PIN')
      return simFailed(simTroubleOf(state, null), `SIM card: ${state ?? 'no state'}`)
    else if (answer.result === 'error' && !simBooting.includes(code ?? -1))
      return simFailed(simTroubleOf(undefined, code), `SIM card: ${answer.error.text}`)
    else if (answer.result !== 'ok' && answer.result !== 'error') return stuck('No answer to AT+CPIN?')
    await pause(1_000)
  }
  return simFailed('sim_failure', 'The SIM card did not become ready')
}

/** Up to 60 s, as the network stack takes its time after power on; a modem without the command passes. */
async function awaitCallReady({ at, pause }: StartUpOptions): Promise<boolean> {
  for (let attempt = 0; attempt < 60; attempt++) {
    const answer = await at.ask(commands.callReady)
    if (answer.result === 'error' || callReadyReading(linesOf(answer)[0])) return true
    if (answer.result !== 'ok') return false
    // A bare OK will never say more.
    if (answer.lines.length === 0) return true
    await pause(1_000)
  }
  return true
}

/** `AT+CFUN?`, and full functionality where it is off. */
async function switchRadioOn(options: StartUpOptions): Promise<boolean> {
  const reply = linesOf(await options.at.ask(commands.functionality))[0]
  return reply === '+CFUN: 1' || tryCommand(options, commands.fullFunctionality)
}

/**
 * Sets the modem up, in the order of modem.md, section 1.4; first and last it sees to it that no call is left on the
 * line. Never rejects; a modem that restarts meanwhile gives `stuck`.
 */
export async function startUp(options: StartUpOptions): Promise<StartUp> {
  const { at } = options
  if (!(await makeContact(options))) return { ok: false, why: 'silent', detail: 'No answer to AT' }
  // The OK may have been that of the other program's last command; a second one is surely that of a hang-up.
  const hungUp = await at.ask(commands.hangUp)
  if (hungUp.result === 'silent' || hungUp.result === 'dropped') return stuck('No answer to ATH')
  const echo = await at.ask(commands.noEcho)
  if (echo.result !== 'ok') return stuck('No OK to ATE0')
  if (!(await setUp(options, [commands.format, commands.errorTexts]))) return stuck('No answer')
  const identity = await identify(options)
  if (!(await fixRate(options))) return stuck('No answer to AT+IPR')
  if (!(await setUp(options, [commands.noFlowControl, commands.noSleep]))) return stuck('No answer')
  const simFailure = await unlockSim(options, identity.quirks)
  if (simFailure) return simFailure
  if (!(await switchRadioOn(options))) return stuck('No answer to AT+CFUN')
  const reports = await at.ask(commands.registrationReports)
  if (reports.result !== 'ok') return stuck('No OK to AT+CREG=2')
  const rest = [
    ...identity.quirks.callReports,
    commands.noConnectedLine,
    commands.callerReports,
    commands.serviceReports,
    commands.causeNumbers,
    commands.refuseIncoming,
    commands.messagesAsPdu,
    commands.messageReports,
  ]
  if (!(await setUp(options, rest))) return stuck('No answer')
  const callerId = callerIdReading(linesOf(await at.ask(commands.callerIdRestriction))[0])
  if (!(await awaitCallReady(options))) return stuck('No answer to AT+CCALR?')
  const leftovers = await releaseLine(at, identity.quirks)
  if (!leftovers) return stuck('A call stays on the line')
  if (leftovers.length > 0)
    options.world.log.warn('The modem lists calls that no hang-up ends', { ids: leftovers.join() })
  return { ok: true, identity: { ...identity, callerId, leftovers } }
}
