// The broker's certificate: read and checked before use, and checked again for a renewal.

import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import { repeat } from '@callgate/world/repeat'
import type { World } from '@callgate/world/world'

/** The files of the certificate with its chain and of the private key, both PEM. */
export interface CertificateFiles {
  readonly certFile: string
  readonly keyFile: string
}

/** A certificate with its chain, and its key; both PEM. */
export interface KeyPair {
  readonly cert: string
  readonly key: string
}

export interface Certificate {
  readonly pair: KeyPair
  /**
   * Checks the files every 30 s, and calls `use` with each complete new pair. Half a renewal, and an unusable pair, is logged
   * once and changes nothing. Returns a function that ends the checks.
   */
  watch(use: (pair: KeyPair) => void): () => void
}

export type LoadedCertificate =
  | { readonly ok: true; readonly certificate: Certificate }
  | { readonly ok: false; readonly message: string }

type Read<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly message: string }

const checkEveryMs = 30_000

/** The content of a file that a variable names; the message names both. */
async function readNamed(variable: string, file: string): Promise<Read<string>> {
  try {
    return { ok: true, value: await readFile(file, 'utf8') }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    return { ok: false, message: `${variable}: cannot read ${file}: ${error.code}` }
  }
}

function attempt<T>(make: () => T): T | Error {
  try {
    return make()
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

/** The variables that name the two files. */
interface PairVariables {
  readonly cert: string
  readonly key: string
}

const brokerVariables: PairVariables = { cert: 'MQTT_TLS_CERT', key: 'MQTT_TLS_KEY' }
const clientVariables: PairVariables = { cert: 'MQTT_CLIENT_CERT', key: 'MQTT_CLIENT_KEY' }

/** The fault of a pair; undefined when TLS can use it. Messages of the crypto library contain no part of the files. */
function pairFault(
  { certFile, keyFile }: CertificateFiles,
  { cert, key }: KeyPair,
  variables: PairVariables,
): string | undefined {
  const first: X509Certificate | Error = attempt(() => new X509Certificate(cert))
  if (first instanceof Error) return `${variables.cert}: ${certFile} holds no certificate in PEM`
  const secret: KeyObject | Error = attempt(() => createPrivateKey(key))
  if (secret instanceof Error)
    return `${variables.key}: ${keyFile} holds no private key in PEM that is free of a passphrase`
  if (!first.checkPrivateKey(secret))
    return `${variables.key}: the key in ${keyFile} does not belong to the first certificate in ${certFile}`
  const context = attempt(() => createSecureContext({ cert, key }))
  return context instanceof Error
    ? `${variables.cert}: ${certFile} cannot be used: ${context.message}`
    : undefined
}

/** Reads the authorities in the file that MQTT_CA names, PEM. A fault names the variable. */
export async function readAuthority(file: string): Promise<Read<string>> {
  const read = await readNamed('MQTT_CA', file)
  if (!read.ok) return read
  return attempt(() => new X509Certificate(read.value)) instanceof Error
    ? { ok: false, message: `MQTT_CA: ${file} holds no certificate in PEM` }
    : read
}

async function readPair(files: CertificateFiles, variables = brokerVariables): Promise<Read<KeyPair>> {
  const [cert, key] = await Promise.all([
    readNamed(variables.cert, files.certFile),
    readNamed(variables.key, files.keyFile),
  ])
  if (!cert.ok) return cert
  if (!key.ok) return key
  const pair = { cert: cert.value, key: key.value }
  const fault = pairFault(files, pair, variables)
  return fault === undefined ? { ok: true, value: pair } : { ok: false, message: fault }
}

function sayUntil(world: World, message: string, { cert }: KeyPair): void {
  const { validTo } = new X509Certificate(cert)
  const isOver = Date.parse(validTo) <= world.nowMs()
  world.log[isOver ? 'warn' : 'info'](message, { validTo })
}

/** Reads the certificate that the cloud presents to a broker that asks for one. A fault names the variable. */
export const readClientPair = (files: CertificateFiles): Promise<Read<KeyPair>> =>
  readPair(files, clientVariables)

/** Polls the files; see `Certificate`. */
function watchPair(world: World, files: CertificateFiles, first: KeyPair, use: (pair: KeyPair) => void) {
  let current = first
  let complained = ''

  async function check(isOver: () => boolean) {
    const read = await readPair(files)
    if (isOver()) return
    const why = read.ok ? '' : read.message
    if (!read.ok && why !== complained)
      world.log.warn('the new certificate of the broker cannot be used; the old one stays', { why })
    complained = why
    if (!read.ok || (read.value.cert === current.cert && read.value.key === current.key)) return
    current = read.value
    use(current)
    sayUntil(world, 'the broker uses the new certificate', current)
  }

  const stop = repeat(world, checkEveryMs, check, why =>
    world.log.error('the certificate of the broker could not be looked at', { why }),
  )
  return () => void stop()
}

/** Reads the pair. A fault names the variable. */
export async function loadCertificate(world: World, files: CertificateFiles): Promise<LoadedCertificate> {
  const read = await readPair(files)
  if (!read.ok) return read
  const pair = read.value
  sayUntil(world, 'the broker speaks TLS', pair)
  return { ok: true, certificate: { pair, watch: use => watchPair(world, files, pair, use) } }
}
