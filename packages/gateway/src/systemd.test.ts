import { fakeWorld } from '@callgate/world/fake'
import { describe, expect, it } from 'vitest'
import { tellSystemd } from './systemd.ts'

const ofSystemd = { NOTIFY_SOCKET: '/run/systemd/notify', WATCHDOG_USEC: '90000000' }

function start(environment: Record<string, string> = ofSystemd) {
  const world = fakeWorld()
  const sent: string[] = []
  const hung = { is: false }
  const systemd = tellSystemd({
    world,
    environment,
    isStuck: () => hung.is,
    send: message => sent.push(message),
  })
  return { world, sent, hung, systemd }
}

describe('messages to systemd', () => {
  it('say once that the daemon is ready, after it has tried broker and modem', async () => {
    const { systemd, sent, world } = start()
    systemd.tried('modem')
    systemd.tried('modem')
    expect(sent).toEqual([])
    systemd.tried('broker')
    systemd.tried('broker')
    expect(sent).toEqual(['READY=1'])
    await world.advance(61_000)
    expect(sent.filter(message => message === 'READY=1')).toHaveLength(1)
  })

  it('say that it is ready after a minute, also when the broker never answers', async () => {
    const { systemd, sent, world } = start({ NOTIFY_SOCKET: '@a' })
    systemd.tried('modem')
    await world.advance(59_999)
    expect(sent).toEqual([])
    await world.advance(1)
    expect(sent).toEqual(['READY=1'])
    await world.advance(600_000)
    expect(sent).toEqual(['READY=1'])
  })

  it("say three times in the watchdog's time that it goes on, until an opening hangs", async () => {
    const { hung, systemd, sent, world } = start()
    systemd.tried('modem')
    systemd.tried('broker')
    await world.advance(90_000)
    expect(sent).toEqual(['READY=1', 'WATCHDOG=1', 'WATCHDOG=1', 'WATCHDOG=1'])
    hung.is = true
    await world.advance(600_000)
    expect(sent).toHaveLength(4)
  })

  it('say that it stops; without systemd none is sent', async () => {
    const { systemd, sent } = start()
    systemd.stopping()
    expect(sent).toEqual(['STOPPING=1'])
    const alone = start({})
    alone.systemd.tried('modem')
    alone.systemd.tried('broker')
    alone.systemd.stopping()
    await alone.world.advance(600_000)
    expect(alone.sent).toEqual([])
  })
})
