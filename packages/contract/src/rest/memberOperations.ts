// The operations on members: their part of the table.

import Type from 'typebox'
import { AccessId, MemberId } from '../ids.ts'
import { closed } from '../text.ts'
import { Access, AccessGrant, AccessUpdate, Member, MemberCreate, MemberUpdate } from './member.ts'
import type { OperationShape } from './operations.ts'
import { CursorPage, ListQuery } from './paging.ts'

const memberParams = closed({ memberId: MemberId })
const accessParams = closed({ memberId: MemberId, accessId: AccessId })

export const memberOperations = {
  listMembers: {
    method: 'GET',
    path: '/api/v1/members',
    scope: 'members:read',
    rateClass: 'read',
    summary: 'List the members with their accesses and magic links, oldest first',
    query: ListQuery,
    answers: { 200: closed({ members: Type.Array(Member), pagination: Type.Optional(CursorPage) }) },
    problems: [],
  },
  createMember: {
    method: 'POST',
    path: '/api/v1/members',
    scope: 'members:write',
    rateClass: 'write',
    summary: 'Create a member, with accesses; an e-mail address gets the invitation',
    body: MemberCreate,
    answers: { 201: closed({ member: Member }) },
    problems: ['not_found', 'conflict', 'plan_limit_reached'],
  },
  getMember: {
    method: 'GET',
    path: '/api/v1/members/:memberId',
    scope: 'members:read',
    rateClass: 'read',
    summary: 'One member',
    params: memberParams,
    answers: { 200: closed({ member: Member }) },
    problems: ['not_found'],
    extension: true,
  },
  updateMember: {
    method: 'PATCH',
    path: '/api/v1/members/:memberId',
    scope: 'members:write',
    rateClass: 'write',
    summary: 'Change a member; sends no mail',
    params: memberParams,
    body: MemberUpdate,
    answers: { 200: closed({ member: Member }) },
    problems: ['not_found', 'precondition_failed'],
  },
  deactivateMember: {
    method: 'DELETE',
    path: '/api/v1/members/:memberId',
    scope: 'members:write',
    rateClass: 'write',
    summary: 'Deactivate a member: all accesses are revoked, the link is dead at once',
    params: memberParams,
    answers: { 204: null },
    problems: ['not_found', 'precondition_failed'],
  },
  addAccess: {
    method: 'POST',
    path: '/api/v1/members/:memberId/accesses',
    scope: 'members:write',
    rateClass: 'write',
    summary: 'Grant a member access to a gate; a member with an e-mail address is notified',
    params: memberParams,
    body: AccessGrant,
    answers: { 201: closed({ access: Access }) },
    problems: ['not_found', 'conflict'],
  },
  updateAccess: {
    method: 'PATCH',
    path: '/api/v1/members/:memberId/accesses/:accessId',
    scope: 'members:write',
    rateClass: 'write',
    summary: 'Change an access',
    params: accessParams,
    body: AccessUpdate,
    answers: { 200: closed({ access: Access }) },
    problems: ['not_found', 'precondition_failed'],
  },
  revokeAccess: {
    method: 'DELETE',
    path: '/api/v1/members/:memberId/accesses/:accessId',
    scope: 'members:write',
    rateClass: 'write',
    summary: 'Revoke an access',
    params: accessParams,
    answers: { 204: null },
    problems: ['not_found', 'precondition_failed'],
  },
  resetMemberLink: {
    method: 'POST',
    path: '/api/v1/members/:memberId/link/reset',
    scope: 'members:write',
    rateClass: 'write',
    summary: 'Give a member another magic link; the old one is dead at once',
    params: memberParams,
    body: closed({}),
    bodyOptional: true,
    answers: { 200: closed({ member: Member }) },
    problems: ['not_found', 'conflict'],
    extension: true,
  },
  sendInvitation: {
    method: 'POST',
    path: '/api/v1/members/:memberId/invitation',
    scope: 'members:write',
    rateClass: 'write',
    summary: 'Mail the invitation again; it is not counted again',
    params: memberParams,
    body: closed({}),
    bodyOptional: true,
    answers: { 202: closed({ member: Member }) },
    problems: ['not_found', 'conflict'],
    extension: true,
  },
} as const satisfies Record<string, OperationShape>
