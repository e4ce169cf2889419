// Mutants where an effect can fail.

import { effects, type Mutant, sharedCommits } from './mutant.ts'

export const effectMutants: readonly Mutant[] = [
  {
    name: 'a failed sync is taken for done',
    file: 'gateway/src/journalFile.ts',
    find: 'const synced = appended.ok ? await opened.value.sync() : appended\n      if (synced.ok) bytesInFile',
    replace: 'await opened.value.sync()\n      const synced = appended\n      if (synced.ok) bytesInFile',
    why: 'a call is placed that no restart would know of',
    test: effects,
    breaks: 'P8',
  },
  {
    name: 'a journal that failed is appended to again',
    file: 'gateway/src/journalFile.ts',
    find: 'else isDirty = true\n',
    replace: '',
    why: 'what stands behind a torn line is lost with it',
    test: effects,
    breaks: 'A3',
  },
  {
    name: 'a slow disk renews the age of a claim',
    file: 'gateway/src/core/opener.ts',
    find: 'if (!isFresh(claim, at)) return finished(kept, notDialled(claim, at))',
    replace:
      "if (!isFresh(claim, at) && work.phase === 'intending') return same({ ...kept, work: { ...work, claim: { ...claim, firstSentAt: at } } })\n  if (!isFresh(claim, at)) return finished(kept, notDialled(claim, at))",
    why: 'a card that answers after a minute makes the call a minute late',
    test: effects,
    breaks: 'P2',
  },
  {
    name: 'a call that lost its modem is placed again',
    file: 'gateway/src/openings.ts',
    find: 'void modem.dial(request).then(result => {',
    replace: `type Result = Awaited<ReturnType<typeof modem.dial>>
      const again = (): Promise<Result> =>
        modem.reserve().then(({ ok }) =>
          ok
            ? modem.dial({ ...request, mayDial: () => true })
            : new Promise<void>(resolve => world.after(1_000, resolve)).then(again),
        )
      const isLost = (result: Result) => result.dialled && result.verdict.reason === 'modem_lost'
      void modem.dial(request).then(first => (isLost(first) ? again() : first)).then(result => {`,
    why: 'the first ATD may have gone out just before the port went',
    test: effects,
    breaks: 'P1',
  },
  {
    name: 'an acceptance is watched after its commit only',
    file: 'cloud/src/opening/presses.ts',
    find: `if (opening && opening.kind !== 'end') this.#accept(opening.openingId, press)
        // For the same reason a claim that comes before the end of the commit waits for it. Without a row, it is refused.
        if (opening?.kind === 'lead') hinted = hintLikeliest(this.#parts, { ...opening, spaceId, gateId })
        return opening
      },
      {
        spaceId,
        committed: opening => {`,
    replace: `// For the same reason a claim that comes before the end of the commit waits for it. Without a row, it is refused.
        if (opening?.kind === 'lead') hinted = hintLikeliest(this.#parts, { ...opening, spaceId, gateId })
        return opening
      },
      {
        spaceId,
        committed: opening => {
          if (opening && opening.kind !== 'end') this.#accept(opening.openingId, press)`,
    why: 'a commit that nobody heard of leaves an opening that never ends',
    test: effects,
    breaks: 'A2',
  },
  {
    name: 'a member of a shared commit has its answer before it',
    file: 'cloud/src/database/groupCommit.ts',
    find: 'await member.run()\n  } catch (error) {',
    replace: 'await member.run()\n    member.answer()\n  } catch (error) {',
    why: 'a press is accepted, and the failed commit leaves no record of it',
    test: sharedCommits,
    breaks: 'A1',
  },
  {
    name: 'a failed commit is told to its last member only',
    file: 'cloud/src/database/groupCommit.ts',
    find: 'for (const member of members) member.fail(error)\n      rollBack',
    replace: 'for (const member of members.slice(-1)) member.fail(error)\n      rollBack',
    why: 'a press is accepted, and nothing of it is on the disk',
    test: sharedCommits,
    breaks: 'A1',
  },
  {
    name: 'a member of a shared commit that fails keeps its rows',
    file: 'cloud/src/database/groupCommit.ts',
    find: "connection.exec('ROLLBACK TO member')",
    replace: '',
    why: 'a refused press has a record, and may be called',
    test: 'cloud/src/database/groupCommit.test.ts',
    breaks: 'A1',
  },
  {
    name: 'what follows from a commit follows from one that failed',
    file: 'cloud/src/database/groupCommit.ts',
    find: 'if (!failure) options.committed?.(answer)',
    replace: 'options.committed?.(answer)',
    why: 'memory has openings, ends and calls that no row has',
    test: 'cloud/src/database/groupCommit.test.ts',
    breaks: 'A1',
  },
  {
    name: 'the writes of one Space share a commit',
    file: 'cloud/src/database/groupCommit.ts',
    find: '!spaceIds.some(spaceId => taken.has(spaceId))',
    replace: 'true',
    why: 'a press is judged by memory that the one before it changes only at the commit',
    test: 'cloud/src/database/groupCommit.test.ts',
    breaks: 'A1',
  },
  {
    name: 'what follows from a shared commit follows in another order',
    file: 'cloud/src/database/groupCommit.ts',
    find: 'for (const member of members) tellCommitted(member)',
    replace: 'for (const member of members.toReversed()) tellCommitted(member)',
    why: 'memory learns of two ends in another order than the rows',
    test: 'cloud/src/database/groupCommit.test.ts',
    breaks: 'A1',
  },
  {
    name: 'an error in what follows from one commit ends the group',
    file: 'cloud/src/database/groupCommit.ts',
    find: 'for (const member of members) tellCommitted(member)',
    replace: 'for (const member of members) member.committed()',
    why: 'other tenants wait for an answer without an end, and memory lacks what their rows say',
    test: 'cloud/src/database/groupCommit.test.ts',
    breaks: 'A1',
  },
]
