// Writes the types of the Python client, one module for the schemas of the OpenAPI document: TypedDict, Literal and Union. The
// sibling of clientTypes.ts.

import { openApiDocument } from '../packages/contract/src/openapi/openapi.ts'
import { docstring, layOut, wrap } from './pythonText.ts'

/** The part of JSON Schema that the document uses. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly description?: string
  readonly title?: string
  readonly enum?: readonly string[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | boolean
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>
}

/** An operation of the document. */
export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly 'x-scope': string
  readonly parameters?: readonly {
    readonly $ref?: string
    readonly name?: string
    readonly in?: string
    readonly description?: string
    readonly schema?: Schema
  }[]
  readonly requestBody?: Content & { readonly required?: boolean }
  readonly responses: Readonly<Record<string, Content>>
}

/** An operation with its place. */
export interface Placed extends Operation {
  readonly method: string
  readonly path: string
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const document = (): Document => openApiDocument('') as unknown as Document

/** Each operation of the document with its method and path. */
export const placedOperations = (): Placed[] =>
  Object.entries(document().paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
  )

const upperFirst = (text: string) =>
  text.replace(/(?:^|\W)(\w)/g, (_, letter: string) => letter.toUpperCase())

/** The name of an operation or a field in Python. */
export const snakeOf = (name: string): string => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

/** The names of the types of an operation. */
export const typeNames = (operationId: string) => {
  const name = upperFirst(operationId)
  return { query: `${name}Query`, filter: `${name}Filter`, body: `${name}Body`, answer: `${name}Answer` }
}

const keywords = new Set(
  'and as assert async await class def del for from global if import in is not or pass with'.split(' '),
)
const simple: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
}

/** The declarations of the module, by their names. */
type Declared = Map<string, string>

/** The expression of a schema's type. What needs a name of its own is declared as `name`. */
function typeOf(schema: Schema, name: string, declared: Declared): string {
  const { $ref, type = '' } = schema
  if ($ref !== undefined) return $ref.replace(/^.*\//, '')
  if (schema.const !== undefined)
    return `Literal[${schema.const === true ? 'True' : JSON.stringify(schema.const)}]`
  if (schema.enum) {
    const words = `Literal[${schema.enum.map(word => JSON.stringify(word)).join(', ')}]`
    if (words.length < 50) return words
    declared.set(name, `${layOut(`${name} = `, words, '')}${aliasDoc(schema)}`)
    return name
  }
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) {
    const isNullable = choices.some(choice => choice.type === 'null')
    const known = choices.filter(choice => choice.type !== 'null')
    const types = known.map(choice => typeOf(choice, name + upperFirst(choice.title ?? ''), declared))
    const distinct = [...new Set(types)].join(', ')
    const union = distinct.includes(',') && types.length > 1 ? `Union[${distinct}]` : distinct
    return isNullable ? `Optional[${union}]` : union
  }
  if (type === 'array')
    return `List[${typeOf(schema.items ?? {}, name.replace(/(ss)es$|s$/, '$1'), declared)}]`
  if (type === 'object') {
    if (Object.keys(schema.properties ?? {}).length > 0) return declareDict(schema, name, declared)
    const rest = schema.additionalProperties
    return typeof rest === 'object'
      ? `Dict[str, ${typeOf(rest, `${name}Value`, declared)}]`
      : 'Dict[str, Any]'
  }
  return simple[type] ?? 'Any'
}

const aliasDoc = ({ description }: Schema) => (description ? `\n${docstring(description, '')}` : '')

/** Declares a TypedDict. A field whose name is a word of Python needs the form of a call. */
function declareDict(schema: Schema, name: string, declared: Declared, base = 'TypedDict'): string {
  // Its place is before the types within it.
  declared.set(name, '')
  const { description, properties = {}, required = [] } = schema
  const fields = Object.entries(properties).map(([field, of]) => {
    const type = typeOf(of, name + upperFirst(field), declared)
    return {
      field,
      type: required.includes(field) ? type : `NotRequired[${type}]`,
      description: of.description,
    }
  })
  if (fields.some(({ field }) => keywords.has(field) || !/^\w+$/.test(field))) {
    const lines = fields.flatMap(({ description, field, type }) => [
      ...(description ? wrap(description, '        # ') : []),
      `        "${field}": ${type.includes('"') ? `'${type}'` : `"${type}"`},`,
    ])
    declared.set(
      name,
      [`${name} = TypedDict(`, `    "${name}",`, '    {', ...lines, '    },', ')'].join('\n') +
        aliasDoc(schema),
    )
    return name
  }
  const lines = fields.flatMap(({ description, field, type }) => [
    layOut(`${field}: `, type, '    '),
    ...(description ? [docstring(description, '    ')] : []),
  ])
  const about = description ? [docstring(description, '    '), ''] : []
  declared.set(name, [`class ${name}(${base}):`, ...about, ...lines].join('\n'))
  return name
}

