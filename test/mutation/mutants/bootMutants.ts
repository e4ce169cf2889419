// Mutants in the cloud's handling of the boots and beats of gateways.

import type { Mutant } from './mutant.ts'

const beats = 'cloud/src/heartbeat/beats.ts'
const gatewayBoots = 'cloud/src/heartbeat/gatewayBoots.ts'

export const bootMutants: readonly Mutant[] = [
  {
    name: 'a revoked gateway is served',
    file: gatewayBoots,
    find: "if (!gateway || gateway.revokedAt !== null) return { kind: 'refused' }",
    replace: "if (!gateway) return { kind: 'refused' }",
    why: 'a stolen Pi goes on calling',
    test: 'cloud/src/opening/exchange.test.ts',
    breaks: 'P3',
  },
  {
    name: 'a beat of a revoked gateway counts while it changes nothing',
    file: gatewayBoots,
    find: 'return row?.revokedAt === null && row.bootId === bootId',
    replace: 'return row?.bootId === bootId',
    why: 'a stolen Pi is hinted for another minute',
    test: 'cloud/src/heartbeat/recentBeats.test.ts',
    breaks: 'P3',
  },
  {
    name: 'a beat that lists fewer openings is not looked at',
    file: beats,
    find: 'former.toReport !== undefined && sameList(former.toReport, toReport)',
    replace: 'former.toReport !== undefined || sameList([], toReport)',
    why: 'what a wiped journal has lost runs on until its time is over',
    test: 'cloud/src/heartbeat/recentBeats.test.ts',
    breaks: 'A2',
  },
  {
    name: 'an old boot is accepted',
    file: gatewayBoots,
    find: "return superseded ? { kind: 'refused' } : { kind: 'unknown', gateway }",
    replace: "return superseded ? { kind: 'current', gateway } : { kind: 'unknown', gateway }",
    why: 'a cloned card opens beside the true one',
    test: 'cloud/src/opening/exchange.test.ts',
    breaks: 'G2',
  },
  {
    name: 'a boot is taken up without a challenge',
    file: beats,
    find: 'if (isNew && !challenges.isAnswered(gatewayId, bootId, nonce, bootCount)) return { bootCount }',
    replace: 'void nonce',
    why: 'the recorded beat of a boot that the cloud never saw stops the gateway that serves',
    test: 'cloud/src/heartbeat/beats.test.ts',
    breaks: 'G2',
  },
  {
    name: 'a copy that the cloud has forgotten begins anew',
    file: beats,
    find: 'isNew && beat.wasTakenUp === true && gateway.bootId !== null',
    replace: 'isNew && beat.wasTakenUp === true && gateway.bootId === bootId',
    why: 'a copy that was away for 64 starts stops the gateway that serves',
    test: 'cloud/src/heartbeat/beats.test.ts',
    breaks: 'G2',
  },
  {
    name: 'the nonce of an answer is not looked at',
    file: 'cloud/src/heartbeat/bootChallenges.ts',
    find: 'nonce !== undefined && held(gatewayId, bootId, bootCount)?.nonce === nonce,',
    replace: 'nonce !== undefined && held(gatewayId, bootId, bootCount) !== undefined,',
    why: 'an answer that was recorded answers for ever',
    test: 'cloud/src/heartbeat/bootChallenges.test.ts',
    breaks: 'G2',
  },
  {
    name: 'a superseded boot may answer again',
    file: gatewayBoots,
    find: 'return superseded ?',
    replace: 'return !superseded && !gateway ?',
    why: 'the copy that was to stop serves again',
    test: 'cloud/src/opening/exchange.test.ts',
    breaks: 'G2',
  },
  {
    name: 'a lost journal ends nothing',
    file: 'cloud/src/opening/openingsOfBoots.ts',
    find: 'for (const row of await orphansOf(tx, beat))',
    replace: 'for (const row of (await orphansOf(tx, beat)).slice(1_000))',
    why: 'what nobody can report stays as it is',
    test: 'cloud/src/opening/exchange.test.ts',
    breaks: 'A2',
  },
]
