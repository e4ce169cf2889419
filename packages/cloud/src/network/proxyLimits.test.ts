// A proxy accepts what the program accepts: compares the examples of proxy.md and deploy/cloud with the program's own limits.

import { readFileSync } from 'node:fs'
import { appOperations } from '@callgate/contract/app/appOperations'
import type { CallShape } from '@callgate/contract/rest/operation'
import { operations } from '@callgate/contract/rest/operations'
import { answerWithinMs } from '@callgate/contract/wire/timing'
import { expect, it } from 'vitest'
import { usualBytes } from '../http/body.ts'

const read = (path: string) => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8')
const page = read('packages/cloud/docs/proxy.md')
const caddyfile = read('deploy/cloud/Caddyfile')

const shapes: readonly CallShape[] = [...Object.values(operations), ...Object.values(appOperations)]
const largestBytes = Math.max(...shapes.map(({ mostBodyBytes = usualBytes }) => mostBodyBytes))

/** The numbers that the pattern finds in the text, at least one. */
function figures(text: string, pattern: RegExp): readonly number[] {
  const found = [...text.matchAll(pattern)].map(([, figure]) => Number(figure))
  expect(found).not.toEqual([])
  return found
}

// nginx counts a megabyte as 2^20 bytes, Caddy as 10^6.
it.each([
  ['nginx in proxy.md', page, /client_max_body_size (\d+)m;/g, 2 ** 20],
  ['Caddy in proxy.md', page, /max_size (\d+)MB/g, 10 ** 6],
  ['the Caddyfile', caddyfile, /max_size (\d+)MB/g, 10 ** 6],
])('%s allows the largest body of the program', (_, text, pattern, unit) => {
  for (const megabytes of figures(text, pattern)) expect(megabytes * unit).toBeGreaterThan(largestBytes)
})

it.each([
  ['nginx in proxy.md', page, /proxy_read_timeout (\d+)s;/g],
  ['the Caddyfile', caddyfile, /response_header_timeout (\d+)s/g],
])('%s waits longer than the longest answer to an opening takes', (_, text, pattern) => {
  for (const seconds of figures(text, pattern))
    expect(seconds * 1_000).toBeGreaterThan(answerWithinMs + 10_000)
})

it('documents the limits of the program in proxy.md', () => {
  expect(page).toContain(`The API takes ${usualBytes / 2 ** 10} KiB`)
  expect(page).toContain(`a file of members that is imported on the dashboard ${largestBytes / 2 ** 20} MiB`)
  expect(page).toContain(`A press is answered within ${answerWithinMs / 1_000} s.`)
})
