import { constants } from 'node:fs'
import { mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fakeWorld } from '@callgate/world/fake'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { type Journal, openJournal } from './journal.ts'
import { folderDisk, type JournalDisk } from './journalDisk.ts'
import { type KeptReport, readJournal, writeLine } from './journalLines.ts'
import { type DiskOperation, memoryDisk } from './memoryDisk.kit.ts'

const folders: string[] = []
const journals: Journal[] = []
afterEach(async () => {
  for (const journal of journals.splice(0)) await journal.close()
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'callgate-journal-'))
  folders.push(folder)
  return folder
}

async function opened(disk: JournalDisk, world = fakeWorld()): Promise<Journal> {
  const result = await openJournal({ world, disk })
  if (!result.ok) throw new Error(result.message)
  journals.push(result.journal)
  return result.journal
}

function report(seq: number, isFinal: boolean, openingId = 'a', size = 10): KeptReport {
  return { openingId, bootId: 'boot', seq, isFinal, payload: 'x'.repeat(size) }
}

const facts = (journal: Journal) => ({
  journalId: journal.journalId,
  unfinished: journal.unfinished(),
  reports: journal.unacknowledged(),
})

describe('the journal in a real folder', () => {
  it('A3: keeps over restarts, byte for byte, the reports that are still to be sent', async () => {
    const folder = await newFolder()
    const first = await opened(folderDisk(folder))
    expect(await first.intend('a')).toEqual({ ok: true })
    expect(await first.intend('a')).toMatchObject({ ok: false, code: 'known' })
    await first.intend('b')
    await first.keep(report(1, false))
    await first.keep(report(2, true))
    await first.acknowledge({ bootId: 'boot', seq: 1 })
    const second = await opened(folderDisk(folder), fakeWorld(2))
    expect(facts(second)).toEqual({
      journalId: first.journalId,
      unfinished: ['b'],
      reports: [report(2, true)],
    })
    expect(second.openings()).toEqual(['b', 'a'])
    expect(await second.intend('a')).toMatchObject({ ok: false, code: 'known' })
  })

  it('P1: opens its file so that each write is on the disk when it returns', async () => {
    const folder = await newFolder()
    await opened(folderDisk(folder))
    const flagsOf = async (file: string) => {
      for (const fd of await readdir('/proc/self/fd')) {
        if ((await readlink(`/proc/self/fd/${fd}`).catch(() => '')) !== file) continue
        const [, flags = ''] = /flags:\s+(\d+)/.exec(await readFile(`/proc/self/fdinfo/${fd}`, 'utf8')) ?? []
        return Number.parseInt(flags, 8)
      }
      return 0
    }
    expect((await flagsOf(join(folder, 'journal'))) & constants.O_DSYNC).toBe(constants.O_DSYNC)
  })

  it('drops a torn last line and continues after the line before it', async () => {
    const folder = await newFolder()
    const first = await opened(folderDisk(folder))
    await first.intend('a')
    await first.close()
    const path = join(folder, 'journal')
    const whole = await readFile(path)
    await writeFile(
      path,
      Buffer.concat([whole, writeLine({ kind: 'intent', openingId: 'b' }).subarray(0, 20)]),
    )
    const second = await opened(folderDisk(folder), fakeWorld(2))
    expect(facts(second)).toEqual(facts(first))
    await second.intend('c')
    await second.close()
    expect((await opened(folderDisk(folder))).unfinished()).toEqual(['a', 'c'])
  })

  it('G5: leaves the journal of a newer version as it is, so that the daemon stays silent', async () => {
    const folder = await newFolder()
    const path = join(folder, 'journal')
    // A line of a kind that this version cannot read.
    const newer = { kind: 'journal', version: 2, journalId: 'x' } as unknown as Parameters<
      typeof writeLine
    >[0]
    const bytes = Buffer.concat([writeLine(newer), Buffer.from('a line of another kind\n')])
    await writeFile(path, bytes)
    const result = await openJournal({ world: fakeWorld(), disk: folderDisk(folder) })
    expect(result).toMatchObject({ ok: false, message: expect.stringContaining('of a newer version') })
    expect(await readFile(path)).toEqual(bytes)
    expect(await readdir(folder)).toEqual(['journal'])
  })

  it('puts a damaged journal aside and continues with a new one', async () => {
    const folder = await newFolder()
    const first = await opened(folderDisk(folder))
    await first.intend('a')
    await first.intend('b')
    await first.close()
    const path = join(folder, 'journal')
    const bytes = await readFile(path, 'utf8')
    await writeFile(path, bytes.replace('"openingId":"a"', '"openingId":"z"'))
    const world = fakeWorld(2)
    const second = await opened(folderDisk(folder), world)
    expect(second.journalId).not.toBe(first.journalId)
    expect(second.openings()).toEqual([])
    expect(world.lines[0]).toMatchObject({ level: 'error', fields: { line: 2 } })
    expect(await readFile(join(folder, 'journal.bad'), 'utf8')).toContain('"openingId":"z"')
    expect(await second.intend('c')).toEqual({ ok: true })
  })

  it('says what to do when the folder cannot be used', async () => {
    const folder = await newFolder()
    await writeFile(join(folder, 'file'), '')
    const result = await openJournal({ world: fakeWorld(), disk: folderDisk(join(folder, 'file')) })
    expect(result).toMatchObject({ ok: false, message: expect.stringContaining('ENOTDIR') })
    expect(await folderDisk(join(folder, 'file')).open('journal')).toMatchObject({ ok: false })
  })
})

