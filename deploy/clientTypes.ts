// The types of the client as one file without imports: those of the contract are written out as the compiler knows them.

import { join } from 'node:path'
import ts from 'typescript'
import { type OperationId, operations } from '../packages/contract/src/rest/operations.ts'

/** What of the contract has a name of its own in the file; each stands before what it is part of. */
const namedOfContract: readonly (readonly [file: string, names: readonly string[]])[] = [
  ['rest/problem', ['ProblemCode']],
  ['call/reason', ['ReasonWord']],
  ['rest/schedule', ['TimeWindow', 'Schedule', 'ScheduleInput']],
  ['rest/gate', ['Gate', 'GateCreate', 'GateUpdate']],
  ['call/callProfile', ['CallProfile', 'CallProfileUpdate']],
  ['rest/access', ['Access', 'AccessGrant', 'AccessUpdate']],
  ['rest/member', ['Member', 'MemberCreate', 'MemberUpdate']],
  ['rest/opening', ['Opening', 'OpeningEvidence']],
  ['rest/activity', ['ActivityEntry']],
]

/** What of the client is copied as it stands, with its comments. */
const copiedOfClient: readonly (readonly [file: string, names: readonly string[]])[] = [
  ['clock', ['Clock']],
  ['client', ['ClientOptions']],
  [
    'types',
    ['EveryCall', 'RepeatableCall', 'ConditionalCall', 'OpenCall', 'ClientCode', 'Success', 'Failure'],
  ],
]

const isNamed = (node: ts.Node): node is ts.InterfaceDeclaration | ts.TypeAliasDeclaration =>
  ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)

/** Prints types in one line each, by the names that it was given where it meets them. */
function createPrinter(checker: ts.TypeChecker, copied: ReadonlySet<string>) {
  /** Names by the text that they stand for. */
  const named = new Map<string, string>()

  function union(types: readonly ts.Type[]): string {
    const texts = types.map(type => print(type))
    const isBoolean = texts.includes('true') && texts.includes('false')
    const words = texts
      .filter(text => text !== 'null' && !(isBoolean && /^(true|false)$/.test(text)))
      .join(' | ')
    const parts = [
      words && (named.get(words) ?? words),
      isBoolean && 'boolean',
      texts.includes('null') && 'null',
    ]
    return parts.filter(Boolean).join(' | ')
  }

  /** A member of an object, or a parameter. */
  function property(symbol: ts.Symbol): string {
    const type = checker.getTypeOfSymbol(symbol)
    const declared = symbol.valueDeclaration
    const isOptional =
      (symbol.flags & ts.SymbolFlags.Optional) !== 0 ||
      (declared !== undefined && ts.isParameter(declared) && declared.questionToken !== undefined)
    const isGiven = (part: ts.Type) => !isOptional || (part.flags & ts.TypeFlags.Undefined) === 0
    const given = type.isUnion() ? type.types.filter(isGiven) : [type]
    return `${symbol.name}${isOptional ? '?' : ''}: ${union(given)}`
  }

  function signature({ parameters }: ts.Signature, answer: ts.Type): string {
    return `(${parameters.map(property).join(', ')}) => ${print(answer)}`
  }

  function members(type: ts.Type): string[] {
    const indexed = checker.getIndexInfosOfType(type).map(({ keyType, type: value }) => {
      return `[key: ${print(keyType)}]: ${print(value)}`
    })
    return [...checker.getPropertiesOfType(type).map(property), ...indexed]
  }

  function print(type: ts.Type): string {
    const text = plain(type)
    return named.get(text) ?? text
  }

  function plain(type: ts.Type): string {
    if (type.isUnion()) return union(type.types)
    if (type.isIntersection()) {
      const parts = type.types.map(print)
      if (parts.every(part => copied.has(part))) return parts.join(' & ')
    }
    if ((type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) === 0)
      return checker.typeToString(type)
    const name = type.symbol?.name ?? ''
    const given = checker.getTypeArguments(type as ts.TypeReference)
    const [item] = given.map(print)
    if (checker.isArrayType(type)) return /^\w+$/.test(item ?? '') ? `${item}[]` : `(${item})[]`
    if (name === 'Promise' || copied.has(name))
      return given.length === 0 ? name : `${name}<${given.map(print).join(', ')}>`
    const [call] = type.getCallSignatures()
    if (call) return signature(call, call.getReturnType())
    return members(type).length === 0 ? '{}' : `{ ${members(type).join('; ')} }`
  }

  return {
    property,
    /** Declares a name for a type, and uses it from then on. */
    declare(name: string, type: ts.Type): string {
      const text = plain(type)
      named.set(text, name)
      if (type.isUnion()) return `export type ${name} = ${text}`
      return `export interface ${name} {\n${members(type)
        .map(member => `  ${member}\n`)
        .join('')}}`
    },
  }
}

/** The text of `client.d.ts`. `top` is the repository; throws when it does not compile or lacks one of the names. */
export function clientTypes(top: string): string {
  const config = ts.readConfigFile(join(top, 'tsconfig.base.json'), path => ts.sys.readFile(path))
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, top)
  const contract = (file: string) => join(top, `packages/contract/src/${file}.ts`)
  const client = (file: string) => join(top, `packages/client/src/${file}.ts`)
  const files = [
    ...namedOfContract.map(([file]) => contract(file)),
    ...copiedOfClient.map(([file]) => client(file)),
  ]
  const program = ts.createProgram(files, options)
  const checker = program.getTypeChecker()

  function declarationOf(path: string, name: string) {
    const found = program
      .getSourceFile(path)
      ?.statements.filter(isNamed)
      .find(node => node.name.text === name)
    if (!found) throw new Error(`${path} has no type ${name}`)
    return found
  }

  const copied = new Set(copiedOfClient.flatMap(([, names]) => names))
  const printer = createPrinter(checker, copied)
  const ofContract = namedOfContract.flatMap(([file, names]) =>
    names.map(name =>
      printer.declare(name, checker.getTypeAtLocation(declarationOf(contract(file), name).name)),
    ),
  )
  const ofClient = copiedOfClient.flatMap(([file, names]) =>
    names.map(name => {
      const node = declarationOf(client(file), name)
      const text = node.getSourceFile().text.slice(node.getStart(undefined, true), node.end)
      return /^export /m.test(text) ? text : text.replace(/^(interface|type) /m, 'export $1 ')
    }),
  )
  const methods = checker.getPropertiesOfType(
    checker.getTypeAtLocation(declarationOf(client('types'), 'Client').name),
  )
  const described = methods.map(method => {
    const { scope, summary } = operations[method.name as OperationId]
    return `  /** ${summary}; needs the scope \`${scope}\`. */\n  readonly ${printer.property(method)}\n`
  })
  return [
    '// The client of the Callgate API: its types, made from the contract of the service.',
    ...ofContract,
    ...ofClient,
    `/** One method for each operation of the API. */\nexport interface Client {\n${described.join('')}}`,
    '/** A client for one Space. Throws a TypeError when `baseUrl` is no address or `apiKey` cannot stand in a header. */\nexport declare function createClient(options: ClientOptions): Client',
    '',
  ].join('\n\n')
}
