// Compares the steps of the ways with the pages.

import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { earlierCommit } from './supplies.ts'
import { blockThat, pageOf } from './walker.ts'
import { second } from './ways/second.ts'
import { lineOfPage, town } from './ways/town.ts'
import { upgrade } from './ways/upgrade.ts'

const top = fileURLToPath(new URL('../..', import.meta.url))
const ways = [town, second, upgrade].flatMap(({ machines, ways }) => ways.map(way => ({ ...way, machines })))
/** A shallow clone does not have it. */
const hasEarlier = spawnSync('git', ['cat-file', '-e', earlierCommit], { cwd: top }).status === 0

describe.each(ways)('the way $name', ({ machines, steps }) => {
  const typed = steps.flatMap(step => ('act' in step ? [] : [step]))

  it('types one block of a page in each step, on a machine that there is', () => {
    for (const step of typed.filter(({ isEarlier }) => hasEarlier || !isEarlier)) {
      expect(blockThat(pageOf(top, step), step).text).not.toBe('')
      expect(Object.keys(machines)).toContain(step.on)
    }
  })
})

describe('the line of the dashboard', () => {
  const form =
    'curl x && echo 0123… c | sha256sum -c && \\\n  sudo sh c CODE --cloud https://a --cloud-key KEY'
  const line = `curl x && echo ${'0a'.repeat(32)} c | sha256sum -c && sudo sh c ABC-DEF --cloud https://a --cloud-key k_-1`

  it('is typed where it has the form of the page', () => {
    expect(lineOfPage(form, line)).toBe(line)
  })

  it('is refused where it has another form', () => {
    expect(() => lineOfPage(form, line.replace('--cloud ', '--host '))).toThrow('another line than the page')
  })
})
