// A gateway that is enrolled by hand, for tests: its messages, with its proofs, one step at a time.

import { commitmentOf, fingerprintOf, proofBytes } from '@callgate/contract/enrolment/agreement'
import { signingKey } from '@callgate/contract/wire/signature'
import type { World } from '@callgate/world/world'
import type { Database } from '../database/database.ts'
import { insertEnrolment, noteNonce, takeCode } from './enrolmentRows.ts'

/** A gateway with a key and a nonce of its own. */
export function playedGateway(world: Pick<World, 'randomBytes'>) {
  const key = signingKey(world.randomBytes(32))
  const { publicKey } = key
  const gatewayNonce = Buffer.from(world.randomBytes(16)).toString('base64url')
  const commitment = commitmentOf({ gatewayNonce, publicKey })
  const signed = (
    kind: 'ask' | 'stored',
    offer: { enrolmentId: string; cloudNonce: string },
    nonce = gatewayNonce,
  ) => {
    const signature = key.sign(proofBytes(kind, { ...offer, gatewayNonce: nonce })).toString('base64url')
    return { gatewayNonce: nonce, signature }
  }
  const device = { version: '0.1.0', model: 'Raspberry Pi 4 Model B', serial: '100000003d1f' }
  return {
    publicKey,
    codeBody: (code: string) => ({ code: code.replaceAll('-', ''), publicKey, commitment, device }),
    signed,
    fingerprint: (offer: { enrolmentId: string; cloudNonce: string; cloudKeys: readonly string[] }) =>
      fingerprintOf({ ...offer, gatewayNonce, publicKey }),
  }
}

/** An enrolment whose gateway waits to be confirmed. */
export async function pendingEnrolment(
  { database, world }: { readonly database: Database; readonly world: World },
  spaceId: string,
  cloudKeys: readonly string[] = ['k'.repeat(43)],
): Promise<{ readonly enrolmentId: string; readonly fingerprint: string }> {
  const gateway = playedGateway(world)
  const given = { spaceId, name: 'Yard', replaces: null, isForCard: false, cloudKey: cloudKeys[0] ?? '' }
  return database.write(async tx => {
    const { code, row } = await insertEnrolment(tx, world, given, { actor: 'operator', actorId: null })
    const { commitment, device, publicKey } = gateway.codeBody(code)
    const taken = await takeCode(tx, world, row, { commitment, device, publicKey, cloudKeys })
    const offer = { enrolmentId: row.id, cloudNonce: taken.cloudNonce ?? '', cloudKeys }
    const { gatewayNonce } = gateway.signed('ask', offer)
    await noteNonce(tx, world, { ...offer, gatewayNonce, publicKey })
    return { enrolmentId: row.id, fingerprint: gateway.fingerprint(offer) }
  })
}
