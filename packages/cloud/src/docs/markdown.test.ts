import { describe, expect, it } from 'vitest'
import { html } from '../text/html.ts'
import { markdown } from './markdown.ts'

const page =
  'Text.\n\n<!-- in each language -->\n\n```sh\ncurl <a>\n```\n\n```ts\nconst a = 1\n```\n\nText.\n\n```sh\nnode\n```\n'

describe('the examples in several languages', () => {
  const [, tabs = ''] = /(<div class="code tabs">.*?<\/div>)/s.exec(html`${markdown(page)}`.text) ?? []

  it('are radio buttons with a name of their own, of which the first is chosen', () => {
    expect(tabs.match(/<input[^>]*>/g)).toEqual([
      '<input type="radio" name="tabs-2" id="tabs-2-sh" checked>',
      '<input type="radio" name="tabs-2" id="tabs-2-ts">',
    ])
    expect(tabs.match(/<label[^>]*>[^<]*/g)).toEqual([
      '<label for="tabs-2-sh">curl',
      '<label for="tabs-2-ts">TypeScript',
    ])
    expect(tabs.match(/<code>.*?<\/code>/gs)).toEqual([
      '<code><span class="i0">curl &lt;a&gt;\n</span></code>',
      '<code><span class="i0">const a = 1\n</span></code>',
    ])
  })

  it('have one answer, which stands below them, and comments that are set apart', () => {
    const both = '<!-- in each language -->\n\n```sh\ncurl a#b # <1>\n```\n\n```json\n{}\n```\n'
    const { text } = markdown(both)
    expect(text.match(/<input/g)).toHaveLength(1)
    expect(text).toContain('<code><span class="i0">curl a#b <i># &lt;1&gt;</i>\n</span></code>')
    expect(text).toMatch(
      /<\/div>\n<div class="code answer"><span class="language">Answer<\/span><pre><code><span class="i0">\{\}\n/,
    )
    expect(markdown('```ts\n// a\nfetch("https://b")\n```\n').text).toContain(
      '<i>// a</i>\n</span><span class="i0">fetch(&quot;https://b',
    )
  })

  it('end at the next text, and leave other blocks alone', () => {
    expect(html`${markdown(page)}`.text).toMatch(
      /<\/div>\n<p>Text.<\/p>\n<div class="code"><span class="language">Shell<\/span><pre><code class="language-sh"><span class="i0">node/,
    )
  })
})

it('leads to the first page at its address', () => {
  expect(markdown('[a](start.md) [b](start.md#x) [c](limits.md)').text.match(/href="[^"]*/g)).toEqual([
    'href="/docs',
    'href="/docs#x',
    'href="/docs/limits',
  ])
})

it('names the column of each cell of a table, and makes a heading its own link', () => {
  const long = 'It is read below the name.'
  const { text } = markdown(
    `## A \`b\`\n\n| \`a\` | Below |\n|--|--|\n| 1 | ${long} |\n| 2 | ${long} \`x\` |\n`,
  )
  expect(text).toContain(
    `<td data-column="a" class="short">1</td><td data-column="Below" class="short">${long}</td>`,
  )
  expect(text).toContain(`<td data-column="Below">${long} <code>x</code></td>`)
  expect(text).toContain('<h2 id="a-b"><a href="#a-b">A <code>b</code></a></h2>')
})
