// Our MQTT client, for cloud and gateway: clean sessions, QoS 1, no retained messages, no queue while offline.

import type { Duplex } from 'node:stream'
import { connect, type IClientOptions, MqttClient, Store } from 'mqtt'

interface Message {
  readonly topic: string
  readonly payload: string
}

/** Why there is no connection. */
export interface Refusal {
  /**
   * `login`: the broker has refused the login. `topics`: it has refused a subscription. `network`: no broker has answered.
   * `authority`, `name`, `expired`: its certificate has an authority that we do not trust, is for another host, or is not valid
   * at this time.
   */
  readonly kind: 'login' | 'topics' | 'network' | 'authority' | 'name' | 'expired'
  /** For the log: it may name hosts and addresses. */
  readonly message: string
}

/** The events of a connection. The handlers must not throw. */
export interface MqttHandlers {
  /** Connected and subscribed. */
  onConnect(): void
  /** The connection is lost; mqtt.js connects again by itself. */
  onDisconnect(): void
  /** The broker or the network has refused; the client retries. The same message is not repeated. */
  onRefused(refusal: Refusal): void
  onMessage(topic: string, payload: Uint8Array): void
  /** The retained message of the topic `MqttOptions.kept`, from the broker itself. */
  onKept?(payload: Uint8Array): void
  /** The broker has refused the extra topics; the connection continues. */
  onWithout?(topics: readonly string[]): void
}

/** One end of the connection: the real one is below, and the simulation has one with faults. */
export interface MqttConnection {
  /** Publishes at once, at QoS 1, not retained. Without a connection it returns false, and nothing is sent or kept. */
  publish(topic: string, payload: string): boolean
  isConnected(): boolean
  /** Ends the connection. Publishes `lastWords` first, and waits for the broker's answer until `patience` resolves. */
  close(lastWords?: Message, patience?: Promise<void>): Promise<void>
}

export interface MqttOptions {
  /**
   * `mqtt://host:port` or `mqtts://host:port`, with `user:password@` percent-encoded unless they are given below; or a stream to
   * a broker in this process.
   */
  readonly to: string | (() => Duplex)
  readonly clientId: string
  readonly username?: string
  readonly password?: string
  /** PEM of the authority that signed the broker's certificate, when it is not a public one. */
  readonly ca?: string
  /** PEM of the certificate with its chain and of its key, for a broker that asks for one. */
  readonly pair?: { readonly cert: string; readonly key: string }
  readonly subscribe: readonly string[]
  /** A topic of the broker itself whose retained message is read where the broker allows that. A refusal is not a fault. */
  readonly kept?: string
  /** The broker may end a connection that is silent for this time, in seconds. */
  readonly keepaliveS?: number
  /** Optional topics: where the broker refuses them, the connection stays, and `onWithout` is called. */
  readonly extra?: readonly string[]
  /** The delay before the next try, milliseconds, at least 1; `reset` is called after a success. */
  readonly reconnect: { nextMs(): number; reset(): void }
  /** Called for each connection, because the will names the connection. */
  readonly will?: () => Message
}

/** The parts of a URL. mqtt.js would read it with a deprecated function of Node, and take options from its query. */
function readUrl(text: string): IClientOptions {
  const { hostname, password, port, protocol, username } = new URL(text)
  const isTls = protocol === 'mqtts:'
  return {
    protocol: isTls ? 'mqtts' : 'mqtt',
    // An IPv6 address is in brackets.
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (isTls ? 8883 : 1883) : Number(port),
    ...(username !== '' && { username: decodeURIComponent(username) }),
    ...(password !== '' && { password: decodeURIComponent(password) }),
  }
}

function createClient(options: MqttOptions): MqttClient {
  const given: IClientOptions = {
    clientId: options.clientId,
    protocolVersion: 4,
    clean: true,
    keepalive: options.keepaliveS ?? 20,
    connectTimeout: 10_000,
    // Without this, mqtt.js stops retrying once a broker has refused the login, even if only temporarily.
    reconnectOnConnackError: true,
    resubscribe: false,
    queueQoSZero: false,
    manualConnect: true,
    ...(options.username !== undefined && { username: options.username }),
    ...(options.password !== undefined && { password: options.password }),
    ...(options.ca !== undefined && { ca: options.ca }),
    ...options.pair,
  }
  const { to } = options
  return typeof to === 'string'
    ? connect({ ...readUrl(to), ...given })
    : new MqttClient(() => to() as never, given)
}

