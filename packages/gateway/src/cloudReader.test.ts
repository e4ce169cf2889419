// Which keys of the cloud a gateway trusts.

import { seal, signingKey } from '@callgate/contract/wire/signature'
import { topicOf } from '@callgate/contract/wire/topics'
import { fakeWorld } from '@callgate/world/fake'
import { expect, it } from 'vitest'
import { openCloudKeys } from './cloudKeys.ts'
import { cloudReader } from './cloudReader.ts'
import { publicHalf } from './daemon.kit.ts'
import { memoryDisk } from './memoryDisk.kit.ts'

const keyOf = (byte: number) => signingKey(new Uint8Array(32).fill(byte))
const gatewayId = 'gw_00000000000000000000000001'

it('trusts each of two pinned keys of the cloud, and gives advice about a third one', async () => {
  const [current, next, other] = [keyOf(1), keyOf(2), keyOf(3)]
  const heard: string[] = []
  const configured = [publicHalf(current), publicHalf(next)]
  const cloudKeys = await openCloudKeys({ world: fakeWorld(1), disk: memoryDisk(), configured })
  const read = cloudReader(
    { gatewayId, cloudKeys },
    {
      hint() {},
      grant() {},
      task() {},
      ack: (header, { result }) => heard.push(`${header.keyId} ${result}`),
      keys: ({ number }, signer) => heard.push(`${signer} ${number}`),
    },
  )
  const tell = (key: typeof current, body = '{"result":"taken_up"}') =>
    read(topicOf(gatewayId, 'ack'), Buffer.from(seal(key, { type: 'ack', gatewayId, body })))
  expect([tell(current), tell(next), tell(other)]).toEqual([
    undefined,
    undefined,
    expect.stringMatching(
      `^a ack was dropped: the key ${other.keyId} .* \\(${current.keyId}, ${next.keyId} is\\)\\. .*signing-key status`,
    ),
  ])
  const statement = JSON.stringify({ result: 'keys', number: 7, keys: [other.publicKey] })
  expect(tell(other, statement)).toContain('not trusted here')
  expect(tell(next, statement)).toBeUndefined()
  expect(tell(next, '{"result":"keys","number":0,"keys":[]}')).toContain('must be at least 1')
  expect(heard).toEqual([`${current.keyId} taken_up`, `${next.keyId} taken_up`, `${next.keyId} 7`])
})
