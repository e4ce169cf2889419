// Fetches a release from the cloud in pieces, so that a piece that came before a line broke is not paid for again.

import { open, stat } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { mostHeaderBytes } from '@callgate/contract/release/release'
import {
  checkReleaseList,
  type ListedRelease,
  releaseName,
  releasesPath,
} from '@callgate/contract/release/releaseList'
import { compareVersions, type UpdateFault } from '@callgate/contract/releaseWords'
import { backoff } from '@callgate/world/backoff'
import type { World } from '@callgate/world/world'
import { fault } from '../core/updateDecision.ts'
import { whyOf } from '../enrol/enrolmentCalls.ts'

/** Small enough for a line that breaks every minute. Bytes. */
const pieceBytes = 256 * 1024
const silentMs = 30_000
/** The fetch is given up when no piece has come for this time. */
const fruitlessMs = 30 * 60_000

/**
 * The address of the cloud. `ca`: PEM of the authority that signed its certificate; absent: the authorities that machines know.
 */
export interface Source {
  readonly cloudUrl: string
  readonly ca: string | undefined
}

type Got =
  | {
      readonly ok: true
      readonly status: number
      readonly bytes: Buffer
      /** The position and the whole size by Content-Range, RFC 9110, section 14.4. */
      readonly of: { readonly first: number; readonly whole: number } | undefined
    }
  /** `received`: the bytes of an answer that broke off. */
  | { readonly ok: false; readonly why: string; readonly received: number }

function get({ ca, cloudUrl }: Source, path: string, range?: string): Promise<Got> {
  const url = new URL(path, cloudUrl)
  const headers = range === undefined ? {} : { range }
  const options = { headers, agent: false as const, timeout: silentMs, ca }
  return new Promise(resolve => {
    let received = 0
    const failed = (error: Error) => resolve({ ok: false, why: whyOf(error, ca), received })
    const asked = (url.protocol === 'http:' ? httpRequest : httpsRequest)(url, options, response => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => {
        received += chunk.length
        if (received > pieceBytes) response.destroy(new Error('it sends more than was asked for'))
        else chunks.push(chunk)
      })
      response.on('error', failed)
      response.on('end', () => {
        const [, first, whole] =
          /^bytes (\d{1,12})-\d+\/(\d{1,12})$/.exec(response.headers['content-range'] ?? '') ?? []
        const of = first === undefined ? undefined : { first: Number(first), whole: Number(whole) }
        resolve({ ok: true, status: response.statusCode ?? 500, bytes: Buffer.concat(chunks), of })
      })
    })
    asked.on('timeout', () => asked.destroy(new Error('it does not answer')))
    asked.on('error', failed)
    asked.end()
  })
}

export type FoundRelease =
  | { readonly ok: true; readonly release: ListedRelease | undefined }
  | { readonly ok: false; readonly fault: UpdateFault }

const unfound = (text: string): FoundRelease => ({ ok: false, fault: fault('not_fetched', text) })

/**
 * The newest release for this machine, or the release of the version `wanted`; undefined where none is newer than `version`. The
 * answer is not trusted: everything in it is checked later.
 */
