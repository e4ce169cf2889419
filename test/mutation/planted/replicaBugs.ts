// Planted bugs of several clouds on one database. Seeds of the house with two clouds find most of them.

import { type PlantedBug, pairSeeds } from './plantedBug.ts'

const openingEnds = 'cloud/src/opening/openingEnds.ts'

export const replicaBugs: readonly PlantedBug[] = [
  {
    name: 'every cloud takes each opening for its own',
    file: 'cloud/src/core/lease.ts',
    find: 'one.id === other?.id && one.epoch === other.epoch',
    replace: 'true',
    why: 'a claim is refused by one cloud and granted by the other',
    test: pairSeeds,
    breaks: 'P1',
  },
  {
    name: 'a grant without a lease',
    file: 'cloud/src/opening/grants.ts',
    find: 'const isOwnerGone = !isMine || !(await replica.isHeld(tx))',
    replace: 'const isOwnerGone = !isMine',
    why: 'a cloud that stood still grants what another one is about to take over',
    test: 'cloud/src/opening/severalClouds.test.ts',
    breaks: 'P1',
  },
  {
    name: 'a lease never ends',
    file: 'cloud/src/replica/replicaRows.ts',
    find: '&& isLive(lease, nowMs)',
    replace: '',
    why: 'the one claim of a gateway waits for a cloud that is gone',
    test: pairSeeds,
    breaks: 'A2',
    fromSeed: 49,
  },
  {
    name: 'what is taken over is not waited for',
    file: openingEnds,
    find: 'if (taken?.adopted) this.#acceptAgain(taken.adopted, taken.sinceCalledMs)',
    replace: '',
    why: 'a call of a cloud that is gone has no end',
    test: pairSeeds,
    breaks: 'A2',
    fromSeed: 34,
  },
  {
    name: 'a challenge outlives what another cloud takes up',
    file: 'cloud/src/opening/bootChallenges.ts',
    find: 'if (challenge?.bootCount !== bootCount) return undefined',
    replace: 'if (!challenge) return undefined',
    why: 'a cloud that stood still takes a dead boot up, and the daemon that lives is refused for ever',
    test: 'cloud/src/opening/bootChallenges.test.ts',
    breaks: 'G2',
  },
  {
    name: 'the cool-down by the clock of the database alone',
    file: 'cloud/src/opening/presses.ts',
    find: 'if (leastMs !== undefined) return { row, agoMs: leastMs, recordedAgoMs }',
    replace: 'if (recordedAgoMs >= 0) return { row, agoMs: recordedAgoMs }',
    why: 'that clock is set forward, and the gate is called again while it still moves',
    test: pairSeeds,
    breaks: 'P5',
    fromSeed: 50_025,
  },
  {
    name: 'nobody is told of an end that another cloud brings',
    file: openingEnds,
    find: 'news.follow(opening, row => this.#catchUp(row)),',
    replace: 'news.follow(opening, () => {}),',
    why: 'the person waits for 50 s at a gate that has opened',
    test: pairSeeds,
    breaks: 'A2',
  },
]
