// The witness: holds every answer of the API against what the contract declares for its operation.

import type { Database } from '@callgate/cloud/database/database'
import { problemsOf } from '@callgate/contract/openapi/openapiAnswers'
import { activityActions } from '@callgate/contract/rest/activity'
import type { OperationId } from '@callgate/contract/rest/operations'
import { OpenFailedBody, ProblemBody, type ProblemCode, problemCodes } from '@callgate/contract/rest/problem'
import { checker } from '@callgate/contract/validate'
import { expect } from 'vitest'
import { operationIds, shapeOf } from './operations.ts'

/** One answer: to a problem belongs its code, to a success none. */
export interface Seen {
  readonly operation: OperationId
  readonly status: number
  readonly code: ProblemCode | undefined
}

/** What a witness looks at. */
export interface Shown {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  readonly json: object
}

const checkProblem = checker(ProblemBody, 'the answer')
const checkOpenFailed = checker(OpenFailedBody, 'the answer')
const checkOf = new Map(
  operationIds.flatMap(id =>
    Object.entries(shapeOf(id).answers).map(([status, schema]) => [
      `${id} ${status}`,
      schema && checker(schema, 'the answer'),
    ]),
  ),
)

const checkDetails = new Map(
  Object.entries(activityActions).map(([action, { details }]) => [action, checker(details, 'details')]),
)

/** Fails the test when an entry of the activity log is not what the contract says of its action. */
export async function auditActivity({ knex }: Database): Promise<void> {
  for (const { action, details, targetType } of await knex('activity')) {
    const told = `${action} ${targetType} ${details}`
    expect(activityActions, told).toHaveProperty([action, 'targetType'], targetType)
    expect(checkDetails.get(action)?.(JSON.parse(details)), told).toMatchObject({ ok: true })
  }
}

/** The operation that a request asks for, whatever its ids look like. */
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

/** Notes every answer and fails the test at one that the contract does not declare. */
export function witness() {
  const seen: Seen[] = []

  function lookAtProblem(operation: OperationId, { json, status }: Shown, told: string) {
    const { code } = (json as { error: { code: ProblemCode } }).error
    seen.push({ operation, status, code })
    expect(problemsOf(shapeOf(operation)), told).toContain(code)
    const statuses = [problemCodes[code].status, ...(code === 'internal_error' ? [503] : [])]
    expect(statuses, told).toContain(status)
    const check = code === 'open_failed' ? checkOpenFailed : checkProblem
    expect(check(structuredClone(json)), told).toMatchObject({ ok: true })
  }

  function lookAtSuccess(
    operation: OperationId,
    method: string,
    { json, status, text }: Shown,
    told: string,
  ) {
    seen.push({ operation, status, code: undefined })
    const name = `${operation} ${status}`
    expect([...checkOf.keys()], told).toContain(name)
    const check = checkOf.get(name)
    if (method === 'HEAD' || !check) expect(text, told).toBe('')
    else expect(check(structuredClone(json)), told).toMatchObject({ ok: true })
  }

  return {
    seen,
    look(method: string, path: string, answer: Shown) {
      const { headers, status, text } = answer
      const told = `${method} ${path} answered ${status} ${text.slice(0, 300)}`
      if (!path.startsWith('/api/v1/')) return
      expect(headers['x-request-id'], told).toMatch(/^[\w.-]{1,64}$/)
      expect(headers['cache-control'], told).toBe('no-store')
      const operation = operationOf(method, path)
      if (!operation) return
      if (status < 400) lookAtSuccess(operation, method, answer, told)
      else if (method === 'HEAD') expect(text, told).toBe('')
      else lookAtProblem(operation, answer, told)
    },
  }
}
