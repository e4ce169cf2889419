// Reads the fenced blocks of a page, and the shell commands in them with their lines.

export interface Command {
  /** The line of the page, from 1. */
  readonly line: number
  readonly text: string
}

export interface Block {
  /** The line of the first line inside the fence. */
  readonly line: number
  readonly language: string
  /** Without the indentation of the list around the block. */
  readonly text: string
}

/** All fenced blocks of the page, in their order. A fence without an end reaches to the end of the page. */
export function blocksOf(page: string): readonly Block[] {
  const blocks: Block[] = []
  let open: { line: number; language: string; indent: number; lines: string[] } | undefined
  const close = () => {
    if (open !== undefined)
      blocks.push({ line: open.line, language: open.language, text: open.lines.join('\n') })
    open = undefined
  }
  for (const [index, line] of page.split('\n').entries()) {
    const [, indent = '', language = ''] = /^( *)```(\S*)\s*$/.exec(line) ?? []
    const isFence = /^ *```/.test(line)
    if (open === undefined && isFence) open = { line: index + 2, language, indent: indent.length, lines: [] }
    else if (isFence) close()
    else open?.lines.push(line.slice(Math.min(open.indent, line.search(/\S|$/))))
  }
  close()
  return blocks
}

/** The commands of a block: one for each line that is not a comment; a line that ends with a backslash continues. */
export function commandsOf(block: Block): readonly Command[] {
  const commands: Command[] = []
  let begun: Command | undefined
  for (const [index, line] of block.text.split('\n').entries()) {
    const text: string = begun === undefined ? line : `${begun.text}\n${line}`
    begun = { line: begun?.line ?? block.line + index, text }
    if (line.endsWith('\\')) continue
    if (!/^\s*(#|$)/.test(text)) commands.push(begun)
    begun = undefined
  }
  return begun === undefined ? commands : [...commands, begun]
}
