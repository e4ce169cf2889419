// How branches are counted: by the tests beside the cores, the journal and the wires, and no others.

import { defineConfig, mergeConfig } from 'vitest/config'
import base from '../../vitest.config.ts'

const tests = [
  'packages/cloud/src/**/core/**/*.test.ts',
  'packages/cloud/src/wire/gatewayWire.test.ts',
  'packages/mqtt/src/mqttConnection.test.ts',
  'packages/gateway/src/core/*.test.ts',
  'packages/gateway/src/{daemon,journal}.test.ts',
  'packages/modem/src/core/*.test.ts',
  'packages/modem/src/*.test.ts',
]

const merged = mergeConfig(
  base,
  defineConfig({
    test: {
      coverage: {
        enabled: true,
        provider: 'v8',
        reporter: ['json'],
        include: [
          'packages/cloud/src/**/core/**/*.ts',
          'packages/cloud/src/wire/{gatewayWire,upMessages}.ts',
          'packages/mqtt/src/mqttConnection.ts',
          'packages/gateway/src/core/*.ts',
          'packages/gateway/src/{alarm,cloudReader,cloudWire,wireMessages}.ts',
          'packages/gateway/src/journal*.ts',
          'packages/modem/src/core/*.ts',
        ],
        exclude: ['**/*.kit.ts'],
        reportsDirectory: 'coverage',
      },
    },
  }),
)
// Without the projects, which would run their own tests as well.
const { projects: _, ...options } = merged.test ?? {}
export default { ...merged, test: { ...options, include: tests } }
