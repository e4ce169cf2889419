// Reads one source file in one pass, and collects the facts that the rules of the style use.

import ts from 'typescript'

export interface ImportFact {
  readonly specifier: string
  /** The imported names; `*` for a whole module. */
  readonly names: readonly string[]
  readonly typeOnly: boolean
  /** `import()`: loaded when the program reaches it. */
  readonly isLater?: true
  readonly line: number
}

/** A word with its line: a used global, the text of a string, or a kind of syntax. */
export interface WordFact {
  readonly word: string
  readonly line: number
}

export interface FunctionFact {
  readonly name: string
  readonly line: number
  readonly lines: number
}

export interface Facts {
  /** The path from the top of the repository, with `/`. */
  readonly path: string
  readonly text: string
  readonly lineCount: number
  readonly imports: readonly ImportFact[]
  /** The used globals: `setTimeout`, `process.env`, `Date.now`, `new Date` (only without arguments). */
  readonly globals: readonly WordFact[]
  readonly strings: readonly WordFact[]
  readonly functions: readonly FunctionFact[]
  /**
   * `any`, `export *`, `export default`, `await`, `async`, `let` (of the module), `it.only` and its like, and `zoned date`: a call
   * that formats a date otherwise than in UTC.
   */
  readonly syntax: readonly WordFact[]
  /** Comments, line by line. */
  readonly comments: readonly WordFact[]
}

interface Gathered {
  imports: ImportFact[]
  globals: WordFact[]
  strings: WordFact[]
  functions: FunctionFact[]
  syntax: WordFact[]
  /** The places of strings and patterns: a text in them that looks like a comment is none. */
  quoted: { from: number; to: number }[]
}

type Collector = (node: ts.Node, line: number, into: Gathered, source: ts.SourceFile) => void

const testWords = new Set(['it', 'test', 'describe', 'suite', 'bench'])
/** `skipIf` and `runIf` leave a test out without a reason. */
const skipWords = new Set(['only', 'skip', 'todo', 'fails', 'skipIf', 'runIf'])

function importedNames(clause: ts.ImportClause | undefined): { names: string[]; typeOnly: boolean } {
  if (!clause) return { names: [], typeOnly: false }
  const names = clause.name ? ['default'] : []
  let typeOnly = clause.isTypeOnly
  const bindings = clause.namedBindings
  if (bindings && ts.isNamespaceImport(bindings)) names.push('*')
  if (bindings && ts.isNamedImports(bindings)) {
    names.push(...bindings.elements.map(element => (element.propertyName ?? element.name).text))
    typeOnly ||= !clause.name && bindings.elements.every(element => element.isTypeOnly)
  }
  return { names, typeOnly }
}

const collectImports: Collector = (node, line, into) => {
  if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier))
    into.imports.push({ specifier: node.moduleSpecifier.text, ...importedNames(node.importClause), line })
  if (ts.isExportDeclaration(node) && node.moduleSpecifier && ts.isStringLiteral(node.moduleSpecifier))
    into.imports.push({ specifier: node.moduleSpecifier.text, names: ['*'], typeOnly: node.isTypeOnly, line })
  if (
    ts.isImportTypeNode(node) &&
    ts.isLiteralTypeNode(node.argument) &&
    ts.isStringLiteral(node.argument.literal)
  )
    into.imports.push({ specifier: node.argument.literal.text, names: ['*'], typeOnly: true, line })
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    const [from] = node.arguments
    if (from && ts.isStringLiteralLike(from))
      into.imports.push({ specifier: from.text, names: ['*'], typeOnly: false, isLater: true, line })
  }
}

/** Whether an identifier is read as a value. It is then a global, unless a local name hides it. */
function isValue(node: ts.Identifier): boolean {
  const { parent } = node
  if (ts.isExpressionWithTypeArguments(parent)) return !ts.isInterfaceDeclaration(parent.parent.parent)
  if (ts.isShorthandPropertyAssignment(parent)) return true
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node
  if (ts.isBindingElement(parent)) return parent.initializer === node
  if ('name' in parent && parent.name === node) return false
  if (ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent) || ts.isImportClause(parent)) return false
  return !ts.isTypeNode(parent) && !ts.isTypeParameterDeclaration(parent) && !ts.isQualifiedName(parent)
}

const collectGlobals: Collector = (node, line, into) => {
  if (!ts.isIdentifier(node) || !isValue(node)) return
  const { parent } = node
  if (node.text === 'Date') {
    // `new Date(0)` and `Date.UTC(…)` compute; only these read a clock.
    if (ts.isNewExpression(parent) && (parent.arguments?.length ?? 0) === 0)
      into.globals.push({ word: 'new Date', line })
    if (ts.isCallExpression(parent) && parent.expression === node) into.globals.push({ word: 'Date()', line })
  }
  if (ts.isPropertyAccessExpression(parent))
    into.globals.push({
      word: node.text === 'globalThis' ? parent.name.text : `${node.text}.${parent.name.text}`,
      line,
    })
  else if (node.text !== 'Date') into.globals.push({ word: node.text, line })
}

