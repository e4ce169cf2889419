// Server-sent events as text (WHATWG HTML, 9.2.6): reads those of this service, however the text is cut.

export interface TextEvent {
  readonly id: string
  readonly event: string
  readonly data: string
}

/** Our events have some 200 characters. What is longer is no stream of ours. */
const longest = 65_536

function readBlock(block: string): TextEvent | undefined {
  const fields = new Map(
    block
      .split('\n')
      .flatMap(line => [/^(\w+): ?(.*)$/.exec(line) ?? []])
      .map(([, name = '', value = '']) => [name, value]),
  )
  const [data, id] = [fields.get('data'), fields.get('id')]
  return data === undefined || id === undefined
    ? undefined
    : { id, event: fields.get('event') ?? 'message', data }
}

/** A reader of one stream: answers the events that are complete with the next text. Throws where the text is none of ours. */
export function eventTextReader(): (text: string) => TextEvent[] {
  let rest = ''
  return text => {
    const blocks = (rest + text).split('\n\n')
    rest = blocks.pop() ?? ''
    if (rest.length > longest) throw new Error('an event is too long')
    return blocks.flatMap(block => readBlock(block) ?? [])
  }
}
