// The ids in the examples of the documentation.

export const exampleIds = {
  gateId: 'gate_01kdhx3m8e2w7q5v9z4r6t8y0a',
  memberId: 'member_01kdhx9c5n7p2k4s6w8y0a3d5f',
  accessId: 'access_01kdhx9c5p1r3t5v7x9z2b4d6g',
  openingId: 'open_01kdj0v4t6w8y1a3c5e7g9j2m4',
  gatewayId: 'gw_01kdhw7b2d4f6h8k1n3q5s7v9x',
  spaceId: 'space_01kdhw3a1c5e7g9j2m4p6r8t0v',
  apiKeyId: 'key_01kdhw5r9t2v4x6z8b1d3f5h7j',
  webhookId: 'hook_01kdhz4n6q8s0v2x4z6b8d1f3g',
  activityId: 'act_01kdhx9c5q8s0v2x4z6b8d1f3h',
} as const
