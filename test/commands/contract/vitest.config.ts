// How `pnpm contract` runs: the checks of this folder, and the conformance suite, whose answers prism checks.

import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { forAll } from '../../vitest.config.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Whether prism checks each answer against the OpenAPI document. */
    isCheckedByPrism: boolean
  }
}

export default defineConfig({
  root: fileURLToPath(new URL('../../..', import.meta.url)),
  test: {
    maxWorkers: 2,
    include: ['test/commands/contract/*.check.ts', 'test/api/conformance/conformance.test.ts'],
    provide: { isCheckedByPrism: true },
    ...forAll,
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
})
