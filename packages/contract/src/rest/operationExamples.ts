// One example of each operation's request and answers; the compiler and a test hold them against the schemas.

import type { Static, TSchema } from 'typebox'
import {
  exampleAccess,
  exampleActivity,
  exampleEvidence,
  exampleGate,
  exampleIds,
  exampleMember,
  exampleOpening,
  exampleProfile,
} from './examples.ts'
import type { BodyOf, OperationId, Operations, ParamsOf, QueryOf } from './operations.ts'

export type OperationExample<Id extends OperationId> = {
  readonly params: ParamsOf<Id>
  readonly query?: Partial<QueryOf<Id>>
  readonly answers: {
    readonly [Status in keyof Operations[Id]['answers']]: Operations[Id]['answers'][Status] extends TSchema
      ? Static<Operations[Id]['answers'][Status]>
      : null
  }
} & (Operations[Id] extends { readonly body: TSchema }
  ? { readonly body: BodyOf<Id> }
  : { readonly body?: never })

const { accessId, gateId, memberId, openingId } = exampleIds
/** The one that follows the example, which the cloud's own tests make again. */
const cursor = 'MjAyNi0wMS0wNVQwODoxMjowMC4wMDBaIGFjdF8wMWtkaHg5YzVxOHMwdjJ4NHo2YjhkMWYzaCA4amhyc24'

export const operationExamples: { readonly [Id in OperationId]: OperationExample<Id> } = {
  listGates: {
    params: {},
    query: { isActive: true },
    answers: { 200: { gates: [exampleGate] } },
  },
  createGate: {
    params: {},
    body: { name: 'Courtyard gate', phoneNumber: '0722 123 456', location: 'Strada Lungă 12, Brașov' },
    answers: { 201: { gate: { ...exampleGate, openCount: 0, lastOpenedAt: null } } },
  },
  getGate: { params: { gateId }, answers: { 200: { gate: exampleGate } } },
  updateGate: {
    params: { gateId },
    body: { name: 'Back gate', description: 'Behind the garages' },
    answers: { 200: { gate: { ...exampleGate, name: 'Back gate', description: 'Behind the garages' } } },
  },
  deactivateGate: { params: { gateId }, answers: { 204: null } },
  getGateProfile: { params: { gateId }, answers: { 200: { profile: exampleProfile } } },
  updateGateProfile: {
    params: { gateId },
    body: { mode: 'reject', coolDownMs: 20_000 },
    answers: { 200: { profile: { ...exampleProfile, coolDownMs: 20_000 } } },
  },
  openGate: {
    params: { gateId },
    body: {},
    answers: { 200: { opened: true, openingId }, 202: { opened: false, openingId } },
  },
  listMembers: {
    params: {},
    query: { limit: 50, cursor: '' },
    answers: { 200: { members: [exampleMember], pagination: { limit: 50, nextCursor: null } } },
  },
  createMember: {
    params: {},
    body: {
      name: 'Ana Pop',
      email: 'ana@example.com',
      phone: '0722 000 111',
      note: 'Second floor',
      accesses: [
        {
          gateId,
          schedules: [
            { type: 'weekdays', timeWindows: [{ from: '08:00', to: '18:00' }] },
            {
              type: 'custom',
              daysOfWeek: [5],
              timeWindows: [{ from: '22:00', to: '06:00' }],
              expiresAt: '2026-12-31T23:00:00+02:00',
            },
          ],
          maxUsage: 100,
        },
      ],
    },
    answers: {
      201: {
        member: { ...exampleMember, accesses: [{ ...exampleAccess, usageCount: 0, lastUsedAt: null }] },
      },
    },
  },
  getMember: { params: { memberId }, answers: { 200: { member: exampleMember } } },
  updateMember: {
    params: { memberId },
    body: { phone: null, note: 'Third floor' },
    answers: { 200: { member: { ...exampleMember, phone: null, note: 'Third floor' } } },
  },
  deactivateMember: { params: { memberId }, answers: { 204: null } },
  addAccess: {
    params: { memberId },
    body: { gateId, schedules: [{ type: 'weekends' }], maxUsage: null },
    answers: {
      201: {
        access: {
          ...exampleAccess,
          schedules: [{ type: 'weekends', timezone: 'Europe/Bucharest' }],
          maxUsage: null,
          usageCount: 0,
          lastUsedAt: null,
        },
      },
    },
  },
  updateAccess: {
    params: { memberId, accessId },
    body: { isActive: false },
    answers: { 200: { access: { ...exampleAccess, isActive: false } } },
  },
  revokeAccess: { params: { memberId, accessId }, answers: { 204: null } },
  resetMemberLink: { params: { memberId }, body: {}, answers: { 200: { member: exampleMember } } },
  sendInvitation: { params: { memberId }, body: {}, answers: { 202: { member: exampleMember } } },
  listOpenings: {
    params: {},
    query: { limit: 50, offset: 0 },
    answers: { 200: { openings: [exampleOpening], pagination: { limit: 50, offset: 0 } } },
  },
  getOpening: {
    params: { openingId },
    answers: { 200: { opening: exampleOpening, evidence: exampleEvidence } },
  },
  listActivity: {
    params: {},
    query: { limit: 1, cursor: '' },
    answers: { 200: { activity: [exampleActivity], pagination: { limit: 1, nextCursor: cursor } } },
  },
}
