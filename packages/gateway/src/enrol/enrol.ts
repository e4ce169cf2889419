// Enrols this gateway: sends a one-time code, waits until an admin has compared the fingerprint, and stores the login.

import { join } from 'node:path'
import {
  type Agreement,
  commitmentOf,
  type EnrolledLogin,
  fingerprintOf,
  loginBytes,
  offerBytes,
  proofBytes,
} from '@callgate/contract/enrolment/agreement'
import { readEnrolmentCode } from '@callgate/contract/enrolment/enrolmentCode'
import { enrolmentOperations } from '@callgate/contract/enrolment/enrolmentOperations'
import { checker } from '@callgate/contract/validate'
import { type SigningKey, verifyingKey } from '@callgate/contract/wire/signature'
import { backoff } from '@callgate/world/backoff'
import type { World } from '@callgate/world/world'
import { cloudUrlFault } from '../cloudAddress.ts'
import type { SeenDevice } from './device.ts'
import { cloudCalls, type Post } from './enrolmentCalls.ts'
import { type Begun, begin, forgetBegun, keepBegun, keyOf, readBegun } from './enrolmentFile.ts'
import {
  type NotEnrolled,
  notReached,
  notTheCloud,
  notTrusted,
  notUnderstood,
  otherCloud,
  refuse,
  sayRefusal,
} from './notEnrolled.ts'

/** News for a person beside the gateway. */
export type EnrolmentNews =
  /** `ofDevice` is the text about the machine; undefined where an earlier run has sent the code. */
  | { readonly kind: 'compare'; readonly fingerprint: string; readonly ofDevice: string | undefined }
  /** The cloud cannot be asked; the enrolment tries again. */
  | { readonly kind: 'trouble'; readonly why: string }

/** The login, and the file of its key. */
export interface NewLogin extends EnrolledLogin {
  /** An absolute path where the folder is one. */
  readonly privateKeyFile: string
}

export interface EnrolmentGiven {
  readonly world: World
  readonly cloudUrl: string
  /** The code as it was typed. Undefined: continue the enrolment that was begun in this folder. */
  readonly code: string | undefined
  /** The key that came with the code, in a file or a QR code: every other cloud is rejected. */
  readonly cloudKey?: string | undefined
  /**
   * PEM of the authority that signed the certificate of the cloud, and of a broker inside it; absent: the authorities that
   * machines know.
   */
  readonly ca?: string | undefined
  /**
   * Whether a person who can correct the input waits beside it. If so, the enrolment ends at a certificate that is not trusted,
   * and after 10 minutes in which the cloud cannot be asked. Otherwise it goes on trying.
   */
  readonly isAttended?: boolean
  /** The folder of the key and of the state that an interrupted run needs. */
  readonly folder: string
  /** Called once, before the code is sent; it may take some seconds. */
  device(): Promise<SeenDevice>
  tell(news: EnrolmentNews): void
  /** Writes the login down so that it survives a power cut. The message of a failure is for a person. */
  store(login: NewLogin): Promise<{ readonly ok: true } | { readonly ok: false; readonly message: string }>
}

export type Enrolled =
  /** Without a login: an earlier run has stored it, and was interrupted after that. */
  { readonly ok: true; readonly login?: NewLogin } | NotEnrolled

const { askForLogin, confirmStored, takeCode } = enrolmentOperations
const checkOffer = checker(takeCode.answers[200], 'the answer')
const checkAnswer = checker(askForLogin.answers[200], 'the answer')

