// Checks every answer of the API against the contract's declarations for its operation.

import type { Database } from '@callgate/cloud/database/database'
import { AppProblemBody } from '@callgate/contract/app/appProblem'
import { EnrolmentProblemBody } from '@callgate/contract/enrolment/enrolmentOperations'
import { problemsOf, unchangedStatus } from '@callgate/contract/openapi/openapiAnswers'
import { activityActions } from '@callgate/contract/rest/activity'
import { type CallShape, isConditionalRead } from '@callgate/contract/rest/operation'
import { type AppProblemCode, OpenFailedBody, ProblemBody, statusOf } from '@callgate/contract/rest/problem'
import { checker } from '@callgate/contract/validate'
import { expect } from 'vitest'
import {
  appOperationIds,
  appProblemsOf,
  appShapeOf,
  enrolmentOperationIds,
  enrolmentProblemsOf,
  enrolmentShapeOf,
  operationIds,
  shapeOf,
} from './operationShapes.ts'

/** One answer; `code` is the problem's code, and undefined for a success. */
export interface ObservedAnswer {
  /** Its name, with the prefix `app:` for an operation of the dashboard, `enrol:` for that of an enrolled gateway. */
  readonly operation: string
  readonly status: number
  readonly code: AppProblemCode | undefined
}

/** The checked parts of an answer. */
export interface CheckedAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  readonly json: object
}

type Check = ReturnType<typeof checker>
const checkOpenFailed = checker(OpenFailedBody, 'the answer')

/** An operation with what its answers are checked against. */
interface Watched {
  readonly name: string
  readonly shape: CallShape
  readonly problems: readonly AppProblemCode[]
  readonly checkProblem: Check
  /** By the status of success; null where there is no body. */
  readonly checkOf: ReadonlyMap<number, Check | null>
}

function watchedOf(name: string, shape: CallShape, problems: readonly AppProblemCode[]): Watched {
  const checks = Object.entries(shape.answers).map(
    ([status, schema]) => [Number(status), schema && checker(schema, 'the answer')] as const,
  )
  const unchanged = isConditionalRead(shape) ? [[unchangedStatus, null] as const] : []
  const body = name.startsWith('app:')
    ? AppProblemBody
    : name.startsWith('enrol:')
      ? EnrolmentProblemBody
      : ProblemBody
  return {
    name,
    shape,
    problems,
    checkProblem: checker(body, 'the answer'),
    checkOf: new Map([...checks, ...unchanged]),
  }
}

const watchedOperations: readonly Watched[] = [
  ...operationIds.map(id => watchedOf(id, shapeOf(id), problemsOf(shapeOf(id)))),
  ...appOperationIds.map(id => watchedOf(`app:${id}`, appShapeOf(id), appProblemsOf(id))),
  ...enrolmentOperationIds.map(id => watchedOf(`enrol:${id}`, enrolmentShapeOf(id), enrolmentProblemsOf(id))),
]

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
function operationOf(method: string, path: string): Watched | undefined {
  const [asked = ''] = path.split('?')
  const steps = asked.replace(/\/$/, '').split('/')
  const wanted = method === 'HEAD' ? 'GET' : method
  return watchedOperations.find(({ shape }) => {
    const parts = shape.path.split('/')
    const fits = parts.every((part, place) => (part.startsWith(':') ? steps[place] : part === steps[place]))
    return shape.method === wanted && parts.length === steps.length && fits
  })
}

/** Fails the test when an event of a stream does not fit the contract. */
function checkEvents(check: Check, text: string, request: string): void {
  const events = text.split('\n\n').filter(part => part.startsWith('id: '))
  for (const event of events) {
    const [, data = ''] = /^id: \d+\nevent: \w+\ndata: (.*)$/.exec(event) ?? []
    expect(check(JSON.parse(data)), request).toMatchObject({ ok: true })
  }
}

/** Records every answer, and fails the test when the contract does not declare it. */
export function contractCheck() {
  const seen: ObservedAnswer[] = []

  function checkProblem(
    { checkProblem, name, problems }: Watched,
    { json, status }: CheckedAnswer,
    request: string,
  ) {
    const { code } = (json as { error: { code: AppProblemCode } }).error
    seen.push({ operation: name, status, code })
    expect(problems, request).toContain(code)
    const statuses = [statusOf(code), ...(code === 'internal_error' ? [503] : [])]
    expect(statuses, request).toContain(status)
    const check = code === 'open_failed' ? checkOpenFailed : checkProblem
    expect(check(structuredClone(json)), request).toMatchObject({ ok: true })
  }

  function checkSuccess(
    { checkOf, name, shape }: Watched,
    method: string,
    { json, status, text }: CheckedAnswer,
    request: string,
  ) {
    seen.push({ operation: name, status, code: undefined })
    expect([...checkOf.keys()], request).toContain(status)
    const check = checkOf.get(status)
    if (method === 'HEAD' || !check) expect(text, request).toBe('')
    else if (shape.isStream) checkEvents(check, text, request)
    else if (shape.isFile) expect(check(text), request).toMatchObject({ ok: true })
    else expect(check(structuredClone(json)), request).toMatchObject({ ok: true })
  }

  return {
    seen,
    check(method: string, path: string, answer: CheckedAnswer) {
      const { headers, status, text } = answer
      const request = `${method} ${path} answered ${status} ${text.slice(0, 300)}`
      if (!/^\/(api|app)\/v1\//.test(path)) return
      expect(headers['x-request-id'], request).toMatch(/^[\w.-]{1,64}$/)
      const operation = operationOf(method, path)
      const isKept = operation?.shape.isKept === true && status === 200
      const kept = isKept ? 'private, max-age=31536000, immutable' : 'no-store'
      expect(headers['cache-control'], request).toBe(kept)
      if (!operation) return
      if (status < 400) checkSuccess(operation, method, answer, request)
      else if (method === 'HEAD') expect(text, request).toBe('')
      else checkProblem(operation, answer, request)
    },
  }
}
