// The demo: starts the parts in order, reports when they are ready, and stops them.

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { environmentOfParts, type Settings } from './arguments.ts'
import { type BundlePaths, openBundles } from './bundles.ts'
import { type Callgate, createCallgate } from './callgate.ts'
import { secondsSince, stopwatchMs } from './clock.ts'
import { demoGates } from './demoGates.ts'
import {
  awaitRest,
  type OpenedSpaces,
  openGates,
  openGateway,
  openGuest,
  openSpaces,
  privateKeyFileName,
} from './demoSpace.ts'
import { lockFolder, makeFolders, writePrivately } from './folder.ts'
import { parseJson, text } from './json.ts'
import { type ReadyFacts, readyMessage } from './message.ts'
import { RunningParts } from './parts.ts'
import { type ChosenPort, choosePort, machinePorts } from './ports.ts'
import { openMemory, type RememberedGateway } from './remembered.ts'
import { done, type Failure, messageOf, type Result } from './result.ts'

export interface DemoOptions {
  readonly settings: Settings
  /** The top of the repository. */
  readonly top: string
  /** The Node that runs the parts. */
  readonly node: string
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly say: (line: string) => void
  /** Aborted by Ctrl-C, or by any other end of the demo. */
  readonly stop: AbortSignal
}

/** The context of one start. */
interface Stage extends DemoOptions {
  /** The data folder's absolute path. */
  readonly folder: string
  readonly parts: RunningParts
  readonly over: AbortSignal
}

const usualControlPort = 8180
/** Long, for a slow and busy machine; a part that ends is noticed at once anyway. */
const partReadyWithinMs = 150_000
/** A calling daemon hangs up first, which may take long with a SIM800. */
const stopWithinMs = 15_000
/** See the exit codes of `callgate-gateway --help`: a restart would replace the other daemon. */
const gatewayIsDone = {
  3: 'the cloud refuses it, because it was revoked or has been started elsewhere. It is not started again, and no gate opens until the demo is',
}
/** Stopped in this order: the gateway says goodbye while the cloud can still hear it. */
const stopOrder = ['gateway', 'cloud', 'simulator']

async function choosePorts({
  settings,
  say,
}: Stage): Promise<{ http: number; mqtt: number; control: number }> {
  const given: number[] = []
  const choose = async (what: string, usual: number) => {
    const { insteadOf, port }: ChosenPort = await choosePort(usual, given, machinePorts)
    given.push(port)
    if (insteadOf !== undefined) say(`Port ${insteadOf} is taken: ${what} uses ${port}.`)
    return port
  }
  return {
    http: await choose('the REST API', settings.httpPort),
    mqtt: await choose('the broker', settings.mqttPort),
    control: await choose("the simulator's control", usualControlPort),
  }
}

async function startSimulator(
  stage: Stage,
  bundle: string,
  link: string,
  controlPort: number,
): Promise<Result<string>> {
  const gates = demoGates.flatMap(({ farEnd, phoneNumber }) => ['--gate', `${phoneNumber}=${farEnd}`])
  const own = ['--link', link, '--network', stage.settings.network, '--control-port', String(controlPort)]
  const args = [bundle, ...own, ...gates, '--registered', '--json']
  const started = await stage.parts.start('simulator', args)
  if (!started.ok) return started
  return stage.parts.waitForLine('simulator', line => text(parseJson(line), 'controlUrl'), partReadyWithinMs)
}

async function startCloud(
  stage: Stage,
  bundle: string,
  environment: Readonly<Record<string, string>>,
  callgate: Callgate,
): Promise<Result<void>> {
  const started = await stage.parts.start('cloud', [bundle, 'serve', '--json'], environment)
  const up = started.ok ? await callgate.answers() : started
  return up.ok ? callgate.takesKeys(stage.say) : up
}

