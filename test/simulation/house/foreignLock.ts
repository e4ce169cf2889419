// Simulates another program that holds the write lock of the cloud's database: no transaction can begin meanwhile.

import type { FakeWorld } from '@callgate/world/fake'

export interface ForeignLock {
  hold(): void
  release(): void
  /** Called before each statement that begins or ends a transaction. Throws the driver's error while the lock is held. */
  pass(sql: string): void
}

/** The lock is free at first. It survives restarts of the cloud. */
export function foreignLock(world: FakeWorld): ForeignLock {
  let isHeld = false
  let hasShown = false
  return {
    hold() {
      isHeld = true
      hasShown = false
      world.log.info('locks the database', { who: 'backup' })
    },
    release() {
      isHeld = false
      world.log.info('releases the database', { who: 'backup' })
    },
    pass(sql) {
      if (!isHeld || !/^begin/i.test(sql)) return
      const met = hasShown ? [] : ['another program locks the database']
      world.log.debug('a transaction cannot begin', { who: 'cloud', met })
      hasShown = true
      throw Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' })
    },
  }
}
