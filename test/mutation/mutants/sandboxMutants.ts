// Mutants in the sandbox: what keeps it apart from gates that are real.

import type { Mutant } from './mutant.ts'

const permit = 'cloud/src/core/permit.ts'

export const sandboxMutants: readonly Mutant[] = [
  {
    name: 'a claim from outside gets the grant of a stand-in',
    file: 'cloud/src/opening/grants.ts',
    find: 'const bootStatus = claim.isByStandIn',
    replace: 'const bootStatus = gateway?.isStandIn',
    why: 'whoever knows the boot of a stand-in takes the openings of its sandbox',
    test: 'cloud/src/sandbox/standIn.test.ts',
    breaks: 'G2',
  },
  {
    name: 'a live Space calls the numbers of sandboxes',
    file: permit,
    find: 'return isSandbox ? magicOf(phoneNumber) === undefined : numberRefusal(phoneNumber) !== undefined',
    replace: 'return !magicOf(phoneNumber) && numberRefusal(phoneNumber) !== undefined',
    why: 'a gate with a number of the tests is called for real',
    test: 'cloud/src/core/permit.test.ts',
    breaks: 'P4',
  },
  {
    name: 'the clock of a sandbox ends its keys',
    file: permit,
    find: "if (principal.kind === 'key') return keyRefusal(principal.key, nowMs)",
    replace: "if (principal.kind === 'key') return keyRefusal(principal.key, facts.scheduleMs)",
    why: 'a clock that is set back lets an expired key open',
    test: 'cloud/src/core/permit.test.ts',
    breaks: 'P3',
  },
  {
    name: 'sandboxes lock their numbers for each other',
    file: 'cloud/src/opening/grants.ts',
    find: 'if (isSandbox) return true\n',
    replace: '',
    why: 'the tests of one integrator fail because of those of another',
    test: 'cloud/src/sandbox/standIn.test.ts',
    breaks: 'L2',
  },
]
