import { exampleVerdict } from '@callgate/contract/call/verdict'
import { checkProof } from '@callgate/contract/proof/proof'
import type { Report } from '@callgate/contract/wire/messages'
import { seal, signingKey } from '@callgate/contract/wire/signature'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { bodyOf, principalIn, requestOf } from '../http/requests.kit.ts'
import { type ExchangeRig, exchangeRig, type Guest } from '../opening/exchange.kit.ts'
import { playedBoot } from '../opening/gatewayEndpoint.kit.ts'
import { newSpace } from '../space/space.kit.ts'
import { noteSigningKeys } from './proofKeys.ts'
import { proofHandlers } from './proofs.ts'

const cloud = signingKey(new Uint8Array(32).fill(1))
const gateway = signingKey(new Uint8Array(32).fill(2))
let rig: ExchangeRig
let guest: Guest
let seq = 0

beforeEach(async () => {
  rig = await exchangeRig()
  await rig.database.write(tx => tx('gateways').update({ publicKey: gateway.publicKey }))
  guest = await rig.addGuest(await rig.addGate())
})
afterEach(() => rig.close())

async function report(openingId: string, what: Report) {
  seq += 1
  const { gatewayId } = rig
  const of = { gatewayId, openingId, bootId: playedBoot, seq, body: JSON.stringify(what) }
  const { signature } = JSON.parse(seal(gateway, { type: 'report', ...of }))
  expect(await rig.exchange.report({ ...of, signature, report: what })).toEqual({ result: 'applied' })
}
const handlers = () => proofHandlers({ ...rig, signing: () => ({ keys: [cloud], number: 0 }) })
async function proofOf(openingId: string) {
  const asked = requestOf<'getProof'>(rig.database, principalIn(rig.spaceId), { params: { openingId } })
  const { text } = await bodyOf<{ text: string }>(handlers().getProof(asked) as never)
  const checked = checkProof(text, cloud.publicKey)
  if (!checked.ok) throw new Error(checked.message)
  return checked.value
}

it('contains what the gateway has signed and what the cloud has granted', async () => {
  const openingId = await rig.press(guest)
  await rig.claim(openingId)
  await report(openingId, { phase: 'ringing', sinceClaimMs: 50 })
  await report(openingId, { phase: 'ended', sinceClaimMs: 100, verdict: exampleVerdict, evidence: null })
  const { proof, says } = await proofOf(openingId)
  expect(proof).toMatchObject({ opening: { id: openingId, status: 'completed' }, grant: { type: 'grant' } })
  expect(proof.reports).toHaveLength(2)
  expect(says.join('\n')).toContain('The gate took the call.')
  expect(says.join('\n')).not.toContain('otherwise')
})

it('of a joined press is about the call that it joined', async () => {
  const leader = await rig.press(guest)
  const joiner = await rig.press(guest)
  await rig.claim(leader)
  await report(leader, { phase: 'ended', sinceClaimMs: 100, verdict: exampleVerdict, evidence: null })
  const { proof } = await proofOf(joiner)
  expect(proof).toMatchObject({
    opening: { id: joiner },
    joinedOpeningId: leader,
    grant: { openingId: leader },
  })
})

it('of a press without a call has no grant and no report', async () => {
  await rig.database.write(tx => tx('gates').update({ isActive: false }))
  const { proof } = await proofOf(await rig.press(guest))
  expect(proof).toMatchObject({ reason: 'gate_inactive', grant: null, reports: [], gateways: [] })
})

/** A call that was granted with `cloud`, and its report. */
async function called() {
  const openingId = await rig.press(guest)
  await rig.claim(openingId)
  await report(openingId, { phase: 'ended', sinceClaimMs: 100, verdict: exampleVerdict, evidence: null })
  await rig.world.advance(60_000)
  return openingId
}
const proofBy = (keys: readonly (typeof cloud)[], openingId: string) =>
  proofHandlers({ ...rig, signing: () => ({ keys, number: 1 }) }).getProof(
    requestOf<'getProof'>(rig.database, principalIn(rig.spaceId), { params: { openingId } }),
  )

it('of a call from before a rotation is valid with the new key, and shows the old one', async () => {
  const next = signingKey(new Uint8Array(32).fill(3))
  await noteSigningKeys(rig, [cloud])
  const before = await called()
  const saved = await bodyOf<{ text: string }>(proofBy([cloud], before) as never)
  await noteSigningKeys(rig, [cloud, next])
  for (const keys of [[cloud, next], [next]]) {
    const { text } = await bodyOf<{ text: string }>(proofBy(keys, before) as never)
    const checked = checkProof(text, next.publicKey)
    if (!checked.ok) throw new Error(checked.message)
    expect(checked.value.proof).toMatchObject({ grantKey: cloud.publicKey, grant: { keyId: cloud.keyId } })
    expect(checked.value.says.join()).toContain(`signed with its key ${cloud.keyId} of that time`)
  }
  expect(checkProof(saved.text, cloud.publicKey).ok).toBe(true)
  expect(saved.text).not.toContain('grantKey')
  const rows = await rig.database.knex('signingKeys').orderBy('id').select('keyId', 'publicKey')
  expect(rows).toEqual([cloud, next].map(({ keyId, publicKey }) => ({ keyId, publicKey })))
})

it('of a call that an older version has granted needs the key of that time', async () => {
  const next = signingKey(new Uint8Array(32).fill(3))
  // In the form of an older version.
  const noted = { createdAt: '1970-01-01T00:00:00.000Z', keyId: cloud.keyId }
  await rig.database.write(tx => tx('signingKeys').insert(noted))
  const before = await called()
  await rig.database.write(tx => tx('openings').update({ grantSignature: null }))
  await noteSigningKeys(rig, [cloud, next])
  const { text } = await bodyOf<{ text: string }>(proofBy([cloud, next], before) as never)
  expect(checkProof(text, next.publicKey).ok).toBe(true)
  expect(await proofBy([next], before)).toMatchObject({ problem: 'conflict' })
  // A signature of a key that was never noted.
  await rig.database.write(tx => tx('openings').update({ grantSignature: 'A'.repeat(86) }))
  expect(await proofBy([next], before)).toMatchObject({ problem: 'conflict' })
  // The old key comes back with a backup, and is the newest again.
  await noteSigningKeys(rig, [next])
  await noteSigningKeys(rig, [cloud])
  expect(await rig.database.knex('signingKeys').orderBy('id').pluck('keyId')).toEqual(
    [cloud, next, cloud].map(({ keyId }) => keyId),
  )
})

it('is not given to another Space', async () => {
  const openingId = await rig.press(guest)
  const asked = requestOf<'getProof'>(rig.database, principalIn(await newSpace(rig)), {
    params: { openingId },
  })
  expect(await handlers().getProof(asked)).toMatchObject({ problem: 'not_found' })
})
