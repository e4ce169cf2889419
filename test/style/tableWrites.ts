// The tables that a source file of the cloud writes, found in the chains of the query builder and in SQL texts.

import ts from 'typescript'

export interface TableWrite {
  readonly table: string
  readonly line: number
}

export interface FoundWrites {
  readonly writes: readonly TableWrite[]
  /** Lines that write without naming the table. */
  readonly unclear: readonly number[]
}

const writing = new Set(['insert', 'update', 'delete', 'del', 'increment', 'decrement', 'truncate'])
/** `delete from "` at the end of a text continues with a name that is filled in. */
const written = /\b(?:insert into|update|delete from|truncate)\s+"(\w*)(?:"|$)/gi
/** A quick check that skips most files, which write nothing. */
const mayWrite = new RegExp(
  `\\.(?:${[...writing].join('|')})\\(|insert into|delete from|update "|truncate`,
  'i',
)

/** The calls of a chain, the last one first: `tx('gates').where(…)` has two. */
function callsOf(chain: ts.Expression): readonly ts.CallExpression[] {
  const calls: ts.CallExpression[] = []
  let at = chain
  while (ts.isCallExpression(at)) {
    calls.push(at)
    if (!ts.isPropertyAccessExpression(at.expression)) break
    at = at.expression.expression
  }
  return calls
}

/** `gates` of `tx('gates')`, `database.knex('gates')` and `db.from('gates')`; the text of the argument where it is no string. */
function namedBy({ arguments: [first], expression }: ts.CallExpression): string | undefined {
  const isBuilder = ts.isIdentifier(expression)
    ? /^(?:db|tx|knex|rows)$/.test(expression.text)
    : ts.isPropertyAccessExpression(expression) && /^(?:knex|from|into|table)$/.test(expression.name.text)
  if (!isBuilder || !first) return undefined
  return ts.isStringLiteralLike(first) ? first.text : `=${first.getText()}`
}

const nameOf = ({ expression }: ts.CallExpression) =>
  ts.isPropertyAccessExpression(expression) ? expression.name.text : undefined

/** Whether the call is one of the query builder: maps, hashes and our own functions have methods with the same names. */
function isOfBuilder(call: ts.CallExpression): boolean {
  const [first] = call.arguments
  const name = nameOf(call) ?? ''
  if (!writing.has(name)) return false
  if (name === 'delete' || name === 'del' || name === 'truncate') return !first
  const [root = call] = callsOf(call).slice(-1)
  const receiver =
    root === call && ts.isPropertyAccessExpression(call.expression) ? call.expression.expression : root
  if (/^(?:create(?:Hash|Hmac)\(|hash$|(?:de)?cipher$)/.test(receiver.getText())) return false
  return !(first && ts.isIdentifier(first) && first.text === 'tx')
}

/** The tables that the query builder names in a part of the source. */
function tablesIn(node: ts.Node, found: string[] = []): string[] {
  if (ts.isCallExpression(node)) {
    const name = namedBy(node)
    if (name !== undefined) found.push(name)
  }
  ts.forEachChild(node, child => void tablesIn(child, found))
  return found
}

/** A file, and those beside it that it imports. */
type Sources = readonly [ts.SourceFile, ...ts.SourceFile[]]

/** The meaning of a name in the file: the value of a constant, or a function. */
function meaningsOf(sources: Sources, name: string): readonly ts.Node[] {
  const found: ts.Node[] = []
  const visit = (node: ts.Node) => {
    if (ts.isVariableDeclaration(node) && node.initializer && node.name.getText() === name)
      found.push(node.initializer)
    if (ts.isFunctionDeclaration(node) && node.name?.text === name) found.push(node)
    ts.forEachChild(node, visit)
  }
  for (const source of sources) visit(source)
  return found
}

/** The tables of a write. One that starts with `=` is named by a variable. */
function writtenBy(call: ts.CallExpression, sources: Sources): readonly string[] {
  const chain = callsOf(call)
  const named = chain.flatMap(one => namedBy(one) ?? [])
  if (named.length > 0) return named.slice(-1)
  const root = chain.at(-1) ?? call
  const receiver = ts.isPropertyAccessExpression(root.expression)
    ? root.expression.expression
    : root.expression
  const given = tablesIn(root).filter(name => !name.startsWith('='))
  if (root !== call && given.length > 0) return given.slice(0, 1)
  if (!ts.isIdentifier(receiver)) return []
  return meaningsOf(sources, receiver.text)
    .flatMap(meaning => tablesIn(meaning))
    .slice(0, 1)
}

/** The tables that a text names as strings. */
function tablesNamedIn(text: string, tables: ReadonlySet<string>): readonly string[] {
  return [...tables].filter(table => new RegExp(`['"]${table}['"]`).test(text))
}

/** The possible values of a variable at a place: the texts of its list, or of the parameter that it is. */
function valuesOf(sources: Sources, place: ts.Node, name: string): string {
  const declares = (declared: ts.Node) => new RegExp(`\\b${name}\\b`).test(declared.getText())
  for (let node = place; !ts.isSourceFile(node); node = node.parent) {
    if (ts.isForOfStatement(node) && declares(node.initializer)) {
      const list = node.expression.getText()
      const meanings = (list.match(/\w+/g) ?? []).flatMap(word => meaningsOf(sources, word))
      return [list, ...meanings.map(meaning => meaning.getText())].join(' ')
    }
    const parameter = ts.isFunctionLike(node) ? node.parameters.find(one => declares(one.name)) : undefined
    if (parameter) return parameter.getText()
  }
  return ''
}

/** The expression that is filled in after a part of a template. */
function filledIn(part: ts.Node): string {
  const { parent } = part
  const template = ts.isTemplateSpan(parent) ? parent.parent : parent
  if (!ts.isTemplateExpression(template)) return ''
  const place = ts.isTemplateSpan(parent) ? template.templateSpans.indexOf(parent) + 1 : 0
  return template.templateSpans[place]?.expression.getText() ?? ''
}

const parsed = (text: string) => ts.createSourceFile('a.ts', text, ts.ScriptTarget.ES2023, true)

/**
 * The writes of a file; `beside` are the texts of the files beside it that it imports. A write to a table that a variable names
 * counts for each value of the variable. Where these values are not in the file, it counts for all tables that are named there or
 * beside it.
 */
export function writesOf(
  text: string,
  tables: ReadonlySet<string>,
  beside: readonly string[] = [],
): FoundWrites {
  if (!mayWrite.test(text)) return { writes: [], unclear: [] }
  const source = parsed(text)
  const sources: Sources = [source, ...beside.map(parsed)]
  const named = [text, ...beside].map(one => tablesNamedIn(one, tables)).find(list => list.length > 0) ?? []
  const writes: TableWrite[] = []
  const unclear: number[] = []
  const note = (node: ts.Node, found: readonly string[]) => {
    const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1
    const meant = found.flatMap(name => {
      if (!name.startsWith('=')) return tables.has(name) ? [name] : []
      const values = tablesNamedIn(valuesOf(sources, node, name.slice(1)), tables)
      return values.length > 0 ? values : named
    })
    if (meant.length === 0) unclear.push(line)
    for (const table of meant) writes.push({ table, line })
  }
  const visit = (node: ts.Node) => {
    if (ts.isCallExpression(node) && isOfBuilder(node)) note(node, writtenBy(node, sources))
    const isText =
      ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)
    if (isText)
      for (const [, table = ''] of node.text.matchAll(written))
        note(node, [table === '' ? `=${filledIn(node)}` : table])
    ts.forEachChild(node, visit)
  }
  visit(source)
  return { writes, unclear }
}
