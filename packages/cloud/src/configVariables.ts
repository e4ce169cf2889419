// The environment variables of the cloud, with their defaults and meanings.

import { type LogLevel, logLevels } from '@callgate/world/real'
import type { NetworkVariables } from './network/network.ts'

const port = (standard: number, description: string) =>
  ({ type: 'integer', minimum: 1, maximum: 65_535, default: standard, description }) as const

/** Every variable that the cloud reads, as a JSON Schema; `callgate serve --help` prints the descriptions. */
export const variables = {
  HOST: {
    type: 'string',
    default: '127.0.0.1',
    description: 'The address that the REST API listens on; 0.0.0.0 for all addresses of the machine',
  },
  PORT: port(8080, 'Where the REST API listens'),
  TRUST_PROXY: {
    type: 'string',
    description:
      'Proxies whose X-Forwarded-For is believed: addresses, networks (192.0.2.0/24) or loopback, with commas; by default none',
  },
  APP_URL: {
    type: 'string',
    description:
      'The address that people and integrators use, without a path; by default http://localhost:PORT',
  },
  DATABASE_URL: {
    type: 'string',
    description:
      'A SQLite file, by default callgate.sqlite in CALLGATE_DATA; or postgres://USER:PASSWORD@HOST:5432/NAME',
  },
  DATABASE_URL_FILE: {
    type: 'string',
    description: 'A file that holds DATABASE_URL, with its password; instead of it',
  },
  ALLOW_PLAIN_POSTGRES: {
    type: 'string',
    enum: ['yes'],
    description: 'yes lets production reach Postgres on another machine without sslmode=verify-full',
  },
  MQTT_URL: {
    type: 'string',
    description: 'A broker of your own, mqtt:// or mqtts://; without it the embedded broker serves',
  },
  MQTT_URL_FILE: {
    type: 'string',
    description: 'A file that holds MQTT_URL, with its password; instead of it',
  },
  MQTT_ADMIN_URL: {
    type: 'string',
    description:
      "The account of the broker in MQTT_URL that may use Mosquitto's dynamic security: the cloud then keeps the gateways' accounts there",
  },
  MQTT_ADMIN_URL_FILE: {
    type: 'string',
    description: 'A file that holds MQTT_ADMIN_URL, with its password; instead of it',
  },
  MQTT_CLIENT_CERT: {
    type: 'string',
    description:
      'PEM file of the certificate that the cloud shows to the broker in MQTT_URL, where it asks for one',
  },
  MQTT_CLIENT_KEY: { type: 'string', description: 'PEM file of its private key' },
  MQTT_HOST: {
    type: 'string',
    default: '127.0.0.1',
    description: 'The address that the embedded broker listens on; 0.0.0.0 for all addresses of the machine',
  },
  MQTT_PORT: port(1883, 'Where the embedded broker listens'),
  MQTT_TLS_CERT: {
    type: 'string',
    description:
      'PEM file of the certificate with its chain: with MQTT_TLS_KEY the embedded broker speaks TLS',
  },
  MQTT_TLS_KEY: { type: 'string', description: 'PEM file of its private key' },
  MQTT_CA: {
    type: 'string',
    description: 'PEM file of the authority behind the broker in MQTT_URL, when it is not a public one',
  },
  ALLOW_PLAIN_MQTT: {
    type: 'string',
    enum: ['yes'],
    description:
      'yes lets MQTT leave this machine without encryption; refused otherwise, and in production in any case',
  },
  METRICS_PORT: {
    type: 'integer',
    minimum: 1,
    maximum: 65_535,
    description: 'Where Prometheus reads metrics, at /metrics; without it there are none',
  },
  METRICS_HOST: {
    type: 'string',
    default: '127.0.0.1',
    description: 'The address that METRICS_PORT listens on; whoever reaches it reads the metrics',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    type: 'string',
    description:
      'A collector of OpenTelemetry, such as http://localhost:4318, that gets a trace of each opening',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    type: 'string',
    description: 'Headers for the collector: name=value pairs with commas between, percent-encoded',
  },
  CALLGATE_DATA: {
    type: 'string',
    default: './.callgate',
    description: 'The folder for the database, the keys and the mails that are kept as files',
  },
  SIGNING_KEY_FILE: {
    type: 'string',
    description:
      'The file of the signing key, the same for all replicas; by default signing-key in CALLGATE_DATA',
  },
  SEALING_KEYS_FILE: {
    type: 'string',
    description:
      'The file of the sealing keys, the same for all replicas; by default sealing-keys in CALLGATE_DATA',
  },
  SMTP_URL: {
    type: 'string',
    description:
      'The server for mails, smtp:// or smtps://user:password@host; without it they are files in CALLGATE_DATA/mails',
  },
  SMTP_URL_FILE: {
    type: 'string',
    description: 'A file that holds SMTP_URL, with its password; instead of it',
  },
  MAIL_FROM: {
    type: 'string',
    description: 'The sender of mails: "Name <address>" or an address; needed with SMTP_URL',
  },
  ALLOW_MAIL_FILES: {
    type: 'string',
    enum: ['yes'],
    description: 'yes lets production run without SMTP_URL; mails are files then',
  },
  WEBHOOK_PORTS: {
    type: 'string',
    description:
      'Ports of the receivers of webhooks beside 443 and 8443, with commas between; by default none',
  },
  WEBHOOK_NETWORKS: {
    type: 'string',
    description:
      'Networks of your own that webhooks may lead to, as 10.1.0.0/16 or loopback, with commas between; by default only public addresses',
  },
  GATEWAY_INSTALLER: {
    type: 'string',
    description:
      'Where new gateways get their package: the https:// address of a repository that pnpm release has made, a space, and the SHA-256 of its install.sh',
  },
  SECURITY_CONTACT: {
    type: 'string',
    description:
      'Where a finder of a weakness writes to, shown in /.well-known/security.txt: an e-mail address, https:// or tel:',
  },
  NODE_ENV: {
    type: 'string',
    description: 'production refuses to start on what is unsafe, such as an APP_URL without https://',
  },
  LOG_LEVEL: { type: 'string', enum: [...logLevels], default: 'info', description: logLevels.join(', ') },
} as const

/** The environment once it has passed the schema. */
export interface Environment extends NetworkVariables {
  readonly PORT: number
  readonly APP_URL?: string
  readonly DATABASE_URL?: string
  readonly ALLOW_PLAIN_POSTGRES?: 'yes'
  readonly MQTT_PORT: number
  readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string
  readonly OTEL_EXPORTER_OTLP_HEADERS?: string
  readonly CALLGATE_DATA: string
  readonly SIGNING_KEY_FILE?: string
  readonly SEALING_KEYS_FILE?: string
  readonly SMTP_URL?: string
  readonly MAIL_FROM?: string
  readonly ALLOW_MAIL_FILES?: 'yes'
  readonly WEBHOOK_PORTS?: string
  readonly WEBHOOK_NETWORKS?: string
  readonly GATEWAY_INSTALLER?: string
  readonly SECURITY_CONTACT?: string
  readonly NODE_ENV?: string
  readonly LOG_LEVEL: LogLevel
}

/** The variables with their defaults and meanings, for a person. */
export function environmentHelp(): string {
  const lines = Object.entries(variables).map(([name, schema]) => {
    const standard = 'default' in schema ? schema.default : undefined
    const { description } = schema
    return `  ${name.padEnd(27)} ${description}${standard === undefined ? '' : ` (default ${standard})`}`
  })
  return ['Environment:', ...lines].join('\n')
}
