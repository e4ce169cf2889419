import { type FakeWorld, fakeWorld, settle } from '@callgate/world/fake'
import fc from 'fast-check'
import type { Knex } from 'knex'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Database, openDatabase } from './database.ts'
import { connectionOf } from './tables.kit.ts'
import type { WriteOptions } from './transactions.ts'

let database: Database
let world: FakeWorld
/** What the connection ran by `exec`, and what else happened, in order. */
let order: string[]
/** Called before each such statement. */
let before: (sql: string) => void
/** How long the work has taken, in milliseconds. */
let workedMs: number

beforeEach(async () => {
  workedMs = 0
  world = fakeWorld()
  database = await openDatabase({
    url: ':memory:',
    patience: { world: { ...world, monotonicMs: () => workedMs }, withinMs: 1_000 },
  })
  order = []
  before = () => {}
  const connection = await connectionOf(database)
  const exec = connection.exec.bind(connection)
  Object.assign(connection, {
    exec(sql: string) {
      order.push(sql)
      before(sql)
      return exec(sql)
    },
  })
  await database.knex.schema.createTable('notes', table => {
    table.integer('id').primary()
    table.integer('of').references('notes.id').deferrable('deferred')
  })
})
afterEach(() => database.close())

const notes = async () => (await database.knex('notes').select('id').orderBy('id')).map(({ id }) => id)

it('commits what its work wrote, and nothing of work that throws', async () => {
  expect(await database.write(async tx => (await tx('notes').insert({ id: 1 })) && 'done')).toBe('done')
  const thrown = new Error('no')
  const failing = database.write(async tx => {
    await tx('notes').insert({ id: 2 })
    throw thrown
  })
  await expect(failing).rejects.toBe(thrown)
  expect(await notes()).toEqual([1])
})

it('runs writes of the whole database in the order of arrival, and makes queries outside wait for the running one', async () => {
  const steps: string[] = []
  let outside: Promise<unknown> | undefined
  const write = (name: string) =>
    database.write(async tx => {
      steps.push(`${name} begins`)
      outside ??= notes().then(() => steps.push('a query outside'))
      for (let query = 0; query < 3; query++) await tx('notes').where({ id: 0 })
      steps.push(`${name} ends`)
    })
  await Promise.all([write('first'), write('second')])
  await outside
  const ofFirst = ['first begins', 'first ends', 'a query outside']
  expect(steps).toEqual([...ofFirst, 'second begins', 'second ends'])
})

it('reports a commit before the connection is free and another one begins, and reports no failed one', async () => {
  const order: string[] = []
  const { client } = database.knex
  const release = client.releaseConnection.bind(client)
  client.releaseConnection = (connection: unknown) => {
    order.push('free')
    return release(connection)
  }
  const write = (name: string, id: number) =>
    database.write(
      async tx => {
        order.push(`${name} begins`)
        await tx('notes').insert({ id, of: id })
        return name
      },
      { committed: answer => void order.push(`${answer} is committed`) },
    )
  const failing = write('none', 1).then(() => write('again', 1))
  await expect(Promise.all([failing, write('other', 2)])).rejects.toThrow('UNIQUE')
  const done = (name: string) => [`${name} begins`, `${name} is committed`, 'free']
  expect(order).toEqual([...done('none'), ...done('other'), 'again begins', 'free'])
})

it('keeps nothing when the commit fails, rejects with its error, and goes on', async () => {
  const failing = database.write(tx => tx('notes').insert({ id: 1, of: 7 }))
  await expect(failing).rejects.toThrow('FOREIGN KEY constraint failed')
  await database.write(tx => tx('notes').insert({ id: 2 }))
  expect(await notes()).toEqual([2])
})

