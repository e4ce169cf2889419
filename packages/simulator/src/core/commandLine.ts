// A command line as the modem reads it: several commands, basic and extended (V.250; SIM800 AT manual V1.09 1.4).

/** `run` is `AT+X`, `read` `AT+X?`, `test` `AT+X=?`, `set` `AT+X=…`; a basic command (`ATE0`) is `run`. */
export interface Command {
  /** In capital letters: `E`, `D`, `&W`, `S3`, `+CREG`; empty where the line could not be read further. */
  readonly name: string
  readonly form: 'run' | 'read' | 'test' | 'set'
  /** The rest, as typed: a basic command's digits, the values to set, the dial string with its semicolon. */
  readonly text: string
}

const unreadable: Command = { name: '', form: 'run', text: '' }

const dial = /^D([^;]*;?)/i
const register = /^(S\d{1,3})(?:(=)(\d{0,3})|(\?))/i
const basic = /^(&[A-Z]|[A-CE-RT-Z])(\d{0,3})/i
const extended = /^([+*^][A-Z][A-Z0-9]{0,15})(=\?|\?|=((?:"[^"]*"|[^";])*))?(;|$)/i

/** Reads one command at the front of `rest`; undefined when there is none. */
function readCommand(rest: string): { command: Command; length: number } | undefined {
  const dialled = dial.exec(rest)
  if (dialled)
    return { command: { name: 'D', form: 'run', text: dialled[1] ?? '' }, length: dialled[0].length }

  const registered = register.exec(rest)
  if (registered) {
    const [whole, name = '', equals, value = ''] = registered
    return {
      command: { name: name.toUpperCase(), form: equals ? 'set' : 'read', text: value },
      length: whole.length,
    }
  }

  const short = basic.exec(rest)
  if (short) {
    const [whole, name = '', text = ''] = short
    return { command: { name: name.toUpperCase(), form: 'run', text }, length: whole.length }
  }

  const long = extended.exec(rest)
  if (!long) return undefined
  const [whole, name = '', operation = '', value = ''] = long
  const form = operation === '=?' ? 'test' : operation === '?' ? 'read' : operation === '' ? 'run' : 'set'
  return { command: { name: name.toUpperCase(), form, text: value.trim() }, length: whole.length }
}

/** The commands after `AT` on a line. Unreadable text becomes a nameless command, the last one. */
export function parseCommands(body: string): readonly Command[] {
  const commands: Command[] = []
  let rest = body.trimStart()
  while (rest !== '') {
    if (rest.startsWith(';')) {
      rest = rest.slice(1).trimStart()
      continue
    }
    const read = readCommand(rest)
    commands.push(read?.command ?? unreadable)
    if (!read) break
    rest = rest.slice(read.length).trimStart()
  }
  return commands
}