const collectStrings: Collector = (node, line, into, source) => {
  const isTemplate = ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)
  if (ts.isStringLiteralLike(node) || isTemplate) into.strings.push({ word: node.text, line })
  if (ts.isStringLiteralLike(node) || isTemplate || ts.isRegularExpressionLiteral(node) || ts.isJsxText(node))
    into.quoted.push({ from: node.getStart(source), to: node.getEnd() })
}

function nameOf(node: ts.SignatureDeclaration): string {
  if (node.name) return node.name.getText()
  const { parent } = node
  if (ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent)) return parent.name.getText()
  return 'a function'
}

/** The body of a `describe` is a list of tests, not a function that a reader has to keep in mind. */
function isDescribe(node: ts.Node): boolean {
  const { parent } = node
  return ts.isCallExpression(parent) && /^(describe|suite)\b/.test(parent.expression.getText())
}

const collectFunctions: Collector = (node, line, into, source) => {
  if (!ts.isFunctionLike(node) || !('body' in node) || !node.body || isDescribe(node)) return
  const lineAt = (position: number) => source.getLineAndCharacterOfPosition(position).line
  // Inner functions count as well: a reader of the whole has to keep them in mind.
  const lines = lineAt(node.getEnd()) - lineAt(node.getStart(source)) + 1
  into.functions.push({ name: nameOf(node), line, lines })
}

const collectSyntax: Collector = (node, line, into) => {
  const say = (word: string) => into.syntax.push({ word, line })
  if (node.kind === ts.SyntaxKind.AnyKeyword) say('any')
  if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isClassDeclaration(node))
    say(`type ${node.name?.text}`)
  if (ts.isExportDeclaration(node) && (!node.exportClause || ts.isNamespaceExport(node.exportClause)))
    say('export *')
  if (ts.isExportAssignment(node) || node.kind === ts.SyntaxKind.DefaultKeyword) {
    if (!ts.isDefaultClause(node.parent)) say('export default')
  }
  if (ts.isAwaitExpression(node) || (ts.isForOfStatement(node) && node.awaitModifier)) say('await')
  if (node.kind === ts.SyntaxKind.AsyncKeyword) say('async')
  if (
    ts.isVariableStatement(node) &&
    ts.isSourceFile(node.parent) &&
    !(node.declarationList.flags & ts.NodeFlags.Const)
  )
    say('let')
  if (ts.isPropertyAccessExpression(node) && skipWords.has(node.name.text)) {
    const root = node.expression.getText().split(/[.(]/)[0] ?? ''
    if (testWords.has(root)) say(`${root}.${node.name.text}`)
  }
}

/** The options of a call about the time zone, as source; undefined where there are none or they are no literal. */
function zoneIn(options: ts.Expression | undefined): string | undefined {
  if (!options || !ts.isObjectLiteralExpression(options)) return undefined
  const zone = options.properties.find(property => property.name?.getText() === 'timeZone')
  return zone && (ts.isPropertyAssignment(zone) ? zone.initializer.getText() : zone.getText())
}

/** Without options, dates are in the zone of the machine; options that are no literal may name any zone. */
const collectDates: Collector = (node, line, into) => {
  if (!ts.isNewExpression(node) && !ts.isCallExpression(node)) return
  const called = node.expression.getText()
  const isOfDate = called === 'Intl.DateTimeFormat' || /\.toLocale(Date|Time)String$/.test(called)
  // For numbers, too.
  const mayBeOfDate = called.endsWith('.toLocaleString')
  const zone = isOfDate || mayBeOfDate ? zoneIn(node.arguments?.[1]) : undefined
  if (isOfDate ? zone !== "'UTC'" : zone !== undefined && zone !== "'UTC'")
    into.syntax.push({ word: 'zoned date', line })
}

const collectors: readonly Collector[] = [
  collectImports,
  collectGlobals,
  collectStrings,
  collectFunctions,
  collectSyntax,
  collectDates,
]

function commentsOf(text: string, quoted: readonly { from: number; to: number }[]): WordFact[] {
  const comments: WordFact[] = []
  // Strings are blanked, so that a `//` in them is no comment. Their length stays, so that places stay the same.
  let code = ''
  let at = 0
  for (const { from, to } of [...quoted].sort((a, b) => a.from - b.from)) {
    code += text.slice(at, from) + text.slice(from, to).replace(/[^\n]/g, '"')
    at = to
  }
  code += text.slice(at)
  for (const found of code.matchAll(/\/\/.*|\/\*[\s\S]*?\*\//g)) {
    const first = code.slice(0, found.index).split('\n').length
    for (const [below, word] of found[0].split('\n').entries()) comments.push({ word, line: first + below })
  }
  return comments
}

/** Reads one file, once. */
export function factsOf(path: string, text: string): Facts {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true)
  const into: Gathered = { imports: [], globals: [], strings: [], functions: [], syntax: [], quoted: [] }
  const visit = (node: ts.Node) => {
    const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1
    for (const collect of collectors) collect(node, line, into, source)
    ts.forEachChild(node, visit)
  }
  visit(source)
  const { quoted, ...facts } = into
  const lineCount = text.replace(/\n$/, '').split('\n').length
  return { path, text, lineCount, comments: commentsOf(text, quoted), ...facts }
}