describe('the journal on a disk that fails', () => {
  it('keeps no INTENT on a full disk, but keeps the result of a call in the space of the ballast', async () => {
    const disk = memoryDisk()
    const journal = await opened(disk)
    await journal.intend('a')
    const used = ['journal', 'ballast'].reduce((sum, name) => sum + (disk.content(name)?.byteLength ?? 0), 0)
    disk.capacityBytes = used + 7
    expect(await journal.intend('b')).toMatchObject({ ok: false, message: expect.stringContaining('full') })
    expect(await journal.keep(report(1, true))).toEqual({ ok: true })
    expect(await journal.intend('b')).toMatchObject({ ok: false, code: 'disk' })
    disk.crash()
    const after = await opened(disk)
    expect(facts(after)).toEqual({ journalId: journal.journalId, unfinished: [], reports: [report(1, true)] })
    disk.capacityBytes *= 2
    expect(await after.intend('b')).toEqual({ ok: true })
  })

  it('P1, A3: has everything that it has confirmed after a power cut', async () => {
    const disk = memoryDisk()
    const journal = await opened(disk)
    expect(await journal.intend('a')).toEqual({ ok: true })
    expect(await journal.keep(report(1, true, 'a'))).toEqual({ ok: true })
    disk.crash()
    const after = await opened(disk)
    expect(after.openings()).toEqual(['a'])
    expect(after.unacknowledged()).toEqual([report(1, true, 'a')])
  })

  it('has every confirmed INTENT and report after a failure of any operation and a crash', async () => {
    const operations: DiskOperation[] = ['size', 'open', 'append', 'sync', 'rename', 'remove', 'syncFolder']
    let failures = 0
    await fc.assert(
      fc.asyncProperty(
        fc.subarray(operations, { minLength: 1 }),
        fc.constantFrom('ENOSPC', 'EIO', 'EROFS'),
        fc.nat(12),
        fc.nat(4),
        fc.nat(30),
        async (failing, code, from, count, tornBytes) => {
          const disk = memoryDisk()
          const journal = await opened(disk)
          let calls = 0
          disk.fault = asked => {
            if (!failing.includes(asked) || calls++ < from || calls > from + count + 1) return undefined
            failures++
            return code
          }
          const intended: string[] = []
          const kept: KeptReport[] = []
          for (let index = 0; index < 5; index++) {
            const openingId = `opening ${index}`
            if ((await journal.intend(openingId)).ok) intended.push(openingId)
            const final = report(index + 1, true, openingId)
            if (index % 2 === 0 && (await journal.keep(final)).ok) kept.push(final)
          }
          disk.fault = () => undefined
          disk.crash(tornBytes)
          const after = await opened(disk)
          expect(after.journalId).toBe(journal.journalId)
          expect(after.openings()).toEqual(expect.arrayContaining(intended))
          expect(after.unacknowledged()).toEqual(expect.arrayContaining(kept))
        },
      ),
      { numRuns: 60, seed: 7, endOnFailure: true },
    )
    expect(failures).toBeGreaterThan(50)
  })

  it('starts on a disk that cannot be written, logs that, and keeps no INTENT until the disk can be written', async () => {
    const disk = memoryDisk()
    disk.fault = operation => (operation === 'open' ? 'EROFS' : undefined)
    const world = fakeWorld()
    const journal = await opened(disk, world)
    expect(world.lines[0]?.message).toContain('until then nothing is dialled')
    expect(await journal.intend('a')).toMatchObject({
      ok: false,
      message: expect.stringContaining('SD card'),
    })
    disk.fault = () => undefined
    expect(await journal.intend('a')).toEqual({ ok: true })
  })

  it.each<[DiskOperation, string]>([
    ['size', 'ballast'],
    ['open', 'journal.new'],
    ['rename', 'journal.new'],
    ['syncFolder', ''],
  ])(
    'begins when %s of %j fails, and keeps no INTENT until the disk can be written',
    async (failing, name) => {
      const disk = memoryDisk()
      disk.fault = (operation, of) => (operation === failing && of === name ? 'EIO' : undefined)
      const journal = await opened(disk)
      expect(await journal.intend('a')).toMatchObject({ ok: false, code: 'disk' })
      disk.fault = () => undefined
      expect(await journal.intend('a')).toEqual({ ok: true })
      disk.crash()
      expect((await opened(disk)).unfinished()).toEqual(['a'])
    },
  )

  it('puts on the disk, with its first INTENT, entries that an earlier process may not have synced', async () => {
    const disk = memoryDisk()
    disk.fault = operation => (operation === 'syncFolder' ? 'EIO' : undefined)
    expect(await (await opened(disk)).intend('a')).toMatchObject({ ok: false, code: 'disk' })
    disk.fault = () => undefined
    expect(await (await opened(disk)).intend('b')).toEqual({ ok: true })
    disk.crash()
    expect((await opened(disk)).unfinished()).toEqual(['b'])
  })

  it.each<[DiskOperation, string]>([
    ['size', 'cannot read'],
    ['read', 'cannot read'],
    ['rename', 'cannot read'],
  ])('cannot begin where a damaged journal cannot be put aside: %s', async (failing, message) => {
    const disk = memoryDisk()
    disk.write('journal', Buffer.from('damaged\n'.repeat(3)))
    disk.fault = operation => (operation === failing ? 'EIO' : undefined)
    expect(await openJournal({ world: fakeWorld(), disk })).toMatchObject({
      ok: false,
      message: expect.stringContaining(message),
    })
  })

  it('puts a file aside that is too large to be a journal', async () => {
    const disk = memoryDisk()
    disk.write('journal', new Uint8Array(16 * 1024 * 1024 + 1))
    const journal = await opened(disk)
    expect(disk.content('journal.bad')?.byteLength).toBe(16 * 1024 * 1024 + 1)
    expect(await journal.intend('a')).toEqual({ ok: true })
    expect(await journal.acknowledge({ bootId: 'boot', seq: 1 })).toEqual({ ok: true })
  })

  it('stays small: it compacts itself when most of it is reported, and accepts no more than 256 openings', async () => {
    const disk = memoryDisk()
    const journal = await opened(disk)
    for (let seq = 1; seq <= 100; seq++) {
      await journal.intend(`${seq}`)
      await journal.keep(report(seq, true, `${seq}`, 4_000))
      await journal.acknowledge({ bootId: 'boot', seq })
    }
    expect(disk.content('journal')?.byteLength).toBeLessThan(80_000)
    for (let index = 0; index < 256; index++) await journal.intend(`open ${index}`)
    expect(await journal.intend('one more')).toMatchObject({ ok: false, code: 'journal_full' })
    expect(await journal.keep(report(1, true, 'one more'))).toMatchObject({ ok: false })
    expect(journal.openings()).toHaveLength(256)
  })
})

