// Mutants of the lock-down of all gates.

import type { Mutant } from './mutant.ts'

export const lockDownMutants: readonly Mutant[] = [
  {
    name: 'a press is let through while all gates are locked',
    file: 'cloud/src/core/permit.ts',
    find: "if (facts.isLockedDown) return 'locked_down'",
    replace: '',
    why: 'whoever the admin locks out still opens',
    test: 'cloud/src/core/permit.test.ts',
    breaks: 'P3',
  },
  {
    name: 'a press that waits outlives a lock-down that ends soon',
    file: 'cloud/src/opening/waitingOpenings.ts',
    find: 'for (const row of await waiting)',
    replace: 'for (const row of (await waiting).slice(1))',
    why: 'the gate opens after the refusal that everybody was told',
    test: 'cloud/src/settings/lockDown.test.ts',
    breaks: 'P3',
  },
  {
    name: 'a joiner leads when all gates are locked',
    file: 'cloud/src/opening/core/openingEnd.ts',
    find: 'lockedDown: { isSettled: false, freesNumber: true, dialled: false, handsOver: false }',
    replace: 'lockedDown: { isSettled: false, freesNumber: true, dialled: false, handsOver: true }',
    why: 'a press that waits is called after the lock-down',
    test: 'cloud/src/opening/core/openingEnd.test.ts',
    breaks: 'P3',
  },
]
