// Every planted bug still has its place in the product's source. `planted.test.ts` shows that each is caught.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { bugs } from './planted/bugs.ts'
import { planted, repository } from './planted/switch.ts'

it('finds the place of each bug', () => {
  const lost = bugs.filter(bug => {
    const source = readFileSync(join(repository, 'packages', bug.file), 'utf8')
    try {
      return planted(source, bug) === source
    } catch {
      return true
    }
  })
  expect(lost.map(({ file, name }) => `${name}: correct its text of ${file}`)).toEqual([])
})
