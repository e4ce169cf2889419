// Writes the methods of the Python clients, blocking and for asyncio: one for each operation of the OpenAPI document.

import { docstring, layOut } from './pythonText.ts'
import {
  answerOf,
  type Placed,
  placedOperations,
  rowsOf,
  snakeOf,
  typeNames,
  typeOfContent,
} from './pythonTypes.ts'

/** The options that become headers. */
const headers: Readonly<Record<string, readonly [header: string, option: string]>> = {
  IfMatch: ['If-Match', 'if_match'],
  IfNoneMatch: ['If-None-Match', 'if_none_match'],
  Prefer: ['Prefer', 'prefer'],
}

/** What a method is written from. */
interface Method {
  readonly name: string
  readonly ids: readonly string[]
  readonly bodyType: string | undefined
  readonly queryType: string | undefined
  readonly answerType: string
  readonly headers: readonly (readonly [header: string, option: string])[]
  readonly isRepeatable: boolean
  readonly isPress: boolean
  readonly operation: Placed
}

function methodOf(operation: Placed): Method {
  const { operationId, parameters = [], path, requestBody } = operation
  const names = typeNames(operationId)
  const body = requestBody?.required ? requestBody.content?.['application/json']?.schema : undefined
  const answer = answerOf(operation)
  const references = parameters.map(({ $ref = '' }) => $ref.replace(/^.*\//, ''))
  return {
    name: snakeOf(operationId),
    ids: [...path.matchAll(/\{(\w+)\}/g)].map(([, id = '']) => snakeOf(id)),
    bodyType: body && typeOfContent(body, names.body),
    queryType: parameters.some(({ in: place }) => place === 'query') ? names.query : undefined,
    answerType: answer ? typeOfContent(answer, names.answer) : 'None',
    headers: references.flatMap(reference => (headers[reference] ? [headers[reference]] : [])),
    isRepeatable: references.includes('IdempotencyKey'),
    isPress: operationId === 'openGate',
    operation,
  }
}

const pythonPath = (path: string) => path.replace(/\{(\w+)\}/g, (_, id: string) => `{${snakeOf(id)}}`)

/** The arguments of a method. */
const argumentsOf = (method: Method): string[] => [
  'self',
  ...method.ids.map(id => `${id}: str`),
  ...(method.bodyType ? [`body: ${method.bodyType}`] : []),
  ...(method.queryType ? [`query: Optional[${method.queryType}] = None`] : []),
  '*',
  ...method.headers.map(([, option]) => `${option}: Optional[str] = None`),
  ...(method.isRepeatable ? ['idempotency_key: Optional[str] = None'] : []),
  ...(method.isPress ? ['retry_open: int = 0'] : []),
  'deadline_s: Optional[float] = None',
]

/** The expression of the call that a method makes. */
function callOf(method: Method): string {
  const { headers, ids, operation } = method
  const parts = [
    `"${operation.method}"`,
    `"${pythonPath(operation.path)}"`,
    `{${ids.map(id => `"${id}": ${id}`).join(', ')}}`,
    ...(method.queryType ? ['query=query'] : []),
    ...(method.bodyType ? ['body=body'] : []),
    ...(headers.length > 0
      ? [`headers={${headers.map(([name, option]) => `"${name}": ${option}`).join(', ')}}`]
      : []),
    ...(method.isRepeatable ? ['idempotency_key=idempotency_key'] : []),
    ...(method.isPress ? ['retry_open=retry_open', 'is_press=True'] : []),
    'deadline_s=deadline_s',
  ]
  return `Call(${parts.join(', ')})`
}

function textOf(method: Method, isAsync: boolean): string {
  const { summary, 'x-scope': scope } = method.operation
  const needs = scope === 'any' ? '' : `; needs the scope \`${scope}\``
  return [
    layOut(
      isAsync ? 'async def ' : 'def ',
      `${method.name}(${argumentsOf(method).join(', ')})`,
      '    ',
      ` -> Answer[${method.answerType}]:`,
    ),
    docstring(`${summary}${needs}.`, '        '),
    layOut(`return ${isAsync ? 'await ' : ''}`, `self._call(${callOf(method)})`, '        '),
    '',
  ].join('\n')
}

function rowTypeOf(operation: Placed): string {
  const rows = answerOf(operation)?.properties?.[rowsOf(operation) ?? '']
  return typeOfContent(rows?.items ?? {}, '')
}

/** `each`, with the type of its rows for each list. */
function eachOf(lists: readonly Method[], iterator: string): string {
  const signature = (operation: string, query: string, rows: string) =>
    layOut(
      'def ',
      `each(self, operation: ${operation}, query: Optional[${query}] = None, *, deadline_s: Optional[float] = None)`,
      '    ',
      ` -> ${iterator}[${rows}]:`,
    )
  const overloads = lists.map(({ name, operation }) => {
    const typed = signature(
      `Literal["${name}"]`,
      typeNames(operation.operationId).filter,
      rowTypeOf(operation),
    )
    return `    @overload\n${typed}\n        ...\n`
  })
  const names = lists.map(({ name }) => `\`${name}\``)
  return [
    ...overloads,
    signature('str', 'Mapping[str, object]', 'Any'),
    docstring(
      `Every row of a list, page by page, each read when it is needed; needs the scope of the list: one of ${names.join(', ')}.`,
      '        ',
    ),
    '        if operation not in LISTS:',
    '            raise ValueError(f"each reads one of {\', \'.join(LISTS)}")',
    '        path, member = LISTS[operation]',
    '        call = Call("GET", path, {}, query=query, deadline_s=deadline_s)',
    '        return self._each(call, member)',
  ].join('\n')
}

const about = `The methods of the API. A method takes the ids of its path, then the body or the query,
    then options by name.

    - \`deadline_s\`: seconds for the whole call, with all its tries and pauses.
    - \`idempotency_key\`: the client makes one by default. Pass your own to continue a call after a
      restart. At most 250 characters.
    - \`if_match\`: the \`etag\` of the state that you read. Another state is \`precondition_failed\`.
    - \`if_none_match\`: the \`etag\` that you have. Where nothing has changed since, the call raises
      \`not_modified\`.
    - \`prefer\`: \`wait=N\` (seconds) shortens the wait for the outcome; \`respond-async\` does not wait.
    - \`retry_open\`: how many more times to call the gate after \`open_failed\` with
      \`safe_to_retry\`, such as when its number was busy. Each call is another opening. Where
      \`safe_to_retry\` is false, no other call is made.
    `

function classOf(name: string, methods: readonly Method[], isAsync: boolean): string {
  const iterator = isAsync ? 'AsyncIterator' : 'Iterator'
  const lists = methods.filter(({ operation }) => rowsOf(operation) !== undefined)
  return [
    `class ${name}(ABC):`,
    `    """${about}"""`,
    '',
    '    @abstractmethod',
    `    ${isAsync ? 'async ' : ''}def _call(self, call: Call) -> Answer[Any]:`,
    '        """Makes the call."""',
    '',
    '    @abstractmethod',
    `    def _each(self, call: Call, member: str) -> ${iterator}[Any]:`,
    '        """Reads the rows of a list."""',
    '',
    ...methods.map(method => textOf(method, isAsync)),
    eachOf(lists, iterator),
    '',
  ].join('\n')
}

/** Returns the text of `_methods.py`. */
export function pythonMethods(): string {
  const operations = placedOperations()
  const isStream = ({ responses }: Placed) => responses['200']?.content?.['text/event-stream'] !== undefined
  const methods = operations.filter(operation => !isStream(operation)).map(methodOf)
  const lists = operations.flatMap(operation => {
    const rows = rowsOf(operation)
    return rows === undefined
      ? []
      : [`    "${snakeOf(operation.operationId)}": ("${operation.path}", "${rows}"),`]
  })
  const used = methods.flatMap(({ answerType, bodyType = '', operation, queryType = '' }) => [
    answerType,
    bodyType,
    queryType,
    ...(rowsOf(operation) ? [rowTypeOf(operation), typeNames(operation.operationId).filter] : []),
  ])
  return [
    '"""One method for each operation of the API, made from its OpenAPI document."""',
    '',
    'from __future__ import annotations',
    '',
    'from abc import ABC, abstractmethod',
    'from typing import Any, AsyncIterator, Dict, Iterator, Literal, Mapping, Optional, Tuple, overload',
    '',
    'from ._core import Answer, Call',
    'from ._types import (',
    ...[...new Set(used)]
      .filter(name => name !== '' && name !== 'None')
      .sort()
      .map(name => `    ${name},`),
    ')',
    '',
    'LISTS: Dict[str, Tuple[str, str]] = {',
    ...lists,
    '}',
    '',
    '',
    classOf('Methods', methods, false),
    '',
    classOf('AsyncMethods', methods, true),
  ].join('\n')
}