/** Starts the daemon and waits for what it logs when it can take an opening. */
async function startGateway(
  { folder, parts, settings }: Stage,
  gateway: RememberedGateway,
  given: { bundle: string; link: string; mqttPort: number },
): Promise<Result<void>> {
  const own = join(folder, 'gateway')
  const config = join(own, 'callgate-gateway.yaml')
  await writePrivately(config, {
    ...gateway,
    mqttUrl: `mqtt://127.0.0.1:${given.mqttPort}`,
    privateKeyFile: join(own, privateKeyFileName),
    serialPort: given.link,
    baudRate: 115_200,
    dataFolder: own,
    // The log lines that are awaited below have the level info.
    logLevel: settings.logLevel === 'debug' || settings.logLevel === 'trace' ? settings.logLevel : 'info',
  })
  const started = await parts.start('gateway', [given.bundle, 'run', '--config', config], {}, gatewayIsDone)
  if (!started.ok) return started
  for (const words of ['the cloud has taken up this gateway', 'modem ready']) {
    const heard = await parts.waitForLine(
      'gateway',
      line => line.includes(words) || undefined,
      partReadyWithinMs,
    )
    if (!heard.ok) return heard
  }
  return done(undefined)
}

/** The first failure, at once when it happens; undefined when all steps are done. */
function firstFailure(steps: readonly Promise<Result<unknown>>[]): Promise<Failure | undefined> {
  const failures = steps.map(
    step =>
      new Promise<Failure>((resolve, reject) => {
        step.then(result => {
          if (!result.ok) resolve(result)
        }, reject)
      }),
  )
  return Promise.race([...failures, Promise.all(steps).then(() => undefined)])
}

function environmentOfCloud(
  { folder, settings }: Stage,
  ports: { readonly http: number; readonly mqtt: number },
  baseUrl: string,
): Readonly<Record<string, string>> {
  return {
    CALLGATE_DATA: folder,
    PORT: String(ports.http),
    MQTT_PORT: String(ports.mqtt),
    APP_URL: baseUrl,
    LOG_LEVEL: settings.logLevel,
  }
}

/**
 * Starts everything, in parallel where the steps do not depend on each other: on a second start, the new key is made and the
 * daemon finds its modem while the server starts.
 */
async function bringUp(stage: Stage, bundles: BundlePaths): Promise<Result<ReadyFacts>> {
  const { folder, parts, say, settings } = stage
  const ports = await choosePorts(stage)
  const baseUrl = `http://localhost:${ports.http}`
  const link = join(folder, 'modem-tty')
  const environment = environmentOfCloud(stage, ports, baseUrl)
  const callgate = createCallgate({ ...stage, baseUrl, bundle: bundles.cloud, environment })
  const memory = await openMemory(join(folder, 'demo.json'))
  const demo = { callgate, parts, memory, network: settings.network, gatewayFolder: join(folder, 'gateway') }
  const isFirst = memory.known().spaceId === undefined

  say('Starting the cloud and the simulator …')
  const cloud = startCloud(stage, bundles.cloud, environment, callgate)
  const simulator = startSimulator(stage, bundles.simulator, link, ports.control)

  const openKey = async (): Promise<Result<OpenedSpaces>> => {
    // On the first start, the server must make the tables first.
    const up = isFirst ? await cloud : done(undefined)
    if (!up.ok) return up
    say(
      isFirst
        ? 'Making the demo Space, its owner, key, gateway, gates and guest …'
        : 'Making a fresh key for the demo Space …',
    )
    return openSpaces(demo)
  }
  const key = openKey()

  const openDaemon = async (): Promise<Result<void>> => {
    const [up, simulated] = await Promise.all([cloud, simulator])
    if (!up.ok) return up
    if (!simulated.ok) return simulated
    const space = isFirst ? await key : done({ spaceId: memory.known().spaceId ?? '' })
    if (!space.ok) return space
    const gateway = await openGateway(demo, space.value.spaceId, bundles.gateway)
    if (!gateway.ok) return gateway
    say('Starting the gateway daemon; waiting for its modem …')
    return startGateway(stage, gateway.value, { bundle: bundles.gateway, link, mqttPort: ports.mqtt })
  }
  const daemon = openDaemon()

  const servedKey = Promise.all([key, cloud]).then(([opened, up]) => (up.ok ? opened : up))
  const openAll = async () => {
    const opened = await servedKey
    if (!opened.ok) return opened
    const gates = await openGates(demo, opened.value.apiKey)
    if (!gates.ok) return gates
    const guest = await openGuest(demo, opened.value.apiKey, gates.value)
    return guest.ok ? done({ ...opened.value, gates: gates.value, guestUrl: guest.value }) : guest
  }
  const all = openAll()
  const rest = servedKey.then((opened): Promise<Result<unknown>> | Result<unknown> =>
    isFirst || !opened.ok ? opened : awaitRest(demo, opened.value.apiKey, stage.over),
  )
  const failure = await firstFailure([key, all, daemon, simulator, rest])
  if (failure) return failure
  const [opened, simulated] = await Promise.all([all, simulator])
  if (!opened.ok) return opened
  if (!simulated.ok) return simulated
  const { owner, ...facts } = opened.value
  const dashboard = { url: `${baseUrl}/`, ...owner }
  return done({ baseUrl, docsUrl: `${baseUrl}/docs`, dashboard, simulatorUrl: simulated.value, ...facts })
}

