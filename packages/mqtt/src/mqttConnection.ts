// Our end of MQTT, as both sides use it: clean sessions, QoS 1, nothing retained, nothing queued while offline.

import type { Duplex } from 'node:stream'
import { connect, type IClientOptions, MqttClient, Store } from 'mqtt'

/** What happens on a connection. None of these may throw. */
export interface MqttHandlers {
  /** Connected and subscribed. */
  onConnect(): void
  /** No longer connected; mqtt.js tries again by itself. */
  onDisconnect(): void
  /** The broker or the network refused; said once per change of text. */
  onRefused(message: string): void
  onMessage(topic: string, payload: Uint8Array): void
}

/** One end of a wire: the real one below, a faulty one in the simulated house. */
export interface MqttConnection {
  /** Publishes at once, at QoS 1, not retained; false, and nothing is sent or kept, when there is no connection. */
  publish(topic: string, payload: string): boolean
  isConnected(): boolean
  /** Ends the connection; with `lastWords`, publishes them first and waits for the broker's answer, but not longer than `patience`. */
  close(lastWords?: { topic: string; payload: string }, patience?: Promise<void>): Promise<void>
}

export interface MqttOptions {
  /** `mqtt://host:port` or `mqtts://host:port`; or a stream to a broker in this process. */
  readonly to: string | (() => Duplex)
  readonly clientId: string
  readonly username?: string
  readonly password?: string
  /** PEM of the authority that signed the broker's certificate, when it is not a public one. */
  readonly ca?: string
  readonly subscribe: readonly string[]
  /** Made anew for each connection, since it names the connection. */
  readonly will?: () => { topic: string; payload: string }
}

/** Opens a connection and keeps it open. */
export function connectMqtt(options: MqttOptions, handlers: MqttHandlers): MqttConnection {
  const given: IClientOptions = {
    clientId: options.clientId,
    protocolVersion: 4,
    clean: true,
    keepalive: 20,
    connectTimeout: 10_000,
    reconnectPeriod: 1_000,
    resubscribe: false,
    queueQoSZero: false,
    ...(options.username !== undefined && { username: options.username }),
    ...(options.password !== undefined && { password: options.password }),
    ...(options.ca !== undefined && { ca: options.ca }),
  }
  const client =
    typeof options.to === 'string'
      ? connect(options.to, { ...given, manualConnect: true })
      : inProcess(options.to, given)
  let subscribed = false
  let refused = ''

  function refuse(message: string) {
    if (message === refused) return
    refused = message
    handlers.onRefused(message)
  }

  function setWill() {
    const will = options.will?.()
    if (will)
      client.options.will = {
        ...will,
        payload: Buffer.from(will.payload),
        qos: 1,
        retain: false,
      }
  }

  client.on('connect', () => {
    // Without this a QoS 1 exchange waits for Nagle and delayed acknowledgements: 88 ms instead of 0.12 ms on loopback.
    const { stream } = client as unknown as {
      stream?: { setNoDelay?: (on: boolean) => void; destroy?: () => void }
    }
    stream?.setNoDelay?.(true)
    client.subscribe([...options.subscribe], { qos: 1 }, error => {
      // Also when the broker refuses one of them.
      if (error) {
        refuse(`cannot subscribe: ${error.message}`)
        // Connected and deaf is worse than gone: mqtt.js tries again only after a connection that has ended.
        stream?.destroy?.()
        return
      }
      subscribed = true
      refused = ''
      handlers.onConnect()
    })
  })
  client.on('close', () => {
    // Else mqtt.js sends what this connection left unacknowledged on the next one, however much later that is.
    client.outgoingStore = new Store()
    if (subscribed) {
      subscribed = false
      handlers.onDisconnect()
    }
    setWill()
  })
  client.on('error', error => refuse(error.message || String((error as { code?: unknown }).code)))
  client.on('message', (topic, payload, packet) => {
    // A retained message is not from now, whoever sent it.
    if (!packet.retain) handlers.onMessage(topic, payload)
  })
  setWill()
  client.connect()

  return {
    isConnected: () => subscribed && client.connected,
    publish(topic, payload) {
      if (!subscribed || !client.connected) return false
      client.publish(topic, payload, { qos: 1, retain: false }, () => {})
      return true
    },
    async close(lastWords, patience = new Promise(() => {})) {
      if (lastWords && subscribed && client.connected) {
        const sent = client
          .publishAsync(lastWords.topic, lastWords.payload, {
            qos: 1,
            retain: false,
          })
          .catch(() => {})
        const gone = new Promise<void>(resolve => client.once('close', () => resolve()))
        await Promise.race([sent, gone, patience])
      }
      await client.endAsync(true)
    },
  }
}

function inProcess(to: () => Duplex, given: IClientOptions): MqttClient {
  return new MqttClient(() => to() as never, { ...given, manualConnect: true })
}
