// What the cloud signs for gateways, each with a key that the gateway trusts as its last beat has said.

import type { Ack, Envelope, Grant, KeyStatement } from '@callgate/contract/wire/messages'
import { seal, signed } from '@callgate/contract/wire/signature'
import type { Task } from '@callgate/contract/wire/tasks'
import { keyFor, type Trusts, trustOf } from '../core/keyChoice.ts'
import type { GrantedClaim } from '../opening/gatewayEndpoint.ts'
import type { SigningKeys } from '../secrets/signingKeys.ts'

/** What an answer repeats of the message that it answers. */
export type Addressed = Pick<Envelope, 'bootId' | 'gatewayId' | 'nonce' | 'openingId' | 'seq'>

/** Each method but `noteTrusts` gives the payload to publish. */
export class SignedMessages {
  readonly #signing: () => SigningKeys
  /** What each gateway trusts, as its last beat said. */
  readonly #trusts = new Map<string, Trusts>()
  /** Grants that were signed when they were written down: they go as they are. */
  readonly #sealed = new WeakMap<Grant | Ack, string>()

  constructor(signing: () => SigningKeys) {
    this.#signing = signing
  }

  noteTrusts(gatewayId: string, trusts: Trusts): void {
    this.#trusts.set(gatewayId, trusts)
  }

  /** The signature under a grant, which then goes out in these very words. */
  grantSignature(grant: Grant, { bootId, gatewayId, nonce, openingId }: GrantedClaim): string {
    const message = { gatewayId, openingId, nonce, bootId, body: JSON.stringify(grant) }
    const envelope = signed(this.#keyFor(gatewayId), { type: 'grant', ...message })
    this.#sealed.set(grant, JSON.stringify(envelope))
    return envelope.signature
  }

  /** With which keys the cloud signs, for a gateway that trusts others; undefined for one that need not be told. */
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
    return keyFor(this.#signing(), said ?? this.#trusts.get(gatewayId))
  }
}
