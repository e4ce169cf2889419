// The signed bytes that gateway and cloud exchange at an enrolment, and the fingerprint that people compare.

import { createHash } from 'node:crypto'

/**
 * Each list of texts has one form as bytes. The first two texts name its purpose, so that no signature is valid for another one.
 */
function bytesOf(kind: string, texts: readonly string[]): Buffer {
  return Buffer.from(JSON.stringify(['callgate enrolment 1', kind, ...texts]), 'utf8')
}

const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest()

/** A gateway that has taken a code, as both sides know it. */
export interface Agreement {
  readonly enrolmentId: string
  /** Of the gateway. */
  readonly publicKey: string
  /** The gateway's commitment, which it opens once it has the nonce of the cloud. */
  readonly gatewayNonce: string
  readonly cloudNonce: string
  readonly cloudKeys: readonly string[]
}

/** The hash by which a gateway binds itself to its nonce before it knows that of the cloud. */
export function commitmentOf({
  gatewayNonce,
  publicKey,
}: Pick<Agreement, 'gatewayNonce' | 'publicKey'>): string {
  return digest(bytesOf('commitment', [publicKey, gatewayNonce])).toString('base64url')
}

/**
 * Six digits over the keys of both sides and a nonce of each. An attacker in between must choose a nonce for one side before
 * knowing that of the other, and so cannot try until two fingerprints are alike: one attack in a million succeeds.
 */
export function fingerprintOf(agreement: Agreement): string {
  const { cloudKeys, cloudNonce, enrolmentId, gatewayNonce, publicKey } = agreement
  const hash = digest(
    bytesOf('fingerprint', [enrolmentId, publicKey, gatewayNonce, cloudNonce, ...cloudKeys]),
  )
  return String(hash.readUIntBE(0, 6) % 1_000_000).padStart(6, '0')
}

/** `123 456`, as people compare it. */
export function spacedFingerprint(fingerprint: string): string {
  return `${fingerprint.slice(0, 3)} ${fingerprint.slice(3)}`
}

/** What the cloud signs when a gateway has taken a code. */
export function offerBytes(offer: Omit<Agreement, 'gatewayNonce'> & { readonly commitment: string }): Buffer {
  const { cloudKeys, cloudNonce, commitment, enrolmentId, publicKey } = offer
  return bytesOf('offer', [enrolmentId, publicKey, commitment, cloudNonce, ...cloudKeys])
}

/** What the gateway signs to ask for what it connects with, or to say that it has it. */
export function proofBytes(
  kind: 'ask' | 'stored',
  { cloudNonce, enrolmentId, gatewayNonce }: Omit<Agreement, 'publicKey' | 'cloudKeys'>,
): Buffer {
  return bytesOf(kind, [enrolmentId, gatewayNonce, cloudNonce])
}

/** What an enrolled gateway connects with. */
export interface EnrolledLogin {
  readonly gatewayId: string
  readonly mqttUrl: string
  readonly mqttPassword: string
  readonly cloudKeys: readonly string[]
  /** PEM; absent: the authorities that every machine knows. */
  readonly ca?: string
}

/** What the cloud signs when it hands the login out. */
export function loginBytes(enrolmentId: string, login: EnrolledLogin): Buffer {
  const { ca = '', cloudKeys, gatewayId, mqttPassword, mqttUrl } = login
  return bytesOf('login', [enrolmentId, gatewayId, mqttUrl, mqttPassword, ca, ...cloudKeys])
}
