import { fakeWorld } from '@callgate/world/fake'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { newSeal } from '../space/space.kit.ts'
import { newLink } from './memberLinks.ts'
import { toMember, writeMember } from './memberReads.ts'

const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom('"accesses":[]', '\\"schedules":[]', '"schedules":[],"accesses":[]', '$&$1', "$'"),
)
const schedule = fc.record({ type: fc.constant('custom'), startsAt: hostile, timezone: hostile })
const access = fc.record({
  id: fc.constantFrom('acc_1', 'acc_2'),
  gateId: fc.constant('gate_1'),
  schedules: fc.array(schedule, { maxLength: 3 }).map(list => JSON.stringify(list)),
  maxUsage: fc.option(fc.nat()),
  usageCount: fc.nat(),
  isActive: fc.boolean(),
  lastUsedAt: fc.option(fc.constant('2026-01-01T00:00:00.000Z')),
})
const member = fc.record({
  name: hostile,
  phone: fc.option(hostile),
  note: fc.option(hostile),
  isActive: fc.constantFrom(0, 1),
  preferredLanguage: fc.option(hostile),
  isLinked: fc.boolean(),
  email: fc.option(hostile),
  externalId: fc.option(hostile),
  metadata: fc.option(fc.dictionary(hostile, hostile)).map(texts => texts && JSON.stringify(texts)),
})

it('a member is written exactly as by JSON.stringify, with any content', () => {
  const world = fakeWorld(1)
  const links = { seal: newSeal(world), appUrl: 'http://localhost' }
  fc.assert(
    fc.property(member, fc.array(access, { maxLength: 4 }), ({ isLinked, ...given }, accesses) => {
      const owner = { id: 'mem_1', spaceId: 'space_1' }
      const linkSealed = isLinked ? newLink(world, links.seal, owner).linkSealed : null
      const rest = { isAdmin: 0, createdAt: '2026-01-01T00:00:00.000Z', spaceLanguage: 'en' }
      const row = { ...owner, ...given, ...rest, linkSealed }
      const written = accesses.map(one => ({ ...one, memberId: owner.id }))
      for (const readsEmail of [true, false])
        expect(writeMember(links, row, written, readsEmail)).toBe(
          JSON.stringify(toMember(links, row, written, readsEmail)),
        )
    }),
  )
})