/** Declares a schema of the document by its own name. */
function declareSchema(name: string, schema: Schema, declared: Declared): void {
  const type = typeOf(schema, name, declared)
  if (type === name) return
  // Its parts may be declared later.
  const quoted = type.replace(/\b(?!(?:Union|Optional|List|Dict|Any|None)\b)[A-Z]\w*\b/g, word => `"${word}"`)
  declared.set(name, `${layOut(`${name} = `, quoted, '')}${aliasDoc(schema)}`)
}

/** The JSON schema of the answers of success; undefined where there is none. */
export const answerOf = ({ responses }: Operation): Schema | undefined =>
  Object.entries(responses).find(([status, { content }]) => status.startsWith('2') && content)?.[1].content?.[
    'application/json'
  ]?.schema

/** The parameters of an operation's query. */
const queryOf = ({ parameters = [] }: Operation): Readonly<Record<string, Schema>> =>
  Object.fromEntries(
    parameters.flatMap(({ description, in: place, name, schema }) =>
      place === 'query' && name ? [[name, { ...schema, ...(description && { description }) }] as const] : [],
    ),
  )

/** The member of a list's answer that has the rows; undefined where the operation answers no list with cursors. */
export function rowsOf(operation: Operation): string | undefined {
  if (!('cursor' in queryOf(operation))) return undefined
  return Object.entries(answerOf(operation)?.properties ?? {}).find(([, { type }]) => type === 'array')?.[0]
}

/** The expression of the type that an operation's body or answer has, and its declaration where it has no name yet. */
export function typeOfContent(schema: Schema, name: string, declared: Declared = new Map()): string {
  return typeOf(schema, name, declared)
}

/** Declares the types of an operation, and returns that of its body. */
function declareOperation(operation: Operation, declared: Declared): string | undefined {
  const names = typeNames(operation.operationId)
  const query = queryOf(operation)
  const places = Object.entries(query)
  const isPlace = (name: string) => name === 'cursor' || name === 'offset'
  if (rowsOf(operation) !== undefined) {
    const properties = Object.fromEntries(places.filter(([name]) => !isPlace(name)))
    declareDict({ properties, description: `Which rows \`each\` reads.` }, names.filter, declared)
    declareDict(
      { properties: Object.fromEntries(places.filter(([name]) => isPlace(name))) },
      names.query,
      declared,
      names.filter,
    )
  } else if (places.length > 0) declareDict({ properties: query }, names.query, declared)
  const body = operation.requestBody?.required
    ? operation.requestBody.content?.['application/json']?.schema
    : undefined
  const answer = answerOf(operation)
  if (answer) typeOf(answer, names.answer, declared)
  return body && typeOf(body, names.body, declared)
}

/** Lets bodies take any sequence: a list of a narrower type is no `List` of the wider one. */
function takeSequences(bodies: readonly string[], declared: Declared): void {
  const found = new Set(bodies)
  for (const name of found) {
    const text = declared.get(name) ?? ''
    for (const [word] of text.matchAll(/\b[A-Z]\w*/g)) if (declared.has(word)) found.add(word)
    declared.set(name, text.replace(/\bList\[/g, 'Sequence['))
  }
}

/** Returns the text of `_types.py`. */
export function pythonTypes(): string {
  const declared: Declared = new Map()
  for (const [name, schema] of Object.entries(document().components.schemas))
    declareSchema(name, schema, declared)
  const bodies = placedOperations().flatMap(operation => declareOperation(operation, declared) ?? [])
  takeSequences(bodies, declared)
  const names = [...declared.keys()].sort()
  return [
    '"""The types of the API, made from its OpenAPI document. Names and words are those of the API."""',
    '',
    'from __future__ import annotations',
    '',
    'import sys',
    'from typing import TYPE_CHECKING, Any, Dict, List, Literal, Optional, Sequence, TypedDict, Union',
    '',
    'if sys.version_info >= (3, 11):',
    '    from typing import NotRequired',
    'elif TYPE_CHECKING:',
    '    from typing_extensions import NotRequired',
    '',
    '__all__ = [',
    ...names.map(name => `    "${name}",`),
    ']',
    ...[...declared.values()].map(text => `\n\n${text}`),
    '',
  ].join('\n')
}
