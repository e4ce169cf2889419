// Every mutant still has its place in the product's source. `mutants.test.ts` shows that each is caught.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { mutants } from './mutants/mutants.ts'
import { applyMutant, repository } from './mutants/switch.ts'

it('finds the place of each mutant', () => {
  const lost = mutants.filter(mutant => {
    const source = readFileSync(join(repository, 'packages', mutant.file), 'utf8')
    try {
      return applyMutant(source, mutant) === source
    } catch {
      return true
    }
  })
  expect(lost.map(({ file, name }) => `${name}: correct its text of ${file}`)).toEqual([])
})