export async function offeredRelease(
  source: Source,
  here: { readonly version: string; readonly architecture: string },
  wanted?: string,
): Promise<FoundRelease> {
  const got = await get(source, releasesPath)
  if (!got.ok) return unfound(`the cloud cannot be asked: ${got.why}`)
  if (got.status === 404) return unfound('this cloud offers no releases: it is of an older version')
  if (got.status !== 200) return unfound(`the cloud answers ${got.status}`)
  const list = checkReleaseList(parsed(got.bytes.toString('utf8')))
  if (!list.ok) return unfound('the cloud answers in a way that this program does not know')
  const [release] = list.value.releases
    .filter(one => one.architecture === here.architecture && compareVersions(one.version, here.version) > 0)
    .filter(one => wanted === undefined || one.version === wanted)
    .sort((a, b) => compareVersions(b.version, a.version))
  return { ok: true, release }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const sizeOf = async (path: string) => (await stat(path).catch(() => undefined))?.size ?? 0

async function append(path: string, bytes: Buffer): Promise<void> {
  const file = await open(path, 'a', 0o600)
  await file.writeFile(bytes).finally(() => file.close())
}

export type Fetched =
  | { readonly ok: true }
  /** `mayGoOn`: the next try continues where this one has ended. */
  | { readonly ok: false; readonly fault: UpdateFault; readonly mayGoOn: boolean }

/** The most bytes that one fetch may cost, lost ones included, so that a cloud with unusable data is not asked forever. */
const mostPaid = ({ bytes }: ListedRelease) => 3 * bytes + 10_000_000
/** The approximate cost of a connection, TLS and the headers, in bytes. */
const connectionBytes = 8 * 1024

type Piece =
  | { readonly state: 'here' }
  | { readonly state: 'lost'; readonly why: string }
  | { readonly state: 'never'; readonly fault: UpdateFault }

/**
 * The last byte of the piece that begins with `first`. The first piece contains little more than the header, which decides on the
 * rest.
 */
const lastOf = ({ bytes }: ListedRelease, first: number) =>
  Math.min(first + (first === 0 ? 2 * mostHeaderBytes : pieceBytes), bytes) - 1

/** Appends the piece that begins with `first` to the file. */
async function keepPiece(got: Got, release: ListedRelease, path: string, first: number): Promise<Piece> {
  if (!got.ok) return { state: 'lost', why: got.why }
  const { bytes, of, status } = got
  if (status === 404 || status === 416)
    return { state: 'never', fault: fault('not_offered', 'the cloud does not offer it any more: try again') }
  if (status !== 206 || of?.first !== first || bytes.length !== lastOf(release, first) - first + 1)
    return { state: 'lost', why: `the cloud answers ${status} with ${bytes.length} bytes` }
  if (of.whole !== release.bytes)
    return {
      state: 'never',
      fault: fault('not_offered', 'the cloud offers another file of this name: try again'),
    }
  await append(path, bytes)
  return { state: 'here' }
}

/**
 * Fetches a release into `path`, after the data that is already there. `check` is called once the first line is there: a fault
 * ends the fetch before the rest is paid for. Rejects with the system's error when the file cannot be written.
 */
export async function fetchRelease(
  world: World,
  source: Source,
  release: ListedRelease,
  path: string,
  check: () => Promise<UpdateFault | undefined>,
): Promise<Fetched> {
  const pauses = backoff(world)
  let fruitfulMs = world.monotonicMs()
  let isChecked = false
  let paidBytes = 0
  for (;;) {
    const first = await sizeOf(path)
    if (!isChecked && first > 0) {
      isChecked = true
      const checked = await check()
      if (checked) return { ok: false, fault: checked, mayGoOn: false }
    }
    if (first >= release.bytes) return { ok: true }
    if (paidBytes > mostPaid(release))
      return {
        ok: false,
        fault: fault('not_fetched', 'too much was lost on the way, or sent in vain'),
        mayGoOn: false,
      }
    const range = `bytes=${first}-${lastOf(release, first)}`
    const got = await get(source, `${releasesPath}/${releaseName(release)}`, range)
    paidBytes += connectionBytes + (got.ok ? got.bytes.length : got.received)
    const piece = await keepPiece(got, release, path, first)
    if (piece.state === 'never') return { ok: false, fault: piece.fault, mayGoOn: false }
    if (piece.state === 'here') {
      fruitfulMs = world.monotonicMs()
      pauses.reset()
      continue
    }
    if (world.monotonicMs() - fruitfulMs > fruitlessMs)
      return {
        ok: false,
        fault: fault('not_fetched', `it cannot be fetched: ${piece.why}. What was fetched is kept`),
        mayGoOn: true,
      }
    await new Promise<void>(resolve => void world.after(pauses.nextMs(), resolve))
  }
}
