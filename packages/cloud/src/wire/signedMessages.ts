// Signs the cloud's messages for gateways, each with a key that the gateway trusts by its last beat.

import type { Ack, Envelope, Grant, KeyStatement } from '@callgate/contract/wire/messages'
import { seal, signed } from '@callgate/contract/wire/signature'
import type { Task } from '@callgate/contract/wire/tasks'
import { keyFor, type Trusts, trustOf } from '../core/keyChoice.ts'
import type { GrantedClaim } from '../opening/gatewayEndpoint.ts'
import type { SigningKeys } from '../secrets/signingKeys.ts'

/** The fields of a message that its answer repeats. */
export type Addressed = Pick<Envelope, 'bootId' | 'gatewayId' | 'nonce' | 'openingId' | 'seq'>

/** Each method but the two that note something returns the payload to publish. */
export class SignedMessages {
  readonly #signing: () => SigningKeys
  /** The keys that each gateway trusts, by its last beat. */
  readonly #trusts = new Map<string, Trusts>()
  /** What its last beat of an unknown boot named. It may be replayed, so it counts only where nothing else is known. */
  readonly #named = new Map<string, Trusts>()
  /** Grants that were signed when they were written down. They are sent unchanged. */
  readonly #sealed = new WeakMap<Grant | Ack, string>()

  constructor(signing: () => SigningKeys) {
    this.#signing = signing
  }

  noteTrusts(gatewayId: string, trusts: Trusts): void {
    this.#trusts.set(gatewayId, trusts)
  }

  /** Notes the keys that a beat of an unknown boot names: a cloud that has just started may hear a claim of that boot next. */
  noteNamed(gatewayId: string, trusts: Trusts): void {
    this.#named.set(gatewayId, trusts)
  }

  /** The signature under a grant, which is then sent exactly as signed. */
  grantSignature(grant: Grant, { bootId, gatewayId, nonce, openingId }: GrantedClaim): string {
    const message = { gatewayId, openingId, nonce, bootId, body: JSON.stringify(grant) }
    const envelope = signed(this.#keyFor(gatewayId), { type: 'grant', ...message })
    this.#sealed.set(grant, JSON.stringify(envelope))
    return envelope.signature
  }

  /** The keys with which the cloud signs, as a message for a gateway that trusts others; undefined where none is needed. */
  keys(gatewayId: string, trusts: Trusts): string | undefined {
    const held = this.#signing()
    const trust = trustOf(held, trusts)
    if (trust.kind !== 'tell') return undefined
    const keys = held.keys.map(({ publicKey }) => publicKey)
    const body = JSON.stringify({ result: 'keys', number: held.number, keys } satisfies KeyStatement)
    return seal(trust.by, { type: 'ack', gatewayId, body })
  }

  answer(to: Addressed, type: 'grant' | 'ack', body: Grant | Ack, said?: Trusts): string {
    const { bootId, gatewayId, nonce, openingId, seq } = to
    const header = {
      ...(openingId !== undefined && { openingId }),
      ...(nonce !== undefined && { nonce }),
      ...(bootId !== undefined && { bootId }),
      ...(seq !== undefined && { seq }),
    }
    const message = { type, gatewayId, ...header, body: JSON.stringify(body) }
    return this.#sealed.get(body) ?? seal(this.#keyFor(gatewayId, said), message)
  }

  task(to: Required<Pick<Addressed, 'bootId' | 'gatewayId' | 'seq'>>, task: Task): string {
    return seal(this.#keyFor(to.gatewayId), { type: 'task', ...to, body: JSON.stringify(task) })
  }

  #keyFor(gatewayId: string, said?: Trusts) {
    return keyFor(this.#signing(), said ?? this.#trusts.get(gatewayId) ?? this.#named.get(gatewayId))
  }
}
