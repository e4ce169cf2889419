// Compares the table of the steps with the pages.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { blocksOf, commandsOf } from './blocks.ts'
import { asTyped, pages, stepOf, substitutes } from './steps.ts'

const top = fileURLToPath(new URL('../..', import.meta.url))
const texts = pages.map(({ path }) => readFileSync(join(top, path), 'utf8'))

describe.each(pages)('the steps of $path', page => {
  const sentences = readFileSync(join(top, page.path), 'utf8')
  const blocks = blocksOf(sentences)

  it('name one block of the page each', () => {
    const named = page.steps.map(({ begins }) => blocks.filter(({ text }) => text.startsWith(begins)).length)
    expect(named).toEqual(page.steps.map(() => 1))
  })

  it('give a decision for each block that needs the checkout', () => {
    const fromCheckout = blocks.filter(({ text }) => /^(npx|scp -r packages|scp deploy)/.test(text))
    expect(fromCheckout.map(block => stepOf(page, block)?.place)).toEqual(fromCheckout.map(() => 'checkout'))
  })

  it('type only commands that a sentence of the page names', () => {
    for (const { command } of page.said ?? [])
      expect([command, sentences.includes(`\`${command}\``)]).toEqual([command, true])
  })

  it('leave no block of the shell without a command', () => {
    for (const block of blocks.filter(({ language }) => language === 'sh'))
      expect([block.line, commandsOf(block).length]).not.toEqual([block.line, 0])
  })
})

it('substitutes only texts of the pages', () => {
  for (const { text } of substitutes)
    expect([text, texts.some(page => page.includes(text))]).toEqual([text, true])
})

it('applies each substitute in its place', () => {
  expect(asTyped('sudo apt install ./a_arm64.deb && journalctl -fu b')).toBe(
    'sudo apt install ./a_amd64.deb && journalctl --no-pager -u b',
  )
})
