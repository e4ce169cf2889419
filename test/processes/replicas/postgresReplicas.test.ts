// Two clouds as processes on one Postgres, with a small crowd. `pnpm replicas` is the large one.

import { expect, it } from 'vitest'
import { runReplicas } from './replicas.ts'

it('keeps every limit over two clouds, and loses no press when one is killed during calls', async () => {
  const { violations } = await runReplicas({ clouds: 2, hundreds: 1, isDurable: false })
  expect(violations).toEqual([])
})
