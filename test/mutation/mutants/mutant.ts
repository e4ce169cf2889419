// A mutant: a mistake that is put into the product's source, and the test that has to catch it.

export interface Mutant {
  readonly name: string
  /** Below `packages`. */
  readonly file: string
  /** This text occurs exactly once in the file. */
  readonly find: string
  readonly replace: string
  /** The harm that the mistake would do. */
  readonly why: string
  /** The file of the tests that have to catch it, below `packages`. */
  readonly test: string
  /** The promise that it breaks: a test catches it only when the test's full name contains this code. */
  readonly breaks: string
  /** The seed at which `seeds` starts, for a mutant that shows in few of them. */
  readonly fromSeed?: number
}

// Tests that run for mutants only, for mistakes that no test beside the source can show.
export const seeds = '../test/mutation/mutants/checkers/seeds.ts'
export const pairSeeds = '../test/mutation/mutants/checkers/pairSeeds.ts'
export const effects = '../test/mutation/mutants/checkers/effects.ts'
export const sharedCommits = '../test/mutation/mutants/checkers/sharedCommits.ts'
