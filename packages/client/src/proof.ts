// Checks the proof of an opening without the service. It is an entry of its own, `callgate-client/proof`: it needs `node:crypto`.

import { checkProof as check } from '@callgate/contract/proof/proof'
import type { Opening } from '@callgate/contract/rest/opening'

/** What a proof says of its opening. */
export interface OpeningProof {
  /** When the service made the proof (RFC 3339). */
  readonly issuedAt: string
  readonly spaceName: string
  readonly opening: Opening
  /** How it ended. Null while it was not over. Tolerate words that you do not know. */
  readonly reason: string | null
  /** Whether the gate moved, as far as the call can tell. */
  readonly opened: string | null
  /** How sure `opened` is. */
  readonly confidence: string | null
  /** The opening whose call this one has joined. The signed reports are about that one. */
  readonly joinedOpeningId: string | null
}

export type CheckedProof =
  | {
      readonly ok: true
      /** Names the key of the service that has signed the proof. */
      readonly keyId: string
      readonly proof: OpeningProof
      /** What the proof shows and does not show, as sentences in English. */
      readonly says: readonly string[]
    }
  | {
      readonly ok: false
      /** Why the proof does not hold, for a person. */
      readonly message: string
    }

export interface ProofOptions {
  /** The `text` of `getProof`, or of the file that was kept: every byte of it. */
  readonly text: string
  /**
   * The public key of the service, from its operator: `callgate signing-key status` shows it. Everybody can sign a proof with a
   * key of their own, so this is what makes it one of your service. Where the key was changed, give all of them.
   */
  readonly cloudKey: string | readonly string[]
}

/**
 * Checks the proof of an opening: that the service has signed every byte, that each report is signed by its gateway, and that all
 * of them are about this opening and in their order. It asks nobody.
 */
export function checkProof({ cloudKey, text }: ProofOptions): CheckedProof {
  const checked = check(text, [cloudKey].flat())
  return checked.ok ? { ok: true, ...checked.value } : { ok: false, message: checked.message }
}