it('refuses queries of a transaction that is over, also while another runs', async () => {
  let over: Knex.Transaction | undefined
  let written: PromiseLike<unknown> | undefined
  await database.write(async tx => {
    over = tx
    written = tx('notes').insert({ id: 1 })
  })
  await expect(Promise.resolve(written)).rejects.toThrow('the transaction is over')
  const late = () => over?.('notes').insert({ id: 2 })
  expect(late).toThrow('the transaction is over')
  await database.write(async () => {
    expect(late).toThrow('the transaction is over')
    expect(() => over?.raw('delete from notes')).toThrow('the transaction is over')
  })
  expect(await notes()).toEqual([])
})

/** Writes row `id` in a Space, and notes the begin, the commit and the answer. */
function write(id: number, options: WriteOptions = {}, work: (tx: Knex.Transaction) => unknown = () => {}) {
  const written = async (tx: Knex.Transaction) => {
    order.push(`${id} begins`)
    await tx('notes').insert({ id })
    await work(tx)
    return id
  }
  const committed = () => void order.push(`${id} is committed`)
  return database.write(written, { spaceId: `space ${id}`, committed, ...options }).then(
    answer => {
      order.push(`${id} is answered`)
      return answer
    },
    (error: Error) => {
      order.push(`${id} is refused`)
      return error.message
    },
  )
}

/** A write that other writes wait behind. */
const first = () => write(0, { spaceId: 'space 0' })

const count = (sql: string) => order.filter(one => one === sql).length

describe('A1: writes that wait behind another one', () => {
  it('share a commit where they write different Spaces, and have no answer before it', async () => {
    await Promise.all([first(), write(1), write(2, { spaceId: null }), write(3, { spaceIds: ['a', 'b'] })])
    const commit = order.indexOf('COMMIT')
    expect(order.slice(0, commit).filter(one => / (is|begins)/.test(one))).toEqual(
      [0, 1, 2, 3].map(id => `${id} begins`),
    )
    expect(order.slice(commit)).toEqual([
      'COMMIT',
      ...[0, 1, 2, 3].map(id => `${id} is committed`),
      ...[0, 1, 2, 3].map(id => `${id} is answered`),
    ])
    expect(await notes()).toEqual([0, 1, 2, 3])
  })

  it('never share it with another write of their Space, which they do not overtake', async () => {
    const own = { spaceId: 'own' }
    const both = { spaceIds: ['own', 'other'] }
    await Promise.all([
      write(1, own),
      write(2, both),
      write(3, { spaceId: 'other' }),
      write(4, own),
      write(5),
    ])
    const begun = order.filter(one => one.endsWith('begins'))
    // The fifth goes with the first; the others follow each other, each after the commit of the one before.
    expect(begun).toEqual([1, 5, 2, 3, 4].map(id => `${id} begins`))
    expect(order.indexOf('1 is committed')).toBeLessThan(order.indexOf('2 begins'))
    expect(order.indexOf('2 is committed')).toBeLessThan(order.indexOf('3 begins'))
    expect(count('COMMIT')).toBe(3)
  })

  it.each<[string, WriteOptions]>([
    ['of the whole database', { spaceId: undefined }],
    ['that are urgent', { isUrgent: true }],
    ['that take long', { isLong: true }],
  ])('never share it with writes %s, and do not overtake them', async (_, alone) => {
    await Promise.all([first(), write(1, alone), write(2)])
    expect(order.filter(one => /COMMIT|begins/.test(one)).join()).toBe(
      '0 begins,COMMIT,1 begins,COMMIT,2 begins,COMMIT',
    )
  })

  it('share it with at most fifteen others', async () => {
    await Promise.all(Array.from({ length: 33 }, (_, id) => write(id)))
    const groups = order
      .filter(one => /COMMIT|begins/.test(one))
      .join()
      .split('COMMIT')
    expect(groups.map(group => group.match(/begins/g)?.length ?? 0)).toEqual([16, 16, 1, 0])
  })

  it('begin another transaction where the work of the others has taken 5 ms', async () => {
    const slow = async () => {
      workedMs += 2.5
    }
    await Promise.all([1, 2, 3, 4].map(id => write(id, {}, slow)))
    expect(order.filter(one => /COMMIT|begins/.test(one)).join()).toBe(
      '1 begins,2 begins,COMMIT,3 begins,4 begins,COMMIT',
    )
  })

  it('gather until the turn of the event loop is over, after a commit in the same turn', async () => {
    const [one, two] = await Promise.all([write(1), write(2)])
    const later = [write(3), write(4)]
    await Promise.resolve()
    later.push(write(5))
    await Promise.all(later)
    expect([one, two, count('COMMIT')]).toEqual([1, 2, 2])
  })
})

