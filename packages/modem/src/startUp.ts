// Start-up: it makes a modem ready for calls after its port opened or the modem restarted, with no call on its line.

import type { World } from '@callgate/world/world'
import type { AtLine } from './atLine.ts'
import { commands, enterPin, fixBaudRate, otherCommands } from './commands.ts'
import type { Answer, Command } from './core/dialogue.ts'
import { fieldsOf } from './core/fields.ts'
import { lacksOf, type UnfitTrouble } from './core/lacks.ts'
import { callerIdReading, callReadyReading, pinTriesReading } from './core/readings.ts'
import type { Identity, SimTrouble, StartUp } from './core/startUpResult.ts'
import { type Quirks, quirksOf } from './quirks.ts'
import { releaseLine } from './releaseLine.ts'

/** The state of the PIN. A refused PIN is never tried again: a third refusal locks the card. */
export interface PinTry {
  isRefused: boolean
  /** The remaining tries before the PIN was given without an answer. */
  unheardAtTries: number | null
}

export interface StartUpOptions {
  readonly world: World
  readonly line: AtLine
  readonly pin: string | undefined
  readonly baudRate: number | undefined
  readonly pinTry: PinTry
  readonly pause: (durationMs: number) => Promise<void>
  /** The commands that the modem refused at this start. */
  readonly refused: Set<string>
}

type Failure = Extract<StartUp, { ok: false }>

const stuck = (detail: string): Failure => ({ ok: false, why: 'stuck', detail })
const simFailed = (trouble: SimTrouble, detail: string): Failure => ({
  ok: false,
  why: 'sim',
  trouble,
  detail,
})

const unfit = (trouble: UnfitTrouble, { text }: Command, name: Name): Failure => ({
  ok: false,
  why: 'unfit',
  trouble,
  detail: `The modem does not take ${text}`,
  identity: { ...name, callerId: 'shown', leftovers: [], lacks: [] },
})

const linesOf = (answer: Answer) => (answer.result === 'ok' ? answer.lines : [])

/**
 * Up to 10 tries: only `AT` is understood while the baud rate is being found (SIM800 AT manual V1.09 1.4). The first try
 * is a hang-up, which begins with `AT`: a program that died may have left a dial on the line, and only a hang-up may
 * follow a dial. It may have left a prompt as well, which the second try ends.
 */
export async function makeContact({ line, pause }: Pick<StartUpOptions, 'line' | 'pause'>): Promise<boolean> {
  const first = [commands.hangUpAtBoot, commands.attentionAfterPrompt]
  for (let attempt = 0; attempt < 10 && line.isOpen(); attempt++) {
    const { result } = await line.ask(first[attempt] ?? commands.attentionAtBoot)
    if (result === 'ok') return true
    if (result === 'dropped') await pause(300)
  }
  return false
}

/** Asks. An error is no failure, because not every modem has every command; silence is one. */
async function tryCommand(options: StartUpOptions, command: Command): Promise<boolean> {
  const { result } = await askNoting(options, command)
  return result === 'ok' || result === 'error'
}

async function askNoting({ line, refused, world }: StartUpOptions, command: Command): Promise<Answer> {
  const answer = await line.ask(command)
  if (answer.result === 'error') {
    refused.add(command.text)
    world.log.info('The modem does not take a command', { command: command.text, answer: answer.error.text })
  }
  return answer
}

async function setUp(options: StartUpOptions, list: readonly Command[]): Promise<boolean> {
  for (const command of list) if (!(await tryCommand(options, command))) return false
  return true
}

type Name = Pick<Identity, 'modemId' | 'model' | 'firmware'>

async function identify({ line }: StartUpOptions): Promise<Name> {
  // An unsolicited line may be among the lines of the reply.
  const named = linesOf(await line.ask(commands.model))
  const known = named.find(line => quirksOf(line).family !== 'unknown') ?? named.at(-1)
  const model = known?.replace(/^SIMCOM_/, '') ?? null
  const firmware =
    linesOf(await line.ask(commands.revision))[0]?.replace(/^(?:Revision|\+CGMR) *: */i, '') ?? null
  const modemId = linesOf(await line.ask(commands.imei))[0] ?? null
  return { modemId, model, firmware }
}

/** Ends autobauding, which hides restarts. Saved only where it was on, so that the flash memory does not wear out. */
async function fixRate(options: StartUpOptions): Promise<boolean> {
  const { line, baudRate } = options
  const isAutomatic = linesOf(await line.ask(commands.baudRate)).some(
    said => fieldsOf(said, '+IPR')[0] === '0',
  )
  if (!isAutomatic || baudRate === undefined) return true
  // Error texts are switched off for the saving: other programs do not understand them.
  return setUp(options, [fixBaudRate(baudRate), commands.errorNumbers, commands.save, commands.errorTexts])
}

/** Gives the PIN. `unheard`: nothing answered, and the PIN may be given again if that cost no try. */
async function givePin(
  options: StartUpOptions,
  { pinTries }: Quirks,
): Promise<Failure | 'given' | 'unheard'> {
  const { line, pin, pinTry } = options
  if (pin === undefined)
    return simFailed('pin_missing', 'The SIM card asks for its PIN and none is configured')
  const command = enterPin(pin)
  if (!command || pinTry.isRefused)
    return simFailed('pin_refused', 'The configured PIN is not that of the SIM card')
  const tries = pinTriesReading(linesOf(await line.ask(pinTries))[0])
  if (tries === undefined)
    return simFailed(
      'pin_tries',
      'The modem does not say how many tries for the PIN are left; take the PIN off',
    )
  if (tries < 2)
    return simFailed('pin_tries', 'The SIM card has one try for its PIN left; enter the PIN in a phone first')
  const isLess = pinTry.unheardAtTries !== null && tries < pinTry.unheardAtTries
  const { result } = isLess ? { result: 'error' } : await line.ask(command)
  pinTry.isRefused = result === 'error'
  pinTry.unheardAtTries = result === 'ok' ? null : tries
  if (pinTry.isRefused) return simFailed('pin_refused', 'The SIM card refused its PIN')
  return result === 'ok' ? 'given' : 'unheard'
}

