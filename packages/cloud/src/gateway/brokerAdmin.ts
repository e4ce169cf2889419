// Mosquitto's dynamic security over MQTT: commands are sent to one topic of the broker, and its answers come on another.

import type { MqttConnection, MqttHandlers, Refusal } from '@callgate/mqtt/mqttConnection'
import type { Timer, World } from '@callgate/world/world'
import { oldestMosquitto, readMosquittoVersion } from '../core/mosquittoVersion.ts'
import { type Command, type Found, inPieces } from './core/brokerChanges.ts'

/** https://mosquitto.org/documentation/dynamic-security/ */
export const commandTopic = '$CONTROL/dynamic-security/v1'
/** The topic of the answers; every account with this right gets the answers to all. */
export const answerTopic = `${commandTopic}/response`
/** The topic of Mosquitto's version, if it retains messages and `sys_interval` is not 0. */
export const versionTopic = '$SYS/broker/version'

/** Mosquitto 2.0 writes its file after each command, and serves nobody meanwhile. */
const answerWithinMs = 20_000
const most = 20
/** Below the limit of a message in `deploy/broker/mosquitto.conf`. */
const mostBytes = 24 * 1024
/** Each row has some 200 bytes. */
const pageSize = 200
/** More than the accounts of one cloud need. */
const mostPages = 1_000

export type AdminFailure = {
  readonly ok: false
  /** `no_plugin`: the broker accepts the command, and nothing answers. */
  readonly code: 'not_connected' | 'no_plugin' | 'refused'
  readonly message: string
}

/** The result of one command. `error` is the plugin's sentence; it names no password. */
interface Answer {
  readonly command: string
  readonly error?: string
  readonly data?: Readonly<Record<string, unknown>>
}

export interface BrokerAdmin {
  isConnected(): boolean
  /** Why there is no connection; undefined while there is one. */
  fault(): Refusal['kind'] | 'start' | 'lost' | undefined
  /** All accounts and roles, page by page. */
  read(): Promise<({ readonly ok: true } & Found) | AdminFailure>
  /** Runs the commands in order, and continues after a refused one. Resolves with the errors that matter. */
  run(
    commands: readonly Command[],
  ): Promise<{ readonly ok: true; readonly errors: readonly string[] } | AdminFailure>
  close(): Promise<void>
}

interface BrokerAdminParts {
  readonly world: World
  /** Connects with a subscription to `answerTopic`, and requests the retained message of `versionTopic`. */
  readonly connect: (handlers: MqttHandlers) => MqttConnection
  /** Called after each connection. */
  readonly onConnect: () => void
}

/** Another cloud has done the same just before. */
const isDoneAlready = (error: string) => /already exists|not found/i.test(error)

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The answers to the commands of one message; undefined for any other text. */
function readAnswers(text: string): readonly (Answer & { readonly correlationData?: unknown })[] | undefined {
  const message = parsed(text)
  const responses = isRecord(message) ? message['responses'] : undefined
  if (!Array.isArray(responses)) return undefined
  return responses.filter(isRecord).map(({ command, correlationData, data, error }) => ({
    command: String(command),
    correlationData,
    ...(typeof error === 'string' && { error }),
    ...(isRecord(data) && { data }),
  }))
}

/** The rows of a page; those without a name are left out. */
function rowsOf<Row>(answer: Answer | undefined, list: string, name: string): readonly Row[] {
  const rows = answer?.data?.[list]
  return Array.isArray(rows)
    ? (rows.filter(row => isRecord(row) && typeof row[name] === 'string') as readonly Row[])
    : []
}

/** The required default access: everything that no role allows is denied. */
const denied = ['publishClientSend', 'publishClientReceive', 'subscribe', 'unsubscribe'].map(acltype => ({
  acltype,
  allow: false,
}))

class MosquittoAdmin implements BrokerAdmin {
  readonly #world: World
  readonly #connection: MqttConnection
  /** Marks its own requests, to recognize their answers. */
  readonly #mark: string
  #count = 0
  #waiting: { readonly id: string; resolve(answers: readonly Answer[] | undefined): void } | undefined
  /** Runs one request at a time. */
  #queue: Promise<unknown> = Promise.resolve()
  #fault: Refusal['kind'] | 'start' | 'lost' = 'start'