async function runInFolder(options: DemoOptions, folder: string): Promise<number> {
  const { say, stop } = options
  const sinceMs = stopwatchMs()
  const readyPath = join(folder, 'ready.json')
  const logFolder = join(folder, 'logs')
  const lost: string[] = []
  const failing = new AbortController()
  const over = AbortSignal.any([stop, failing.signal])
  const isOver = new Promise<void>(resolve => {
    if (over.aborted) resolve()
    else over.addEventListener('abort', () => resolve())
  })
  const parts = new RunningParts({
    node: options.node,
    top: options.top,
    logFolder,
    environment: environmentOfParts(options.environment),
    over,
    onLost(message) {
      lost.push(message)
      failing.abort()
    },
    onNotice: message => say(`\n${message}`),
  })
  await rm(readyPath, { force: true })
  say(`Data in ${folder}, logs in ${logFolder}.`)
  let failure: string | undefined
  try {
    const built = await openBundles(options.top, parts, say)
    const up = built.ok ? await bringUp({ ...options, folder, parts, over }, built.value) : built
    if (up.ok && !over.aborted) {
      say(readyMessage(up.value, demoGates, { readyPath, logFolder, link: join(folder, 'modem-tty') }))
      say(`Ready after ${secondsSince(sinceMs)} s.`)
      await writePrivately(readyPath, up.value)
      parts.keepAlive()
      await isOver
    } else if (!up.ok && !over.aborted) failure = up.message
  } catch (error) {
    failure = `The demo failed: ${messageOf(error)}`
  }
  failing.abort()
  for (const message of lost.length > 0 ? lost : failure ? [failure] : []) say(`\n${message}`)
  say('\nStopping the gateway, the cloud and the simulator …')
  await parts.stop(stopOrder, stopWithinMs)
  say('Stopped.')
  return lost.length > 0 || failure !== undefined ? 1 : 0
}

/** Runs the demo until it is stopped or a part is lost; returns the exit code. */
export async function runDemo(options: DemoOptions): Promise<number> {
  const folder = await makeFolders(options.settings.dataFolder, ['logs', 'gateway'])
  if (!folder.ok) {
    options.say(folder.message)
    return 1
  }
  const lock = await lockFolder(folder.value)
  if (!lock.ok) {
    options.say(lock.message)
    return 1
  }
  try {
    return await runInFolder(options, folder.value)
  } finally {
    await lock.value.release()
  }
}
