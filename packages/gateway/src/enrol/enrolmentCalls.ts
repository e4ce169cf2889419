// The requests of an enrolment: JSON over HTTPS, each with a limit on its time and its size.

import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { systemCode } from '../journalDisk.ts'

/** How long the connection may be silent. */
const silentMs = 20_000
const mostBytes = 64 * 1024

/** An answer; or, for a person, why there was none. */
export type Came =
  | {
      readonly isAnswer: true
      readonly status: number
      /** Undefined: the body is not JSON. */
      readonly body: unknown
      /** Whether something came that is not JSON, such as the page of a proxy. */
      readonly isPage: boolean
      /** The target host of a redirect, with its scheme. */
      readonly sendsTo: string | undefined
      readonly retryAfterS: number | undefined
    }
  /** `distrust`: a server answers whose certificate is not trusted, so a retry would not help. */
  | { readonly isAnswer: false; readonly why: string; readonly distrust: Distrust | undefined }

/** The fault of a certificate: its authority or its name. */
export type Distrust = 'strange_authority' | 'other_name'

/** Posts JSON to a path of the cloud. */
export type Post = (path: string, body: object) => Promise<Came>

const otherName = 'ERR_TLS_CERT_ALTNAME_INVALID'

/** Advice on a failed connection, by its error code. */
const advice: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its name is not known: check the address and the network',
  EAI_AGAIN: 'no name can be looked up: check the network',
  ECONNREFUSED: 'nobody listens there: check the address',
  ENETUNREACH: 'there is no network',
  EHOSTUNREACH: 'there is no way to it',
  CERT_NOT_YET_VALID:
    'its certificate is not valid yet: the clock of this machine is wrong, and sets itself soon',
  CERT_HAS_EXPIRED: 'its certificate has expired, or the clock of this machine is wrong',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is of an authority of its own: name its PEM file with --ca',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is of an authority of its own: name its PEM file with --ca',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is of an unknown authority: name its PEM file with --ca',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'its certificate is of an unknown authority: name its PEM file with --ca',
  [otherName]: 'its certificate is of another name: check the address',
}

/** The error codes of certificates whose authority is not trusted. */
const strangeAuthorities: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
])

/** The text for a person on a failed connection. `ca`: the authority that was given for it, if any. */
export function whyOf(error: Error, ca: string | undefined): string {
  const code = systemCode(error)
  if (code !== undefined && ca !== undefined && strangeAuthorities.has(code))
    return 'its certificate is not of the authority that was given'
  return (code && advice[code]) ?? code ?? error.message
}

function distrustOf(error: Error): Distrust | undefined {
  const code = systemCode(error) ?? ''
  if (strangeAuthorities.has(code)) return 'strange_authority'
  return code === otherName ? 'other_name' : undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The part of a redirect's target that may be shown: its scheme and host. */
function originOf(location: string | undefined, cloudUrl: string): string | undefined {
  const url = location === undefined ? null : URL.parse(location, cloudUrl)
  return url && /^https?:$/.test(url.protocol) ? url.origin : undefined
}

/**
 * Makes requests to the cloud. Redirects are not followed, so that a code goes only to the given address. `ca`: PEM of the
 * authority that signed its certificate; by default those that this program trusts.
 */
export function cloudCalls(cloudUrl: string, ca: string | undefined): Post {
  const isPlain = new URL(cloudUrl).protocol === 'http:'
  return (path, body) =>
    new Promise(resolve => {
      const text = JSON.stringify(body)
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }
      const options = { method: 'POST', headers, agent: false as const, timeout: silentMs, ca }
      const failed = (error: Error) =>
        resolve({ isAnswer: false, why: whyOf(error, ca), distrust: distrustOf(error) })
      const asked = (isPlain ? httpRequest : httpsRequest)(new URL(path, cloudUrl), options, response => {
        const chunks: Buffer[] = []
        let bytes = 0
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length
          if (bytes > mostBytes) response.destroy(new Error('its answer is too long'))
          else chunks.push(chunk)
        })
        response.on('error', failed)
        response.on('end', () => {
          const wait = Number(response.headers['retry-after'])
          const said = Buffer.concat(chunks).toString('utf8')
          const body = parsed(said)
          resolve({
            isAnswer: true,
            status: response.statusCode ?? 500,
            body,
            isPage: said !== '' && body === undefined,
            sendsTo: originOf(response.headers.location, cloudUrl),
            retryAfterS: Number.isFinite(wait) ? wait : undefined,
          })
        })
      })
      asked.on('timeout', () => asked.destroy(new Error('it does not answer')))
      asked.on('error', failed)
      asked.end(text)
    })
}
