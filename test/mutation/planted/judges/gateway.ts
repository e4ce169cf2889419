// The judge of the gateway: the real daemon and journal, with a modem and a cloud that are played.

import { strangerKey } from '@callgate/gateway/daemon.kit'
import { fakeWorld } from '@callgate/world/fake'
import { newId } from '@callgate/world/ids'
import { isBroken } from '../promise.ts'
import { type Played, playedGateway } from './playedGateway.ts'

/** Up to the claim, which the cloud has not answered yet. */
async function claimed(gateway: Played) {
  gateway.hint()
  await gateway.world.advance(0)
  return gateway
}

async function dialling(gateway: Played) {
  await claimed(gateway)
  gateway.grant()
  await gateway.world.advance(100)
  return gateway
}

const noCall = (gateway: Played, what: string) =>
  gateway.written().length > 0 ? [`${what}: an ATD was written`] : []

const scenarios: Record<string, () => Promise<readonly string[]>> = {
  async 'hints and grants repeated'() {
    const gateway = await dialling(await playedGateway())
    if (gateway.written().length !== 1) return ['A2: a granted opening was not dialled']
    for (const phase of ['during', 'after']) {
      gateway.hint()
      gateway.grant()
      gateway.hint()
      await gateway.world.advance(3_000)
      gateway.grant()
      await gateway.world.advance(3_000)
      if (gateway.written().length !== 1) return [`P1: repeated ${phase} the call, it was dialled again`]
      gateway.endCall()
      await gateway.world.advance(100)
      gateway.acknowledge()
    }
    return gateway.reports().includes('ended') ? [] : ['A2: the end of the call was never reported']
  },
  async 'a grant that comes late'() {
    const gateway = await claimed(await playedGateway())
    await gateway.world.advance(7_000)
    gateway.grant()
    await gateway.world.advance(100)
    return noCall(gateway, 'P2: 7 s after the claim')
  },
  async 'a grant that takes 3 s, and a disk that syncs for 4'() {
    const gateway = await claimed(await playedGateway({ syncMs: 4_000 }))
    await gateway.world.advance(3_000)
    gateway.grant()
    await gateway.world.advance(20_000)
    const late = noCall(gateway, 'P2: 7 s after the claim, which the journal took')
    return gateway.reports().includes('not_dialled')
      ? late
      : [...late, 'A2: it was never said that nothing was dialled']
  },
  async 'a line that takes 7 s to be free'() {
    const gateway = await claimed(await playedGateway({ lineMs: 7_000 }))
    gateway.grant()
    await gateway.world.advance(20_000)
    return noCall(gateway, 'P2: 7 s after the claim, which the line took')
  },
  async 'time that passes while the machine is suspended'() {
    const gateway = await claimed(await playedGateway())
    gateway.suspend(7_000)
    gateway.grant()
    await gateway.world.advance(100)
    return noCall(gateway, 'P2: 7 s after the claim, suspended')
  },
  async 'grants that are not for this claim'() {
    const found: string[] = []
    const wrong = {
      'signed by a stranger': [{}, strangerKey],
      'with another nonce': [{ nonce: 'x'.repeat(22) }],
      'to another boot': [{ bootId: 'x'.repeat(22) }],
      'to another gateway': [{ gatewayId: newId(fakeWorld(5), 'gw') }],
    } as const
    for (const [what, [header, key]] of Object.entries(wrong)) {
      const gateway = await claimed(await playedGateway())
      gateway.grant(header, key)
      await gateway.world.advance(100)
      found.push(...noCall(gateway, `G2: a grant ${what}`))
    }
    const gateway = await claimed(await playedGateway())
    gateway.alterGrant()
    await gateway.world.advance(100)
    return [...found, ...noCall(gateway, 'G2: a grant altered on its way')]
  },
  async 'a number that is never dialled'() {
    const gateway = await claimed(await playedGateway())
    gateway.grant({}, undefined, '+1120000000')
    await gateway.world.advance(100)
    return noCall(gateway, 'P4: an emergency number')
  },
  async 'a journal that cannot be written'() {
    const found: string[] = []
    for (const operation of ['append', 'sync'] as const) {
      const gateway = await claimed(await playedGateway())
      gateway.disk.fault = asked => (asked === operation ? 'EIO' : undefined)
      gateway.grant()
      await gateway.world.advance(100)
      found.push(...noCall(gateway, `P8: although ${operation} failed`))
    }
    return found
  },
  async 'a power cut during the call'() {
    const before = await dialling(await playedGateway())
    before.disk.crash()
    const after = await playedGateway({ disk: before.disk, seed: 2 })
    const named = after.beat().toReport.includes(after.openingId)
    // Acknowledged, so that the journal alone would have forgotten it.
    after.acknowledge()
    await dialling(after)
    const again = noCall(after, 'P1: the opening of the run before')
    const found = named ? again : [...again, 'A3: the first beat does not name the call that was cut off']
    return after.reports().includes('ended')
      ? found
      : [...found, 'A2: the call that was cut off is never reported']
  },
  async 'a report that nobody acknowledges'() {
    const before = await dialling(await playedGateway())
    before.endCall()
    await before.world.advance(10_000)
    const sent = before.reports().filter(phase => phase === 'ended').length
    before.disk.crash()
    const after = await playedGateway({ disk: before.disk, seed: 2 })
    await after.world.advance(100)
    const kept = after.reports().includes('ended') && !after.lastReport().includes('outcome_unknown')
    after.acknowledge(strangerKey)
    await after.world.advance(100)
    const forged = after.beat().toReport.length === 0
    return [
      ...(sent > 1 ? [] : ['A2: the report was sent once only']),
      ...(kept ? [] : ['A3: the verdict was lost in a power cut']),
      ...(forged ? ['G2: an acknowledgement by a stranger dropped a report'] : []),
    ]
  },
  async 'a stop between the grant and the call'() {
    const gateway = await claimed(await playedGateway({ syncMs: 1_000 }))
    gateway.grant()
    await gateway.world.advance(100)
    void gateway.stop()
    await gateway.world.advance(5_000)
    return noCall(gateway, 'P2: a daemon that stops')
  },
}

export async function judge(sought: string | undefined): Promise<readonly string[]> {
  const found: string[] = []
  for (const [name, run] of Object.entries(scenarios)) {
    found.push(...(await run()).map(violation => `${violation} (${name})`))
    if (sought && isBroken(sought, found)) break
  }
  return found
}