describe('a journal as bytes', () => {
  it.each([
    5,
    null,
    {},
    { kind: 'other' },
    { kind: 'journal', version: 2, journalId: 'j' },
    { kind: 'intent' },
    { kind: 'report', openingId: 'a' },
    { kind: 'acknowledged', bootId: 'b' },
  ])('is damaged where an entry in the middle is invalid: %j', entry => {
    const [first, last] = [
      writeLine({ kind: 'journal', version: 1, journalId: 'j' }),
      writeLine({ kind: 'intent', openingId: 'a' }),
    ]
    const bytes = Buffer.concat([first, writeLine(entry as never), last])
    expect(readJournal(bytes)).toEqual({ ok: false, badLine: 2 })
    expect(readJournal(Buffer.concat([first, writeLine(entry as never)]))).toMatchObject({
      ok: true,
      isTorn: true,
    })
  })

  it('is read from any bytes without an exception, and loses only its last line when it is cut anywhere', () => {
    const lines = [
      writeLine({ kind: 'journal', version: 1, journalId: 'j' }),
      writeLine({ kind: 'intent', openingId: 'a' }),
      writeLine({ kind: 'report', ...report(1, true, 'ă') }),
    ]
    const whole = Buffer.concat(lines)
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), bytes => !readJournal(bytes).ok))
    for (let cut = lines[0]?.byteLength ?? 0; cut < whole.byteLength; cut++) {
      const read = readJournal(whole.subarray(0, cut))
      expect(read.ok && read.content.reports.size).toBe(0)
      expect(read.ok && [...read.content.intents]).toEqual(
        cut >= whole.byteLength - (lines[2]?.byteLength ?? 0) ? ['a'] : [],
      )
    }
    expect(readJournal(Buffer.concat([whole, writeLine({ kind: 'intent', openingId: 'b' })])).ok).toBe(true)
  })
})
