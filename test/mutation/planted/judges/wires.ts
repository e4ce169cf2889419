// The judge of the cloud's wire and of signatures: who is heard, and what is said before the database has it.

import { cloudKey, gatewayKey, random, strangerKey, wireRig } from '@callgate/cloud/gateway/gatewayWire.kit'
import type { Envelope } from '@callgate/contract/wire/messages'
import { isSignedBy, seal, verifyingKey } from '@callgate/contract/wire/signature'
import { fakeWorld } from '@callgate/world/fake'
import { newId } from '@callgate/world/ids'

async function whoIsHeard(): Promise<string[]> {
  const rig = await wireRig()
  const { answers, claim, close, commit, heard, report, say, world } = rig
  rig.start()
  try {
    await say('claim', claim(strangerKey))
    if (heard.length > 0) return ['G2: a claim by a stranger was heard']
    await say('report', claim())
    await say('claim', claim(), newId(world, 'gw'))
    if (heard.length > 0) return ['G2: a claim on another topic was heard']
    await say('claim', claim(gatewayKey))
    if (heard.length !== 1) return ['A2: a claim was not heard']
    await say('report', report())
    const early = answers('ack').length > 0
    await commit()
    return [
      ...(early ? ['A3: a report was acknowledged before it was committed'] : []),
      ...(answers('ack').length > 0 ? [] : ['A3: a report was never acknowledged']),
    ]
  } finally {
    await close()
  }
}

/** Each field of a signed message, put to another value that is as well formed. */
function whatIsSigned(): string[] {
  const world = fakeWorld(2)
  const verifying = verifyingKey(cloudKey.publicKey)
  if (!verifying) return ['G2: a key of ours cannot be read']
  const fresh = () => ({
    gatewayId: newId(world, 'gw'),
    openingId: newId(world, 'open'),
    seq: world.randomInt(1, 1e9),
  })
  const envelope: Envelope = JSON.parse(
    seal(cloudKey, { type: 'grant', ...fresh(), nonce: random('N'), bootId: random('B'), body: '{}' }),
  )
  const other = { ...fresh(), type: 'ack', nonce: random('M'), bootId: random('C'), body: '{ }' } as const
  const holds = isSignedBy(envelope, [verifying]) ? [] : ['A2: a true signature does not hold']
  const altered = Object.entries(other).filter(([field, value]) =>
    isSignedBy({ ...envelope, [field]: value }, [verifying]),
  )
  return [...holds, ...altered.map(([field]) => `G2: ${field} can be altered under a signature`)]
}

export async function judge(): Promise<readonly string[]> {
  const signed = whatIsSigned()
  if (signed.length > 0) return signed
  return whoIsHeard()
}