  constructor({ connect, onConnect, world }: BrokerAdminParts) {
    this.#world = world
    this.#mark = Buffer.from(world.randomBytes(9)).toString('base64url')
    this.#connection = connect({
      onConnect: () => {
        world.log.info('connected to the dynamic security of the broker')
        onConnect()
      },
      onDisconnect: () => {
        this.#fault = 'lost'
        this.#waiting?.resolve(undefined)
        world.log.warn('lost the dynamic security of the broker')
      },
      onRefused: ({ kind, message: why }) => {
        this.#fault = kind
        world.log.error('the account of MQTT_ADMIN_URL is not connected', { kind, why })
      },
      onMessage: (_topic, payload) => this.#receive(Buffer.from(payload).toString()),
      onKept: payload => {
        const version = readMosquittoVersion(Buffer.from(payload).toString())
        if (version?.isOld)
          world.log.warn(`the broker is older than Mosquitto ${oldestMosquitto}: update it`, {
            version: version.text,
          })
      },
    })
  }

  isConnected(): boolean {
    return this.#connection.isConnected()
  }

  fault(): Refusal['kind'] | 'start' | 'lost' | undefined {
    return this.isConnected() ? undefined : this.#fault
  }

  async read(): Promise<({ readonly ok: true } & Found) | AdminFailure> {
    const clients = await this.#pages<Found['clients'][number]>('listClients', 'clients', 'username')
    if (!clients.ok) return clients
    const roles = await this.#pages<Found['roles'][number]>('listRoles', 'roles', 'rolename')
    return roles.ok ? { ok: true, clients: clients.rows, roles: roles.rows } : roles
  }

  async run(
    commands: readonly Command[],
  ): Promise<{ readonly ok: true; readonly errors: readonly string[] } | AdminFailure> {
    const errors: string[] = []
    for (const piece of inPieces(commands, most, mostBytes)) {
      const asked = await this.#ask(piece)
      if (!asked.ok) return asked
      for (const { command, error } of asked.answers)
        if (error !== undefined && !isDoneAlready(error)) errors.push(`${command}: ${error}`)
    }
    return { ok: true, errors }
  }

  async close(): Promise<void> {
    this.#waiting?.resolve(undefined)
    await this.#connection.close()
  }

  #receive(text: string): void {
    const answers = readAnswers(text)
    // The answers to other clouds come here too.
    if (!answers || answers[0]?.correlationData !== this.#waiting?.id) return
    this.#waiting?.resolve(answers)
  }

  async #pages<Row>(
    command: string,
    list: string,
    name: string,
  ): Promise<{ readonly ok: true; readonly rows: readonly Row[] } | AdminFailure> {
    const rows: Row[] = []
    for (let page = 0; page < mostPages; page++) {
      const asked = await this.#ask([{ command, verbose: true, count: pageSize, offset: page * pageSize }])
      if (!asked.ok) return asked
      const [answer] = asked.answers
      if (answer?.error !== undefined)
        return { ok: false, code: 'refused', message: `${command}: ${answer.error}` }
      const more = rowsOf<Row>(answer, list, name)
      rows.push(...more)
      if (more.length < pageSize) return { ok: true, rows }
    }
    // Not tested: 200,000 accounts at one broker.
    return { ok: false, code: 'refused', message: `${command}: too many accounts` }
  }

  #ask(
    commands: readonly Command[],
  ): Promise<{ readonly ok: true; readonly answers: readonly Answer[] } | AdminFailure> {
    const asked = this.#queue.then(() => this.#askNow(commands))
    this.#queue = asked
    return asked
  }

  async #askNow(
    commands: readonly Command[],
  ): Promise<{ readonly ok: true; readonly answers: readonly Answer[] } | AdminFailure> {
    const notConnected = {
      ok: false,
      code: 'not_connected',
      message: 'there is no connection to its dynamic security',
    } as const
    const id = `${this.#mark} ${++this.#count}`
    let timer: Timer | undefined
    let isLate = false
    const answered = new Promise<readonly Answer[] | undefined>(resolve => {
      this.#waiting = { id, resolve }
      timer = this.#world.after(answerWithinMs, () => {
        isLate = true
        resolve(undefined)
      })
    })
    const marked = commands.map(command => ({ ...command, correlationData: id }))
    const isSent = this.#connection.publish(commandTopic, JSON.stringify({ commands: marked }))
    const answers = isSent ? await answered : undefined
    timer?.cancel()
    this.#waiting = undefined
    if (answers) return { ok: true, answers }
    return isLate
      ? {
          ok: false,
          code: 'no_plugin',
          message: `it has not answered on ${answerTopic} within ${answerWithinMs / 1000} s`,
        }
      : notConnected
  }
}

/** The command that denies everything that no role allows. */
export const denyByDefault: Command = { command: 'setDefaultACLAccess', acls: denied }

/** Connects to a broker's dynamic security, and stays connected. */
export function createBrokerAdmin(parts: BrokerAdminParts): BrokerAdmin {
  return new MosquittoAdmin(parts)
}
