// A daemon that runs, with a cloud that grants what a judge wants it to, rightly or wrongly.

import type { Envelope } from '@callgate/contract/wire/messages'
import { type SigningKey, seal } from '@callgate/contract/wire/signature'
import { cloudKey, daemonRig, granted, type RigConditions } from '@callgate/gateway/daemon.kit'

export type Played = Awaited<ReturnType<typeof playedGateway>>

/** A connected daemon. */
export async function playedGateway(conditions: RigConditions = {}) {
  const rig = await daemonRig(conditions)
  const { answer, daemon, gatewayId, modem, ofType, openingId, say } = rig
  rig.start()
  await rig.world.advance(0)

  /** The last claim's own words, for a grant to it. */
  function asked() {
    const { bootId = daemon.bootId, nonce = 'n'.repeat(22) } = ofType('claim').at(-1) ?? {}
    return { type: 'grant', gatewayId, openingId, bootId, nonce } as const
  }

  return {
    ...rig,
    written: () => modem.written,
    endCall: modem.end,
    grant(
      header: Partial<Envelope> = {},
      by: SigningKey = cloudKey,
      phoneNumber: string = granted.phoneNumber,
    ) {
      answer('grant', { ...asked(), ...header }, { ...granted, phoneNumber }, by)
    },
    /** A grant for one number, with another put into it afterwards. */
    alterGrant() {
      const envelope: Envelope = JSON.parse(seal(cloudKey, { ...asked(), body: JSON.stringify(granted) }))
      const body = JSON.stringify({ ...granted, phoneNumber: '+40722999999' })
      say('grant', JSON.stringify({ ...envelope, body }))
    },
    acknowledge(by: SigningKey = cloudKey) {
      for (const report of ofType('report')) answer('ack', report, { result: 'applied' }, by)
    },
    lastReport: () => ofType('report').at(-1)?.body ?? '',
    stop: () => daemon.stop(),
  }
}
