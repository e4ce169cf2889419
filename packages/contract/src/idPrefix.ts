// The prefix of each kind of id, apart from the schemas: a program that makes ids need not load those.

/** What stands before the underscore of each kind of id. */
export const idPrefix = {
  space: 'space',
  apiKey: 'key',
  gate: 'gate',
  gateway: 'gw',
  member: 'member',
  access: 'access',
  mail: 'mail',
  opening: 'open',
  activity: 'act',
  user: 'user',
  session: 'session',
  invitation: 'invite',
  passwordReset: 'reset',
  replica: 'replica',
  cloud: 'cloud',
  stream: 'stream',
  enrolment: 'enrol',
  incident: 'inc',
  alertMail: 'alert',
  alertNotification: 'tell',
  task: 'task',
  webhook: 'hook',
} as const