describe('a write that comes alone', () => {
  it('begins at once, without a savepoint', async () => {
    await settle()
    setImmediate(() => order.push('the turn is over'))
    const work = first()
    await settle()
    await work
    const steps = order.filter(one => !one.startsWith('0'))
    expect(steps).toEqual(['BEGIN IMMEDIATE', 'COMMIT', 'the turn is over'])
  })
})

const planned = (name: string) => () => {
  throw new Error(name)
}
/** SQLite ends the transaction by itself in the middle of the work. */
const ended = async (tx: Knex.Transaction) => {
  await tx.raw('rollback')
}

describe('A1: a failure in a shared transaction', () => {
  it('takes back what the failed write wrote, and nothing else; it is told after the commit', async () => {
    const answers = await Promise.all([first(), write(1, {}, planned('no')), write(2)])
    expect(answers).toEqual([0, 'no', 2])
    expect(order.slice(order.indexOf('COMMIT'))).toEqual([
      'COMMIT',
      '0 is committed',
      '2 is committed',
      '0 is answered',
      '1 is refused',
      '2 is answered',
    ])
    expect(await notes()).toEqual([0, 2])
  })

  it('of the first write lets the others begin a new transaction', async () => {
    expect(await Promise.all([write(1, {}, planned('no')), write(2)])).toEqual(['no', 2])
    expect(await notes()).toEqual([2])
  })

  it.each([['COMMIT'], ['SAVEPOINT member'], ['RELEASE member'], ['ROLLBACK TO member']])(
    'fails all where it is one of %s, and later writes go on',
    async sql => {
      before = one => {
        if (one !== sql) return
        before = () => {}
        throw new Error('planned')
      }
      const answers = [first(), write(1, {}, sql.startsWith('ROLLBACK') ? planned('no') : undefined)]
      expect(await Promise.all(answers)).toEqual(['planned', 'planned'])
      expect(await notes()).toEqual([])
      expect(order.some(one => one.endsWith('is committed'))).toBe(false)
      expect(await Promise.all([write(2), write(3)])).toEqual([2, 3])
      expect(await notes()).toEqual([2, 3])
    },
  )

  it.each([
    ['and the write fails', async (tx: Knex.Transaction) => ended(tx).then(planned('disk full'))],
    ['and the write goes on', ended],
  ])(
    'by which SQLite ends the transaction fails all before it, %s; later ones begin anew',
    async (_, work) => {
      const answers = await Promise.all([first(), write(1, {}, work), write(2), write(3)])
      expect(answers.map(answer => typeof answer)).toEqual(['string', 'string', 'number', 'number'])
      expect(await notes()).toEqual([2, 3])
    },
  )

  it('by which SQLite ends the transaction of the first write lets the others begin anew', async () => {
    const answers = await Promise.all([write(1, {}, ended), write(2), write(3)])
    expect(answers).toEqual(['SQLite has ended the transaction by itself.', 2, 3])
    expect(await notes()).toEqual([2, 3])
  })

  it('of the commit replaces the refusal of a write that may rest on rows that were never committed', async () => {
    before = sql => {
      if (sql === 'COMMIT') throw new Error('planned')
    }
    expect(await Promise.all([first(), write(1, {}, planned('taken'))])).toEqual(['planned', 'planned'])
  })

  it('of what follows from the commit is told to its own caller only', async () => {
    const answers: unknown[] = []
    for (const work of [first(), write(1, { committed: planned('broken') }), write(2)])
      void work.then(answer => answers.push(answer))
    // Whoever is forgotten would wait for ever.
    await settle(20)
    expect(answers).toEqual([0, 'broken', 2])
    expect(order.filter(one => one.endsWith('is committed'))).toEqual(['0 is committed', '2 is committed'])
    expect(await notes()).toEqual([0, 1, 2])
  })

  it('of a rollback is made good before the next transaction begins', async () => {
    let fails = true
    before = sql => {
      if (sql === 'ROLLBACK' && fails) {
        fails = false
        throw new Error('planned')
      }
    }
    expect(await write(1, {}, planned('no'))).toBe('no')
    expect(await write(2)).toBe(2)
    expect(await notes()).toEqual([2])
  })
})

