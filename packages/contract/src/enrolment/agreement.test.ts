import { expect, it } from 'vitest'
import { signingKey, verifyingKey } from '../wire/signature.ts'
import {
  commitmentOf,
  fingerprintOf,
  loginBytes,
  offerBytes,
  proofBytes,
  spacedFingerprint,
} from './agreement.ts'

const key = signingKey(new Uint8Array(32).fill(1))
const agreement = {
  enrolmentId: 'enrol_01kdhx3m8e2w7q5v9z4r6t8y0a',
  publicKey: key.publicKey,
  gatewayNonce: 'A'.repeat(22),
  cloudNonce: 'B'.repeat(22),
  cloudKeys: ['c'.repeat(43)],
}

it('derives six digits from all parts, so that any other part gives another fingerprint', () => {
  const fingerprint = fingerprintOf(agreement)
  expect(fingerprint).toMatch(/^[0-9]{6}$/)
  expect(spacedFingerprint(fingerprint)).toMatch(/^[0-9]{3} [0-9]{3}$/)
  const others = [
    { enrolmentId: 'enrol_01kdhx3m8e2w7q5v9z4r6t8y0b' },
    { publicKey: 'd'.repeat(43) },
    { gatewayNonce: 'C'.repeat(22) },
    { cloudNonce: 'D'.repeat(22) },
    { cloudKeys: ['e'.repeat(43)] },
    { cloudKeys: [...agreement.cloudKeys, 'e'.repeat(43)] },
  ]
  for (const other of others) expect(fingerprintOf({ ...agreement, ...other })).not.toBe(fingerprint)
})

it('binds a gateway to its nonce and its key', () => {
  const commitment = commitmentOf(agreement)
  expect(commitment).toMatch(/^[A-Za-z0-9_-]{43}$/)
  expect(commitmentOf({ ...agreement, gatewayNonce: 'C'.repeat(22) })).not.toBe(commitment)
  expect(commitmentOf({ ...agreement, publicKey: 'd'.repeat(43) })).not.toBe(commitment)
})

it('makes no signature valid for another purpose', () => {
  const login = { gatewayId: 'gw_a', mqttUrl: 'mqtts://a:1', mqttPassword: 'p', cloudKeys: ['c'] }
  const all = [
    offerBytes({ ...agreement, commitment: commitmentOf(agreement) }),
    proofBytes('ask', agreement),
    proofBytes('stored', agreement),
    loginBytes('enrol_a', login),
    loginBytes('enrol_a', { ...login, mqttPassword: 'q' }),
    loginBytes('enrol_a', { ...login, ca: 'c' }),
  ]
  const check = verifyingKey(key.publicKey)
  for (const one of all)
    for (const other of all) expect(check?.verify(other, key.sign(one))).toBe(one === other)
})
