// Which keys of the cloud a gateway trusts.

import { seal, signingKey } from '@callgate/contract/wire/signature'
import { topicOf } from '@callgate/contract/wire/topics'
import { expect, it } from 'vitest'
import { cloudReader } from './cloudReader.ts'
import { publicHalf } from './daemon.kit.ts'

const keyOf = (byte: number) => signingKey(new Uint8Array(32).fill(byte))
const gatewayId = 'gw_00000000000000000000000001'

it('trusts each of two pinned keys of the cloud, and no third one', () => {
  const [current, next, other] = [keyOf(1), keyOf(2), keyOf(3)]
  const heard: string[] = []
  const read = cloudReader(
    { gatewayId, cloudKeys: [publicHalf(current), publicHalf(next)] },
    { hint() {}, grant() {}, ack: (header, { result }) => heard.push(`${header.keyId} ${result}`) },
  )
  const tell = (key: typeof current) =>
    read(
      topicOf(gatewayId, 'ack'),
      Buffer.from(seal(key, { type: 'ack', gatewayId, body: '{"result":"taken_up"}' })),
    )
  expect([tell(current), tell(next), tell(other)]).toEqual([
    undefined,
    undefined,
    'a ack was dropped: the cloud has not signed it',
  ])
  expect(heard).toEqual([`${current.keyId} taken_up`, `${next.keyId} taken_up`])
})