describe('a write that waits for too long', () => {
  const refused = 'Other changes of the database take too long. Try again in a moment.'

  it('is refused after 10 s, also while another one is stuck, and never runs', async () => {
    let goOn = () => {}
    const stuck = new Promise<void>(resolve => {
      goOn = resolve
    })
    const running = write(1, {}, () => stuck)
    await settle()
    const late = write(2)
    workedMs = 4_000
    const inTime = write(3)
    workedMs = 9_999
    await world.advance(9_999)
    expect(order).not.toContain('2 is refused')
    workedMs = 10_000
    await world.advance(1)
    expect(await late).toBe(refused)
    goOn()
    expect([await running, await inTime]).toEqual([1, 3])
    expect(await notes()).toEqual([1, 3])
    expect(world.nextTimerMs()).toBeUndefined()
  })

  it('never runs after its refusal, where the connection comes free then', async () => {
    const held = await database.knex.client.acquireConnection()
    const works = [write(1), write(2)]
    workedMs = 10_000
    await world.advance(10_000)
    expect(await Promise.all(works)).toEqual([refused, refused])
    await database.knex.client.releaseConnection(held)
    expect(await write(3)).toBe(3)
    expect(await notes()).toEqual([3])
  })
})

describe('any writes', () => {
  const place = fc.constantFrom('a', 'b', 'c', null, undefined)
  const failure = fc.constantFrom('none', 'none', 'none', 'throws', 'ends', 'ends and throws')
  const statement = fc.constantFrom('BEGIN IMMEDIATE', 'SAVEPOINT member', 'RELEASE member', 'COMMIT')

  it('leave the rows of those that were answered, and no others, in the order of each Space', async () => {
    const works = { none: undefined, throws: planned('no'), ends: ended, 'ends and throws': planned('no') }
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ spaceId: place, failure }), { minLength: 1, maxLength: 40 }),
        fc.array(fc.record({ sql: statement, times: fc.nat(8) }), { maxLength: 3 }),
        async (writes, faults) => {
          await database.write(tx => tx('notes').delete())
          order = []
          const left = faults.map(fault => ({ ...fault }))
          before = sql => {
            const fault = left.find(one => one.sql === sql)
            if (!fault || fault.times-- > 0) return
            left.splice(left.indexOf(fault), 1)
            throw new Error('planned')
          }
          const all = writes.map(({ failure, spaceId }, id) => write(id, { spaceId }, works[failure]))
          const answers = await Promise.all(all)
          before = () => {}
          const answered = answers.filter(answer => typeof answer === 'number')
          expect(await notes()).toEqual(answered)
          expect(order.filter(one => one.endsWith('is committed'))).toHaveLength(answered.length)
          for (const spaceId of ['a', 'b', 'c', undefined]) {
            const own = (one: string) => writes[Number.parseInt(one, 10)]?.spaceId === spaceId
            const begun = order
              .filter(one => own(one) && one.endsWith('begins'))
              .map(one => Number.parseInt(one, 10))
            expect(begun).toEqual([...begun].sort((a, b) => a - b))
          }
        },
      ),
    )
  })
})
