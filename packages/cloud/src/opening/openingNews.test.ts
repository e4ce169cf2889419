import { expect, it } from 'vitest'
import type { EventFeed } from '../event/eventFeed.ts'
import type { SpaceEvent } from '../event/events.ts'
import { exchangeRig } from './exchange.kit.ts'
import { OpeningNews } from './openingNews.ts'

it('reads again for an end that arrives between the last read and the note that it is over', async () => {
  const rig = await exchangeRig()
  const { database, spaceId, world } = rig
  const openingId = await rig.press(await rig.addGuest(await rig.addGate()))
  let tellEnd = () => {}
  const follow: EventFeed['follow'] = async (_, take) => {
    tellEnd = () => take({ kind: 'opening.ended' } as SpaceEvent)
    return () => {}
  }
  const news = new OpeningNews({ world, database, feed: { follow } })
  let told = 0
  news.follow({ openingId, spaceId }, () => {
    told += 1
    // Right after the read loop has seen that nothing is stale.
    if (told === 1) queueMicrotask(() => queueMicrotask(tellEnd))
  })
  await expect.poll(() => told).toBe(2)
  news.stop()
  await rig.close()
})
