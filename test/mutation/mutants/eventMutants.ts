// Mutants of the events: a gap, an event that is lost or delivered twice, and a stream that does not end.

import type { Mutant } from './mutant.ts'

const events = 'cloud/src/event/events.ts'
const feed = 'cloud/src/event/eventFeed.ts'
const streams = 'cloud/src/event/eventStreams.ts'
const test = 'cloud/src/event/events.test.ts'

export const eventMutants: readonly Mutant[] = [
  {
    name: 'a number is left out',
    file: events,
    find: `.merge({ lastSeq: db.raw('"eventCounters"."lastSeq" + ?', [count]) })`,
    replace: `.merge({ lastSeq: db.raw('"eventCounters"."lastSeq" + ? + 1', [count]) })`,
    why: 'a reader cannot know whether an event is missing',
    test,
    breaks: 'A7',
  },
  {
    name: 'only commits of this process are told',
    file: feed,
    find: 'if ((this.#spaces.get(spaceId)?.cursor ?? seq) < seq) this.#wake(spaceId)',
    replace: 'if ((this.#spaces.get(spaceId)?.cursor ?? seq) > seq) this.#wake(spaceId)',
    why: 'what the command line or another replica changes is never told',
    test,
    breaks: 'A7',
  },
  {
    name: 'an end is told before what was read',
    file: 'cloud/src/core/openingSteps.ts',
    find: 'if (seq <= readSeq || rankOf(step) <= last) return false',
    replace: 'if (seq < readSeq) return false',
    why: 'a step is told twice where live events meet those that were read',
    test: 'cloud/src/core/openingSteps.test.ts',
    breaks: 'A7',
  },
  {
    name: 'a stream that comes back begins with the newest event',
    file: 'cloud/src/space/spaceStream.ts',
    find: 'const events = await readEventsAfter(knex, { spaceId, seq: after, most: mostRepeated + 1 })',
    replace:
      'const events = await readEventsAfter(knex, { spaceId, seq: newestSeq, most: mostRepeated + 1 })',
    why: 'what was committed when the process was killed is never told',
    test: '../test/api/spaceStream.test.ts',
    breaks: 'A7',
  },
  {
    name: 'a client that reads nothing is kept',
    file: streams,
    find: 'if (response.writableLength > mostUnread) response.destroy()',
    replace: 'if (response.writableLength > mostUnread * 1_000) response.destroy()',
    why: 'its events fill the memory',
    test: 'cloud/src/event/eventStreams.test.ts',
    breaks: 'A7',
  },
]
