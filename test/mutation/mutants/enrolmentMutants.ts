// Mutants in the enrolment of gateways.

import type { Mutant } from './mutant.ts'

const core = 'cloud/src/enrolment/core/enrolmentDecision.ts'
const endpoint = 'cloud/src/enrolment/enrolmentEndpoint.ts'
const of = { test: 'cloud/src/enrolment/enrolment.test.ts', breaks: 'G4' } as const

export const enrolmentMutants: readonly Mutant[] = [
  {
    ...of,
    name: 'a wrong code is not counted',
    file: core,
    find: "counts: state === 'waiting'",
    replace: 'counts: false',
    why: 'a code can be tried for as long as it is good',
  },
  {
    ...of,
    name: 'a code that a gateway has taken is taken again',
    file: core,
    find: "if (facts.publicKey !== null) return refuse('code_used')",
    replace: '',
    why: 'the admin confirms a gateway that came after the one that was compared',
  },
  {
    ...of,
    name: 'a code is taken after its time',
    file: core,
    find: "if (isOver(facts, nowMs)) return 'expired'",
    replace: '',
    why: 'a code that was thrown away admits a gateway a year later',
  },
  {
    ...of,
    name: 'a gateway is confirmed by any fingerprint',
    file: core,
    find: "return facts.fingerprint === fingerprint ? undefined : 'other_fingerprint'",
    replace: 'return undefined',
    why: 'what was compared is not what is admitted',
  },
  {
    ...of,
    name: 'a proof of any key is taken',
    file: endpoint,
    find: 'return isHeld ? agreement : undefined',
    replace: 'return agreement',
    why: 'whoever has seen the messages of a gateway gets its password',
  },
  {
    ...of,
    name: 'a gateway need not show the nonce that it has bound itself to',
    file: endpoint,
    find: 'if (!known || row.commitment !== commitmentOf({ ...known, gatewayNonce })) return undefined',
    replace: 'if (!known) return undefined',
    why: 'nonces can be tried until two fingerprints are alike',
  },
  {
    ...of,
    name: 'the gateway that is replaced stays admitted',
    file: 'cloud/src/enrolment/enrolmentHandlers.ts',
    find: 'await shutOut(tx, world, { ...replaced, gatewayId: id, spaceId }, by)',
    replace: 'void id',
    why: 'a card that was lost goes on calling',
  },
]
