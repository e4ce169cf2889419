// Checks every answer of the API against what the contract declares for its operation.

import type { Database } from '@callgate/cloud/database/database'
import { problemsOf, unchangedStatus } from '@callgate/contract/openapi/openapiAnswers'
import { activityActions } from '@callgate/contract/rest/activity'
import { isConditionalRead } from '@callgate/contract/rest/operation'
import type { OperationId } from '@callgate/contract/rest/operations'
import { OpenFailedBody, ProblemBody, type ProblemCode, problemCodes } from '@callgate/contract/rest/problem'
import { checker } from '@callgate/contract/validate'
import { expect } from 'vitest'
import { operationIds, shapeOf } from './operationShapes.ts'

/** One answer; `code` is the problem's code, and undefined for a success. */
export interface Seen {
  readonly operation: OperationId
  readonly status: number
  readonly code: ProblemCode | undefined
}

/** What is checked of an answer. */
export interface CheckedAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  readonly json: object
}

type Check = ReturnType<typeof checker>
const checkProblemBody = checker(ProblemBody, 'the answer')
const checkOpenFailed = checker(OpenFailedBody, 'the answer')
const checkOf = new Map<string, Check | null>(
  operationIds.flatMap(id => [
    ...Object.entries(shapeOf(id).answers).map(
      ([status, schema]) => [`${id} ${status}`, schema && checker(schema, 'the answer')] as const,
    ),
    ...(isConditionalRead(shapeOf(id)) ? [[`${id} ${unchangedStatus}`, null] as const] : []),
  ]),
)

const checkDetails = new Map(
  Object.entries(activityActions).map(([action, { details }]) => [action, checker(details, 'details')]),
)

/** Fails the test when an entry of the activity log does not fit what the contract declares for its action. */
export async function auditActivity({ knex }: Database): Promise<void> {
  for (const { action, details, targetType } of await knex('activity')) {
    const entry = `${action} ${targetType} ${details}`
    expect(activityActions, entry).toHaveProperty([action, 'targetType'], targetType)
    expect(checkDetails.get(action)?.(JSON.parse(details)), entry).toMatchObject({ ok: true })
  }
}

/** The operation of a request, whatever its ids are. */
function operationOf(method: string, path: string): OperationId | undefined {
  const [asked = ''] = path.split('?')
  const steps = asked.replace(/\/$/, '').split('/')
  const wanted = method === 'HEAD' ? 'GET' : method
  return operationIds.find(id => {
    const parts = shapeOf(id).path.split('/')
    const fits = parts.every((part, place) => (part.startsWith(':') ? steps[place] : part === steps[place]))
    return shapeOf(id).method === wanted && parts.length === steps.length && fits
  })
}

/** Notes every answer, and fails the test when the contract does not declare it. */
export function contractCheck() {
  const seen: Seen[] = []

  function checkProblem(operation: OperationId, { json, status }: CheckedAnswer, request: string) {
    const { code } = (json as { error: { code: ProblemCode } }).error
    seen.push({ operation, status, code })
    expect(problemsOf(shapeOf(operation)), request).toContain(code)
    const statuses = [problemCodes[code].status, ...(code === 'internal_error' ? [503] : [])]
    expect(statuses, request).toContain(status)
    const check = code === 'open_failed' ? checkOpenFailed : checkProblemBody
    expect(check(structuredClone(json)), request).toMatchObject({ ok: true })
  }

  function checkSuccess(
    operation: OperationId,
    method: string,
    { json, status, text }: CheckedAnswer,
    request: string,
  ) {
    seen.push({ operation, status, code: undefined })
    const name = `${operation} ${status}`
    expect([...checkOf.keys()], request).toContain(name)
    const check = checkOf.get(name)
    if (method === 'HEAD' || !check) expect(text, request).toBe('')
    else expect(check(structuredClone(json)), request).toMatchObject({ ok: true })
  }

  return {
    seen,
    check(method: string, path: string, answer: CheckedAnswer) {
      const { headers, status, text } = answer
      const request = `${method} ${path} answered ${status} ${text.slice(0, 300)}`
      if (!path.startsWith('/api/v1/')) return
      expect(headers['x-request-id'], request).toMatch(/^[\w.-]{1,64}$/)
      expect(headers['cache-control'], request).toBe('no-store')
      const operation = operationOf(method, path)
      if (!operation) return
      if (status < 400) checkSuccess(operation, method, answer, request)
      else if (method === 'HEAD') expect(text, request).toBe('')
      else checkProblem(operation, answer, request)
    },
  }
}
