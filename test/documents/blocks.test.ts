// The fenced blocks and commands of a page.

import { expect, it } from 'vitest'
import { blocksOf, commandsOf } from './blocks.ts'

const page = `# Title

1. A step:

   \`\`\`sh
   first --long \\
     --more
   # a remark

   second   # a remark behind it
   \`\`\`

\`\`\`ini
NAME=value
\`\`\`
text with \`\`\` in it
\`\`\`
no language
`

it('reads each block with its language, its line and without its indentation', () => {
  expect(blocksOf(page)).toEqual([
    {
      line: 6,
      language: 'sh',
      text: 'first --long \\\n  --more\n# a remark\n\nsecond   # a remark behind it',
    },
    { line: 14, language: 'ini', text: 'NAME=value' },
    { line: 18, language: '', text: 'no language\n' },
  ])
})

it('reads a command of several lines as one, and leaves remarks and empty lines out', () => {
  const [block = { line: 0, language: '', text: '' }] = blocksOf(page)
  expect(commandsOf(block)).toEqual([
    { line: 6, text: 'first --long \\\n  --more' },
    { line: 10, text: 'second   # a remark behind it' },
  ])
})

it('keeps a command whose last line continues past the block', () => {
  expect(commandsOf({ line: 3, language: 'sh', text: 'first \\' })).toEqual([{ line: 3, text: 'first \\' }])
})
