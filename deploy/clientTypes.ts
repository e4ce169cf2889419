// Writes the client's types as one file without imports. The compiler writes out the types of the contract.

import { join } from 'node:path'
import ts from 'typescript'
import { type OperationId, operations } from '../packages/contract/src/rest/operations.ts'

/** The types of the contract that keep their name in the file. A type stands before the types that contain it. */
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

/** The types of the client that are copied as they are, with their comments. */
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

/** Prints each type in one line. Types that have a name are printed by their name. */
class TypePrinter {
  readonly #checker: ts.TypeChecker
  readonly #copied: ReadonlySet<string>
  /** Names of types by their text. */
  readonly #named = new Map<string, string>()

  /** `copied` are the names of types that the file contains as they are. */
  constructor(checker: ts.TypeChecker, copied: ReadonlySet<string>) {
    this.#checker = checker
    this.#copied = copied
  }

  /** Declares a name for a type, and uses the name from then on. */
  declare(name: string, type: ts.Type): string {
    const text = this.#structure(type)
    this.#named.set(text, name)
    if (type.isUnion()) return `export type ${name} = ${text}`
    const members = this.#members(type).map(member => `  ${member}\n`)
    return `export interface ${name} {\n${members.join('')}}`
  }

  /** A member of an object, or a parameter. */
  property(symbol: ts.Symbol): string {
    const type = this.#checker.getTypeOfSymbol(symbol)
    const declared = symbol.valueDeclaration
    const isOptional =
      (symbol.flags & ts.SymbolFlags.Optional) !== 0 ||
      (declared !== undefined && ts.isParameter(declared) && declared.questionToken !== undefined)
    const isGiven = (part: ts.Type) => !isOptional || (part.flags & ts.TypeFlags.Undefined) === 0
    const given = type.isUnion() ? type.types.filter(isGiven) : [type]
    return `${symbol.name}${isOptional ? '?' : ''}: ${this.#union(given)}`
  }

  #print(type: ts.Type): string {
    const text = this.#structure(type)
    return this.#named.get(text) ?? text
  }

  #union(types: readonly ts.Type[]): string {
    const texts = types.map(type => this.#print(type))
    const isBoolean = texts.includes('true') && texts.includes('false')
    const words = texts
      .filter(text => text !== 'null' && !(isBoolean && /^(true|false)$/.test(text)))
      .join(' | ')
    const parts = [
      words && (this.#named.get(words) ?? words),
      isBoolean && 'boolean',
      texts.includes('null') && 'null',
    ]
    return parts.filter(Boolean).join(' | ')
  }

  #members(type: ts.Type): string[] {
    const indexed = this.#checker.getIndexInfosOfType(type).map(({ keyType, type: value }) => {
      return `[key: ${this.#print(keyType)}]: ${this.#print(value)}`
    })
    const properties = this.#checker.getPropertiesOfType(type).map(symbol => this.property(symbol))
    return [...properties, ...indexed]
  }

  /** The type without its name. */
  #structure(type: ts.Type): string {
    if (type.isUnion()) return this.#union(type.types)
    if (type.isIntersection()) {
      const parts = type.types.map(part => this.#print(part))
      if (parts.every(part => this.#copied.has(part))) return parts.join(' & ')
    }
    if ((type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) === 0)
      return this.#checker.typeToString(type)
    const name = type.symbol?.name ?? ''
    const given = this.#checker.getTypeArguments(type as ts.TypeReference).map(part => this.#print(part))
    const [item = ''] = given
    if (this.#checker.isArrayType(type)) return /^\w+$/.test(item) ? `${item}[]` : `(${item})[]`
    if (name === 'Promise' || this.#copied.has(name))
      return given.length === 0 ? name : `${name}<${given.join(', ')}>`
    const [call] = type.getCallSignatures()
    if (call) {
      const parameters = call.parameters.map(symbol => this.property(symbol))
      return `(${parameters.join(', ')}) => ${this.#print(call.getReturnType())}`
    }
    const members = this.#members(type)
    return members.length === 0 ? '{}' : `{ ${members.join('; ')} }`
  }
}

/** Returns the text of `client.d.ts`. `top` is the repository. Throws when one of the names is missing. */
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
  const printer = new TypePrinter(checker, copied)
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
