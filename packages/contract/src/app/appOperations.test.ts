import { describe, expect, expectTypeOf, it } from 'vitest'
import { operations } from '../rest/operations.ts'
import {
  type AppAnswerOf,
  type AppBodyOf,
  type AppOperationId,
  type AppParamsOf,
  type AppQueryOf,
  appOperations,
  mirroredOperations,
} from './appOperations.ts'
import { appRoutes } from './appRoutes.ts'

describe('appOperations', () => {
  it('contains the operations of the REST API that users share with keys, with their schemas', () => {
    const { followEvents: _, getSelf: __, listEvents: ___, ...ofUsers } = operations
    expect(Object.keys(mirroredOperations).sort()).toEqual(Object.keys(ofUsers).sort())
    for (const [id, operation] of Object.entries(ofUsers)) {
      const { path, scope: _scope, ...same } = operation
      const mirrored = mirroredOperations[id as keyof typeof ofUsers]
      expect(mirrored).toEqual({
        ...same,
        path: path.replace('/api/v1/', '/app/v1/spaces/:spaceId/'),
        role: 'admin',
      })
      expect(mirrored.answers).toBe(operation.answers)
    }
  })

  it('has the paths of the routes, with a Space exactly where a role in one is required', () => {
    expect(Object.keys(appRoutes).sort()).toEqual(Object.keys(appOperations).sort())
    for (const [id, { method, path, role }] of Object.entries(appOperations)) {
      expect({ method, path }, id).toEqual(appRoutes[id as AppOperationId])
      expect(path.startsWith('/app/v1/'), id).toBe(true)
      expect(path.includes('/:spaceId'), id).toBe(role === 'admin' || role === 'owner')
    }
  })

  it('has the types of its schemas, with the Space in the path', () => {
    expectTypeOf<AppParamsOf<'getGate'>>().toExtend<{ readonly gateId: string; readonly spaceId: string }>()
    expectTypeOf<keyof AppParamsOf<'getSession'>>().toEqualTypeOf<never>()
    expectTypeOf<AppQueryOf<'listOpenings'>>().toHaveProperty('limit')
    expectTypeOf<AppBodyOf<'signIn'>>().toEqualTypeOf<{ email: string; password: string }>()
    expectTypeOf<AppAnswerOf<'getSession'>['body']['csrfToken']>().toEqualTypeOf<string>()
    expectTypeOf<AppAnswerOf<'openGate'>['status']>().toEqualTypeOf<200 | 202>()
  })
})
