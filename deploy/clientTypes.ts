// Writes the types of the client as one file without imports: openapi-typescript's output for the OpenAPI document, then the
// declarations of the client itself. Those of the check of proofs stand beside it.

import { readFile } from 'node:fs/promises'
import openapiTypescript, { astToString, type OpenAPI3 } from 'openapi-typescript'
import ts from 'typescript'
import { openApiDocument } from '../packages/contract/src/openapi/openapi.ts'
import { answerSchema, type Json } from '../packages/contract/src/openapi/openapiSchemas.ts'
import { activityActions } from '../packages/contract/src/rest/activity.ts'
import { type OperationId, operations } from '../packages/contract/src/rest/operations.ts'

/** The files of the client's own types. `operations.ts` is not among them: openapi-typescript makes its types. */
const ownFiles = ['types', 'webhook', 'client'] as const

/** For the compiler, `Known | string` is `string`, and the editor forgets the known words. This form makes it offer them. */
const otherWords = 'x-other-words'
const anyOtherWord = ts.factory.createIntersectionTypeNode([
  ts.factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword),
  ts.factory.createTypeLiteralNode([]),
])

interface Answer {
  readonly description: string
  readonly content?: Readonly<Record<string, { readonly schema: Json }>>
}
type Paths = Readonly<
  Record<string, Readonly<Record<string, { readonly responses: Record<string, Answer> }>>>
>

/** The fields of an activity entry, by its action. */
function detailsByAction(): Json {
  const actions = Object.entries(activityActions)
  return {
    type: 'object',
    required: actions.map(([action]) => action),
    properties: Object.fromEntries(
      actions.map(([action, { details, says }]) => [action, { ...answerSchema(details), description: says }]),
    ),
  }
}

/** The document with only the parts for the client's types: of the answers, only those of success. */
function documentOfClient(): Json {
  // What the service sends by webhooks is no call of the client.
  const {
    components,
    paths,
    webhooks: _,
    ...document
  } = openApiDocument('') as Json & {
    components: { schemas: Json; parameters: Json }
    paths: Paths
  }
  const successes = ({ responses }: { readonly responses: Record<string, Answer> }) =>
    Object.entries(responses)
      .filter(([status]) => status.startsWith('2'))
      .map(([status, { content, description }]) => {
        const json = content?.['application/json']
        return [
          status,
          { description, ...(json && { content: { 'application/json': { schema: json.schema } } }) },
        ]
      })
  const { schemas, parameters } = components
  const reduced = {
    ...document,
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, methods]) => [
        path,
        Object.fromEntries(
          Object.entries(methods).map(([method, operation]) => [
            method,
            { ...operation, responses: Object.fromEntries(successes(operation)) },
          ]),
        ),
      ]),
    ),
    components: { schemas: { ...schemas, DetailsByAction: detailsByAction() }, parameters },
  }
  return JSON.parse(JSON.stringify(reduced), (key, value: unknown) =>
    key === 'anyOf' && Array.isArray(value) ? markOtherWords(value) : value,
  ) as Json
}

/** Marks the string that is a union with known words. */
function markOtherWords(alternatives: readonly Json[]): readonly Json[] {
  const hasWords = alternatives.some(one => 'enum' in one || '$ref' in one)
  const isString = (one: Json) => Object.keys(one).join() === 'type' && one['type'] === 'string'
  return alternatives.map(one => (hasWords && isString(one) ? { ...one, [otherWords]: true } : one))
}

/** Gives each method of the client its comment. The client's type takes over the comments of `operations`. */
function describeOperations(node: ts.InterfaceDeclaration): void {
  for (const member of node.members) {
    const { scope, summary } = operations[(member.name as ts.Identifier).text as OperationId]
    const comment = `* ${summary}; needs the scope \`${scope}\`. `
    ts.addSyntheticLeadingComment(member, ts.SyntaxKind.MultiLineCommentTrivia, comment, true)
  }
}

/** The types of the API: `operations`, `components`, and each schema by its name. */
async function typesOfApi(): Promise<string> {
  const document = documentOfClient()
  const nodes = await openapiTypescript(document as unknown as OpenAPI3, {
    silent: true,
    alphabetize: false,
    transform: schema => (otherWords in schema ? anyOtherWord : undefined),
  })
  const { schemas } = document['components'] as { schemas: Json }
  const kept = nodes
    .filter(node => ts.isInterfaceDeclaration(node))
    .filter(({ name }) => name.text === 'operations' || name.text === 'components')
  kept.filter(({ name }) => name.text === 'operations').forEach(describeOperations)
  const named = Object.keys(schemas).map(name => `export type ${name} = components['schemas']['${name}']\n`)
  // Editors show the tag unchanged.
  return `${astToString(kept).replaceAll('* @description ', '* ')}\n${named.join('')}`
}

/** The declarations of one file of the client, without its imports: everything is in one file. */
async function typesOfClient(file: string): Promise<string> {
  const text = await readFile(new URL(`../packages/client/src/${file}.ts`, import.meta.url), 'utf8')
  const { outputText } = ts.transpileDeclaration(text, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  })
  return outputText.replace(/^(?:import [^;]+|export \{[^;]+ from [^;]+);\n/gm, '').replace(/^\/\/.*\n/, '')
}

/** Returns the text of `client.d.ts`. */
export async function clientTypes(): Promise<string> {
  const parts = await Promise.all([typesOfApi(), ...ownFiles.map(typesOfClient)])
  return [
    '// The client of the Callgate API: its types, made from the OpenAPI document of the service.\n',
    ...parts,
  ].join('\n')
}

/** Returns the types of the check of proofs. Those of the API come from `client`, the module beside it. */
export async function proofTypes(client: string): Promise<string> {
  return [
    '// The check of proofs of the Callgate client: its types.\n',
    `import type { Opening } from '${client}'`,
    await typesOfClient('proof'),
  ].join('\n')
}