const simBooting = [14, 515]

/** Why a SIM card does not become ready, by its state or an error code (SIM800 AT manual V1.09 19.1). */
function simTroubleOf(state: string | undefined, code: number | null): SimTrouble {
  if (state?.includes('PUK') || code === 12 || code === 18) return 'sim_puk'
  return state === 'NOT INSERTED' || code === 10 ? 'sim_missing' : 'sim_failure'
}

/** Waits up to 20 s for the SIM card: the modem answers before it has read the card. */
async function unlockSim(options: StartUpOptions, quirks: Quirks): Promise<Failure | null> {
  const { line, pause } = options
  let hasGivenPin = false
  for (let attempt = 0; attempt < 20; attempt++) {
    const answer = await line.ask(commands.sim)
    // Among several lines the last one is the newest.
    const state = fieldsOf(linesOf(answer).at(-1), '+CPIN')[0]?.toUpperCase()
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

/** Waits up to 60 s, which the network stack can take after power-on. A modem without the command passes. */
async function awaitCallReady({ line, pause }: StartUpOptions): Promise<boolean> {
  for (let attempt = 0; attempt < 60; attempt++) {
    const answer = await line.ask(commands.callReady)
    if (answer.result === 'error' || callReadyReading(linesOf(answer)[0])) return true
    if (answer.result !== 'ok') return false
    // A bare OK will never be followed by more.
    if (answer.lines.length === 0) return true
    await pause(1_000)
  }
  return true
}

/** `AT+CFUN?`, and full functionality where it is off. */
async function switchRadioOn(options: StartUpOptions): Promise<boolean> {
  const reply = linesOf(await options.line.ask(commands.functionality))[0]
  return fieldsOf(reply, '+CFUN')[0] === '1' || tryCommand(options, commands.fullFunctionality)
}

const hangUpByAth: string = otherCommands.hangUpByAth.text

/**
 * Switches every report on. An unknown modem without the list of calls is not used: nothing would then show the result of a call.
 */
async function switchReportsOn(options: StartUpOptions, quirks: Quirks, name: Name): Promise<Failure | null> {
  const registration = await askNoting(options, commands.registrationReports)
  if (registration.result === 'error' && quirks.family === 'unknown')
    return unfit('registration_missing', commands.registrationReports, name)
  if (registration.result !== 'ok') return stuck('No OK to AT+CREG=2')
  const rest = [
    ...quirks.callReports,
    commands.noConnectedLine,
    commands.callerReports,
    commands.serviceReports,
    commands.causeNumbers,
    commands.refuseIncoming,
    commands.characterSet,
    commands.messagesAsPdu,
    commands.messageReports,
    commands.cause,
  ]
  if (!(await setUp(options, rest))) return stuck('No answer')
  const list = await askNoting(options, commands.calls)
  return list.result === 'error' && quirks.family === 'unknown'
    ? unfit('call_list_missing', commands.calls, name)
    : null
}

/**
 * Sets the modem up. The first and the last step make sure that no call is left on the line. Never rejects; a modem that restarts
 * during the set-up gives `stuck`.
 */
export async function startUp(options: StartUpOptions): Promise<StartUp> {
  const { line } = options
  if (!(await makeContact(options))) return { ok: false, why: 'silent', detail: 'No answer to AT' }
  // The first OK may answer the last command of an earlier program. The second one answers our hang-up.
  const hungUp = await line.ask(commands.hangUp)
  if (hungUp.result === 'silent' || hungUp.result === 'dropped') return stuck('No answer to ATH')
  const echo = await line.ask(commands.noEcho)
  if (echo.result !== 'ok') return stuck('No OK to ATE0')
  if (!(await setUp(options, [commands.format, commands.errorTexts]))) return stuck('No answer')
  const identity = await identify(options)
  const quirks = quirksOf(identity.model)
  if (!(await fixRate(options))) return stuck('No answer to AT+IPR')
  if (!(await setUp(options, [commands.noFlowControl, quirks.noSleep]))) return stuck('No answer')
  const simFailure = await unlockSim(options, quirks)
  if (simFailure) return simFailure
  if (!(await switchRadioOn(options))) return stuck('No answer to AT+CFUN')
  const unfitness = await switchReportsOn(options, quirks, identity)
  if (unfitness) return unfitness
  const callerId = callerIdReading(linesOf(await askNoting(options, commands.callerIdRestriction))[0])
  if (!(await awaitCallReady(options))) return stuck('No answer to AT+CCALR?')
  const leftovers = await releaseLine(line, quirks)
  if (!leftovers) return stuck('A call stays on the line')
  if (leftovers.length > 0)
    options.world.log.warn('The modem lists calls that no hang-up ends', { ids: leftovers.join() })
  const reports = quirks.callReports.map(({ text }) => text).filter(text => text !== hangUpByAth)
  const lacks = lacksOf(options.refused, reports)
  return { ok: true, identity: { ...identity, callerId, leftovers, lacks } }
}
