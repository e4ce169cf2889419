// Mutants in the updates of a gateway.

import type { Mutant } from './mutant.ts'

const file = 'gateway/src/update/releaseFile.ts'
const plan = 'gateway/src/core/updatePlan.ts'
const of = { test: 'gateway/src/update/update.test.ts', breaks: 'G5' } as const

export const updateMutants: readonly Mutant[] = [
  {
    ...of,
    name: 'a release is taken whoever has signed it',
    file,
    find: 'if (!isReleaseSignedBy(read.header, keys))',
    replace: 'if (isReleaseSignedBy(read.header, []))',
    why: 'who has the cloud or the daemon runs any program as the daemon',
  },
  {
    ...of,
    name: 'the archive of a release is not compared with its manifest',
    file,
    find: "return bytes === archiveBytes && hash.digest('hex') === archiveSha256",
    replace: 'return bytes === archiveBytes',
    why: 'a signed manifest serves for any program',
  },
  {
    ...of,
    name: 'an older version is installed again',
    file: 'gateway/src/core/updateDecision.ts',
    find: 'if (compareVersions(version, newest) <= 0)',
    replace: 'if (compareVersions(version, newest) < -1_000_000)',
    why: 'a version whose mistake is known comes back',
  },
  {
    ...of,
    name: 'a version that was taken back is tried again',
    file: plan,
    find: "{ type: 'noteFailed', version: trial.version },",
    replace: '',
    why: 'a gateway is without its daemon for five minutes, again and again',
  },
  {
    ...of,
    name: 'the starts of a version on trial are not counted',
    file: plan,
    find: 'trial.starts >= mostTrialStarts',
    replace: 'trial.starts < 0',
    why: 'a version that does not start keeps the gateway down where nobody follows it',
  },
  {
    ...of,
    name: 'the note of a trial that a power cut has left stays',
    file: plan,
    find: "if (!trialOf(versions)) return [{ type: 'endTrial' }]",
    replace: 'if (!trialOf(versions)) return []',
    why: 'what is installed by hand later is taken for the version that was on trial',
  },
  {
    ...of,
    name: 'a daemon rests while an opening runs',
    file: 'gateway/src/openings.ts',
    find: 'if (this.isBusy() || this.queueLength() > 0) return false',
    replace: '',
    test: 'gateway/src/openings.test.ts',
    why: 'an update hangs up a call',
  },
  {
    ...of,
    name: 'a daemon that rests hears hints',
    file: 'gateway/src/openings.ts',
    find: 'if (!this.#rests) this.tell',
    replace: 'this.tell',
    test: 'gateway/src/openings.test.ts',
    why: 'a call that began after the daemon said that it rests is hung up',
  },
  {
    ...of,
    name: 'the journal of a newer version is put aside',
    file: 'gateway/src/journalLines.ts',
    find: 'version > journalVersion)',
    replace: 'version > 1_000)',
    test: 'gateway/src/journal.test.ts',
    why: 'what a newer version has kept of its calls is never reported',
  },
]