/** The parts of a QR code's link, which may be given in place of a code: address, code and key. Undefined for any other text. */
export function readEnrolmentLink(text: string) {
  const [, cloudUrl, code, cloudKey] =
    /^(https?:\/\/[^/#]+)\/enrol#([\w-]+)\.([\w-]{43})$/.exec(text.trim()) ?? []
  return cloudUrl === undefined || code === undefined || cloudKey === undefined
    ? undefined
    : { cloudUrl, code, cloudKey }
}

function isSignedBy(cloudKeys: readonly string[], bytes: Uint8Array, signature: string): boolean {
  const raw = Buffer.from(signature, 'base64url')
  return cloudKeys.some(key => verifyingKey(key)?.verify(bytes, raw))
}

/** The fields by which a request of the gateway proves its identity. */
function signedFor(
  kind: 'ask' | 'stored',
  agreement: Parameters<typeof proofBytes>[1],
  key: SigningKey,
): { readonly gatewayNonce: string; readonly signature: string } {
  const signature = key.sign(proofBytes(kind, agreement)).toString('base64url')
  return { gatewayNonce: agreement.gatewayNonce, signature }
}

/** The longest wait that an answer can cause. A timer of Node that is much longer ends at once. */
const longestWaitMs = 10 * 60_000

/** A typed code does not live longer. */
const longestTroubleMs = 10 * 60_000
/** How often a waiting person sees that the enrolment still tries. */
const tellTroubleEveryMs = 60_000

class Enrolment {
  readonly #given: EnrolmentGiven
  readonly #post: Post
  #lastTrouble = { why: '', toldMs: 0 }
  #ofDevice: string | undefined

  constructor(given: EnrolmentGiven) {
    this.#given = given
    this.#post = cloudCalls(given.cloudUrl, given.ca)
  }

  #wait(ms: number): Promise<void> {
    return new Promise(resolve => void this.#given.world.after(Math.min(ms, longestWaitMs), resolve))
  }

  /** Repeats a request until the cloud has answered. Returns the body of a success, or the reason of a failure. */
  async #ask(
    path: string,
    body: object,
  ): Promise<{ readonly ok: true; readonly body: unknown } | NotEnrolled> {
    const { cloudUrl, isAttended = false, world } = this.#given
    const pauses = backoff(world)
    const sinceMs = world.monotonicMs()
    for (;;) {
      const came = await this.#post(path, body)
      if (came.isAnswer && came.status < 300 && !came.isPage) return { ok: true, body: came.body }
      const isPassing = !came.isAnswer || came.status === 429 || came.status >= 500
      if (!isPassing) return sayRefusal(came) ?? notTheCloud(cloudUrl, came)
      const why = came.isAnswer ? `it answers ${came.status}` : came.why
      if (isAttended && !came.isAnswer && came.distrust) return notTrusted(cloudUrl, came.distrust, why)
      if (isAttended && world.monotonicMs() - sinceMs >= longestTroubleMs) return notReached(cloudUrl, why)
      this.#tellTrouble(why)
      const leastMs = came.isAnswer ? (came.retryAfterS ?? 0) * 1000 : 0
      await this.#wait(Math.max(leastMs, pauses.nextMs()))
    }
  }

  #tellTrouble(why: string): void {
    const { isAttended = false, tell, world } = this.#given
    const nowMs = world.monotonicMs()
    const { toldMs, why: lastWhy } = this.#lastTrouble
    if (why === lastWhy && !(isAttended && nowMs - toldMs >= tellTroubleEveryMs)) return
    this.#lastTrouble = { why, toldMs: nowMs }
    tell({ kind: 'trouble', why })
  }

  /** Sends the code; the cloud answers a repeated request of the same gateway like the first one. */
  async takeCode(code: string, begun: Begun, key: SigningKey): Promise<Begun | NotEnrolled> {
    const { cloudKey, folder } = this.#given
    const { gatewayNonce } = begun
    const { publicKey } = key
    const commitment = commitmentOf({ gatewayNonce, publicKey })
    const { device, says } = await this.#given.device()
    this.#ofDevice = says
    const answer = await this.#ask(takeCode.path, { code, publicKey, commitment, device })
    if (!answer.ok) return answer
    const checked = checkOffer(answer.body)
    if (!checked.ok) return notUnderstood
    const { signature, ...offer } = checked.value
    const pinned = cloudKey === undefined ? offer.cloudKeys : offer.cloudKeys.filter(own => own === cloudKey)
    if (!isSignedBy(pinned, offerBytes({ ...offer, publicKey, commitment }), signature)) return otherCloud
    const taken = { ...begun, offer }
    await keepBegun(folder, taken)
    return taken
  }

  /** Waits for the admin, and stores the login. */
  async finish(offer: NonNullable<Begun['offer']>, begun: Begun, key: SigningKey): Promise<Enrolled> {
    const { ca, cloudUrl, folder, store, tell } = this.#given
    const agreement: Agreement = { ...offer, gatewayNonce: begun.gatewayNonce, publicKey: key.publicKey }
    const place = askForLogin.path.replace(':enrolmentId', offer.enrolmentId)
    let isTold = false
    for (;;) {
      const answer = await this.#ask(place, signedFor('ask', agreement, key))
      if (!answer.ok) return answer
      const checked = checkAnswer(answer.body)
      if (!checked.ok) return notUnderstood
      const { againInS = 3, login, signature, state } = checked.value
      if (state === 'confirmed') {
        if (!login || signature === undefined) return notUnderstood
        if (!isSignedBy(offer.cloudKeys, loginBytes(offer.enrolmentId, login), signature)) return otherCloud
        // A broker inside the cloud has the cloud's name and certificate. Any other broker without an authority has a public
        // certificate.
        const isInside = new URL(login.mqttUrl).hostname === new URL(cloudUrl).hostname
        const authority = login.ca ?? (isInside ? ca : undefined)
        const whole = {
          ...login,
          ...(authority !== undefined && { ca: authority }),
          privateKeyFile: join(folder, begun.keyFile),
        }
        const stored = await store(whole)
        if (!stored.ok) return refuse('not_stored', stored.message)
        await keepBegun(folder, { ...begun, isStored: true })
        await this.sayStored(offer, begun, key)
        return { ok: true, login: whole }
      }
      // The cloud learns the nonce only now, so only now it shows the fingerprint.
      const ofDevice = this.#ofDevice
      if (!isTold) tell({ kind: 'compare', fingerprint: fingerprintOf(agreement), ofDevice })
      isTold = true
      await this.#wait(againInS * 1000)
    }
  }

  /** Confirms that the login is stored, after which the cloud does not hand it out again. */
  async sayStored(offer: NonNullable<Begun['offer']>, begun: Begun, key: SigningKey): Promise<void> {
    const agreement = { ...offer, gatewayNonce: begun.gatewayNonce }
    const place = confirmStored.path.replace(':enrolmentId', offer.enrolmentId)
    await this.#ask(place, signedFor('stored', agreement, key))
    await forgetBegun(this.#given.folder)
  }
}

/**
 * Enrols this gateway, and waits for an admin without a limit. After an interruption, the next run in the same folder goes on,
 * with the same code or with none. Rejects with the system's error when the folder cannot be used.
 */
export async function enrol(given: EnrolmentGiven): Promise<Enrolled> {
  const { cloudUrl, folder, world } = given
  const fault = cloudUrlFault(cloudUrl)
  if (fault !== undefined) return refuse('bad_address', fault)
  const read = given.code === undefined ? undefined : readEnrolmentCode(given.code)
  if (read && !read.ok) return refuse('bad_code', read.message)
  const before = await readBegun(folder)
  const isSame = before?.cloudUrl === cloudUrl && (!read || before.codeName === read.name)
  const key = before && isSame ? await keyOf(folder, before) : undefined
  if (!read && !key) return refuse('nothing_begun', 'No enrolment goes on here: give a code.')
  const begun = before && key ? before : await begin(world, folder, { cloudUrl, codeName: read?.name ?? '' })
  const own = key ?? (await keyOf(folder, begun))
  if (!own) throw new Error('the key of an enrolment is gone')
  // An earlier run may have had no key.
  const { cloudKey } = given
  if (cloudKey !== undefined && begun.offer && !begun.offer.cloudKeys.includes(cloudKey)) return otherCloud
  const enrolment = new Enrolment(given)
  if (begun.offer && begun.isStored) {
    await enrolment.sayStored(begun.offer, begun, own)
    return { ok: true }
  }
  const taken = begun.offer || !read ? begun : await enrolment.takeCode(read.code, begun, own)
  if ('ok' in taken) return taken
  if (!taken.offer) return refuse('nothing_begun', 'The code was not taken yet: give it again.')
  return enrolment.finish(taken.offer, taken, own)
}