/** The kinds of Node's error codes for the broker's certificate (the names of OpenSSL's X509_V_ERR, and Node's own). */
const certificateFaults: Readonly<Record<string, Refusal['kind']>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'authority',
  SELF_SIGNED_CERT_IN_CHAIN: 'authority',
  UNABLE_TO_GET_ISSUER_CERT: 'authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'name',
  CERT_HAS_EXPIRED: 'expired',
  CERT_NOT_YET_VALID: 'expired',
}

/** An error with a number is the broker's answer to our login (MQTT 3.1.1, table 3.1); a system error has a text as code. */
function refusalOf(error: Error & { readonly code?: unknown }): Refusal {
  const { code, message } = error
  const kind = typeof code === 'number' ? 'login' : (certificateFaults[String(code)] ?? 'network')
  return { kind, message: message || String(code) }
}

class KeptConnection implements MqttConnection {
  readonly #client: MqttClient
  readonly #options: MqttOptions
  readonly #handlers: MqttHandlers
  #isSubscribed = false
  #refused = ''

  constructor(options: MqttOptions, handlers: MqttHandlers) {
    const client = createClient(options)
    this.#client = client
    this.#options = options
    this.#handlers = handlers
    client.on('connect', () => this.#subscribe())
    client.on('close', () => this.#onClose())
    // Before the listener of mqtt.js, which uses the delay that is set here.
    client.prependListener('close', () => {
      client.options.reconnectPeriod = options.reconnect.nextMs()
    })
    client.on('error', error => this.#refuse(refusalOf(error)))
    client.on('message', (topic, payload, packet) => {
      if (topic === options.kept) return handlers.onKept?.(payload)
      // A retained message is old, whoever sent it.
      if (!packet.retain) handlers.onMessage(topic, payload)
    })
    this.#setWill()
    client.connect()
  }

  isConnected(): boolean {
    return this.#isSubscribed && this.#client.connected
  }

  publish(topic: string, payload: string): boolean {
    if (!this.isConnected()) return false
    this.#client.publish(topic, payload, { qos: 1, retain: false }, () => {})
    return true
  }

  async close(lastWords?: Message, patience = new Promise<void>(() => {})): Promise<void> {
    const client = this.#client
    if (lastWords && this.isConnected()) {
      const { payload, topic } = lastWords
      const sent = client.publishAsync(topic, payload, { qos: 1, retain: false }).catch(() => {})
      const gone = new Promise<void>(resolve => client.once('close', () => resolve()))
      await Promise.race([sent, gone, patience])
    }
    await client.endAsync(true)
  }

  #subscribe(): void {
    const { stream } = this.#client as unknown as {
      stream?: { setNoDelay?: (on: boolean) => void; destroy?: () => void }
    }
    // Without this a QoS 1 exchange waits for Nagle and delayed acknowledgements: 88 ms instead of 0.12 ms on loopback.
    stream?.setNoDelay?.(true)
    // mqtt.js rejects an empty list. A client that only tests the login needs no topic.
    if (this.#options.subscribe.length === 0) {
      this.#subscribed()
      return
    }
    this.#client.subscribe([...this.#options.subscribe], { qos: 1 }, error => {
      // The broker may also refuse only one of the topics.
      if (error) {
        this.#refuse({ kind: 'topics', message: `cannot subscribe: ${error.message}` })
        // Without its subscriptions the connection is useless. mqtt.js tries again only after it has ended.
        stream?.destroy?.()
        return
      }
      this.#subscribed()
    })
  }

  #subscribed(): void {
    this.#isSubscribed = true
    this.#refused = ''
    this.#options.reconnect.reset()
    this.#handlers.onConnect()
    const { kept } = this.#options
    if (kept !== undefined) this.#client.subscribe(kept, { qos: 0 }, () => {})
    const { extra = [] } = this.#options
    if (extra.length === 0) return
    this.#client.subscribe([...extra], { qos: 1 }, error => {
      if (error && this.isConnected()) this.#handlers.onWithout?.(extra)
    })
  }

  #onClose(): void {
    // Otherwise mqtt.js would send the unacknowledged messages of this connection on the next one, however late.
    this.#client.outgoingStore = new Store()
    if (this.#isSubscribed) {
      this.#isSubscribed = false
      this.#handlers.onDisconnect()
    }
    this.#setWill()
  }

  #refuse(refusal: Refusal): void {
    if (refusal.message === this.#refused) return
    this.#refused = refusal.message
    this.#handlers.onRefused(refusal)
  }

  #setWill(): void {
    const will = this.#options.will?.()
    if (!will) return
    const { payload, topic } = will
    this.#client.options.will = { topic, payload: Buffer.from(payload), qos: 1, retain: false }
  }
}

/** Opens a connection and keeps it open. */
export function connectMqtt(options: MqttOptions, handlers: MqttHandlers): MqttConnection {
  return new KeptConnection(options, handlers)
}
