import { exampleVerdict } from '@callgate/contract/call/verdict'
import { judgeProof } from '@callgate/contract/proof/proof'
import type { Report } from '@callgate/contract/wire/messages'
import { seal, signingKey } from '@callgate/contract/wire/signature'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { adminRequest, bodyOf } from '../http/requests.kit.ts'
import { newSpace } from '../space/space.kit.ts'
import { type ExchangeRig, exchangeRig, type Guest } from './exchange.kit.ts'
import { playedBoot } from './gatewayDoor.kit.ts'
import { proofHandlers } from './proofs.ts'
import { noteSigningKey } from './signingKeys.ts'

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
const handlers = () => proofHandlers({ ...rig, signingKey: cloud })
async function proofOf(openingId: string) {
  const asked = adminRequest<'getProof'>(rig.database, rig.spaceId, { params: { openingId } })
  const { text } = await bodyOf<{ text: string }>(handlers().getProof(asked) as never)
  const judged = judgeProof(text, cloud.publicKey)
  if (!judged.ok) throw new Error(judged.message)
  return judged.value
}

it('holds what the gateway has signed and what the cloud has granted', async () => {
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

it('of a press that called nobody has no grant and no report', async () => {
  await rig.database.write(tx => tx('gates').update({ isActive: false }))
  const { proof } = await proofOf(await rig.press(guest))
  expect(proof).toMatchObject({ reason: 'gate_inactive', grant: null, reports: [], gateways: [] })
})

it('is refused when the cloud signs with another key than it granted with, and given again for later calls', async () => {
  const [old, current] = [cloud, signingKey(new Uint8Array(32).fill(3))]
  const asked = (openingId: string) =>
    adminRequest<'getProof'>(rig.database, rig.spaceId, { params: { openingId } })
  const proofBy = (key: typeof cloud, openingId: string) =>
    proofHandlers({ ...rig, signingKey: key }).getProof(asked(openingId))
  const called = async () => {
    const openingId = await rig.press(guest)
    await rig.claim(openingId)
    await report(openingId, { phase: 'ended', sinceClaimMs: 100, verdict: exampleVerdict, evidence: null })
    await rig.world.advance(60_000)
    return openingId
  }
  await noteSigningKey(rig, old)
  const before = await called()
  const saved = await bodyOf<{ text: string }>(proofBy(old, before) as never)
  await noteSigningKey(rig, current)
  await rig.world.advance(1_000)
  const afterwards = await called()
  expect(await proofBy(current, before)).toMatchObject({ problem: 'conflict' })
  expect(judgeProof(saved.text, old.publicKey).ok).toBe(true)
  const later = await bodyOf<{ text: string }>(proofBy(current, afterwards) as never)
  expect(judgeProof(later.text, current.publicKey).ok).toBe(true)
  // The old key comes back with a backup: what the other one granted is refused then.
  await noteSigningKey(rig, old)
  expect(await proofBy(old, afterwards)).toMatchObject({ problem: 'conflict' })
  expect(await proofBy(old, before)).toMatchObject({ status: 200 })
})

it('is not given to another Space', async () => {
  const openingId = await rig.press(guest)
  const asked = adminRequest<'getProof'>(rig.database, await newSpace(rig), { params: { openingId } })
  expect(await handlers().getProof(asked)).toMatchObject({ problem: 'not_found' })
})
