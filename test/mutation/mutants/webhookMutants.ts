// Mutants of webhooks: an event that is not sent, or not as it was, and a delivery that leads where it must not.

import type { Mutant } from './mutant.ts'

const deliveries = 'cloud/src/event/deliveryRows.ts'
const request = 'cloud/src/webhook/webhookRequest.ts'
const ofRows = 'cloud/src/event/deliveryRows.test.ts'
const ofSender = 'cloud/src/webhook/webhookSender.test.ts'
const ofRequest = 'cloud/src/webhook/webhookRequest.test.ts'

export const webhookMutants: readonly Mutant[] = [
  {
    name: 'a delivery is written after the transaction of its event',
    file: 'cloud/src/event/events.ts',
    find: 'await deliverAfter(tx, { spaceId, after: seq - events.length })',
    replace:
      'setTimeout(() => deliverAfter(tx, { spaceId, after: seq - events.length }).catch(() => {}), 20)',
    why: 'a webhook is never told of what was committed when the process was killed',
    test: ofRows,
    breaks: 'W1',
  },
  {
    name: 'a delivery is rendered anew at each attempt',
    file: deliveries,
    find: 'row.body ?? (await render(tx, { spaceId, seq, at, kind, targetId, gateId, memberId }))',
    replace: 'await render(tx, { spaceId, seq, at, kind, targetId, gateId, memberId })',
    why: 'two messages with one id say different things',
    test: ofSender,
    breaks: 'W1',
  },
  {
    name: 'a claim of a delivery is not kept',
    file: deliveries,
    find: 'update({ nextAttemptAt: until, body })',
    replace: 'update({ body })',
    why: 'each of several clouds sends every delivery',
    test: ofRows,
    breaks: 'W1',
  },
  {
    name: 'a webhook that is switched off is told later',
    file: deliveries,
    find: '"webhook"."spaceId" = "event"."spaceId" and "webhook"."stoppedAt" is null',
    replace: '"webhook"."spaceId" = "event"."spaceId"',
    why: 'when it goes on, it gets all at once what its receiver no longer expects',
    test: ofSender,
    breaks: 'W1',
  },
  {
    name: 'a rotation signs with the new secret alone',
    file: 'cloud/src/webhook/webhookSender.ts',
    find: ', ...(isPaired && previousSealed !== null ? [previousSealed] : [])]',
    replace: ']',
    why: 'a receiver that has the old secret refuses everything until it has the new one',
    test: ofSender,
    breaks: 'W1',
  },
  {
    name: 'a redirect is followed',
    file: request,
    find: 'isAnswered = true\n',
    replace:
      'isAnswered = true\n        const url = answer.headers.location\n        if (url) return void this.#attempt({ body, headers, signal, url }).then(end)\n',
    why: 'a receiver leads a delivery with its signature wherever it likes',
    test: ofRequest,
    breaks: 'W2',
  },
  {
    name: 'a connection looks its name up by itself',
    file: request,
    find: '      lookup: this.#lookup,\n',
    replace: '',
    why: 'a name that leads to an address inside is connected to',
    test: ofRequest,
    breaks: 'W2',
  },
  {
    name: 'one address of a name is allowed, and so are all',
    file: request,
    find: 'if (!addresses.every(isAllowed))',
    replace: 'if (!addresses.some(isAllowed))',
    why: 'beside an address that is public, a name leads to one that is not',
    test: ofRequest,
    breaks: 'W2',
  },
]
