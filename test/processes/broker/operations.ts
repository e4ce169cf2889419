// Every operation that a gateway may not do at a broker: one table, run on each broker.

import { downKinds, topicOf, upKinds } from '@callgate/contract/wire/topics'
import type { IClientOptions } from 'mqtt'

/** A login at the broker. */
export interface Login {
  readonly id: string
  readonly password: string
}

export interface Cast {
  /** The client: an admitted gateway. */
  readonly own: Login
  /** A gateway of another Space. */
  readonly other: Login
  /** A gateway that was revoked, with its old password. */
  readonly revoked: Login
}

type Message = {
  readonly topic: string
  readonly payload: string
  readonly qos?: 1 | 2
  readonly retain?: true
}

/** The attempt: a connection that is refused, or a connection that then publishes or subscribes. */
export interface Operation {
  readonly name: string
  readonly connect?: (cast: Cast) => Partial<IClientOptions>
  readonly publish?: (cast: Cast) => Message
  readonly subscribe?: (cast: Cast) => string
}

const asked = 'forged'
const published = (name: string, topic: (cast: Cast) => string, more: Partial<Message> = {}): Operation => ({
  name: `publishes ${name}`,
  publish: cast => ({ topic: topic(cast), payload: asked, ...more }),
})
const read = (name: string, subscribe: (cast: Cast) => string): Operation => ({
  name: `reads ${name}`,
  subscribe,
})
const refused = (name: string, connect: (cast: Cast) => Partial<IClientOptions>): Operation => ({
  name: `connects ${name}`,
  connect,
})

const command = JSON.stringify({
  commands: [
    {
      command: 'addRoleACL',
      rolename: 'callgate-cloud',
      acltype: 'publishClientSend',
      topic: '#',
      allow: true,
    },
  ],
})
const control = '$CONTROL/dynamic-security/v1'
const withoutId = (topic: string) => topic.slice(0, topic.indexOf('/+'))
/** An unused id of the same length. Ids are random, so the id may already end with the character that we would use. */
const otherThan = (id: string) => `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`
const as = ({ id, password }: Login) => ({ clientId: id, username: id, password })
const will = (topic: string, more: object = {}) => ({
  will: { topic, payload: Buffer.from(asked), qos: 1 as const, retain: false, ...more },
})

export const operations: readonly Operation[] = [
  ...[...upKinds, ...downKinds].map(kind =>
    published(`to ${kind} of another`, ({ other }) => topicOf(other.id, kind)),
  ),
  ...downKinds.map(kind => published(`to its own ${kind}`, ({ own }) => topicOf(own.id, kind))),
  published('to its own beat, below it', ({ own }) => `${topicOf(own.id, 'beat')}/more`),
  published('to $SYS', () => '$SYS/broker/version'),
  published('to $CONTROL', () => control, { payload: command }),
  published('elsewhere', () => 'anything'),
  published('with a wildcard', () => topicOf('+', 'beat')),
  published('to everything', () => '#'),
  published('what is retained, to its own beat', ({ own }) => topicOf(own.id, 'beat'), { retain: true }),
  published('with QoS 2', ({ own }) => topicOf(own.id, 'beat'), { qos: 2 }),
  published('40 kB', ({ own }) => topicOf(own.id, 'beat'), { payload: asked.padEnd(40_000, 'x') }),
  published('1 MB', ({ own }) => topicOf(own.id, 'beat'), { payload: asked.padEnd(1_000_000, 'x') }),

  ...[...downKinds, ...upKinds].map(kind =>
    read(`${kind} of another`, ({ other }) => topicOf(other.id, kind)),
  ),
  ...upKinds.map(kind => read(`its own ${kind}`, ({ own }) => topicOf(own.id, kind))),
  ...[...downKinds, ...upKinds].map(kind => read(`${kind} of all`, () => topicOf('+', kind))),
  read('all of its own', ({ own }) => topicOf(own.id, '+' as 'hint')),
  read('all of another', ({ other }) => topicOf(other.id, '#' as 'hint')),
  read('all gateways', () => `${withoutId(topicOf('+', 'hint'))}/#`),
  read('everything', () => '#'),
  read('everything of four levels', () => '+/+/+/+'),
  read('$SYS', () => '$SYS/#'),
  read('$CONTROL', () => '$CONTROL/#'),
  read('answers of the dynamic security', () => `${control}/response`),
  read('another by a shared subscription', ({ other }) => `$share/g/${topicOf(other.id, 'hint')}`),
  read('its own by a shared subscription', ({ own }) => `$share/g/${topicOf(own.id, 'hint')}`),

  refused('without a login', ({ own }) => ({ clientId: own.id })),
  refused('without a login, as nobody', () => ({})),
  refused('without a password', ({ own }) => ({ clientId: own.id, username: own.id })),
  refused('with an empty password', ({ own }) => ({ ...as(own), password: '' })),
  refused('with another password', ({ own }) => ({ ...as(own), password: 'wrong' })),
  refused("with another's password", ({ other, own }) => ({ ...as(own), password: other.password })),
  refused('as another, with its own password', ({ other, own }) => ({
    ...as(other),
    password: own.password,
  })),
  refused('with the client id of another', ({ other, own }) => ({ ...as(own), clientId: other.id })),
  refused('with the client id of the cloud', ({ own }) => ({ ...as(own), clientId: 'cloud' })),
  refused('as the cloud', ({ own }) => ({ clientId: 'cloud', username: 'callgate', password: own.password })),
  refused('as the admin', ({ own }) => ({
    clientId: 'x',
    username: 'callgate-admin',
    password: own.password,
  })),
  refused('as an unknown gateway', ({ own }) => as({ ...own, id: otherThan(own.id) })),
  refused('revoked, with its old password', ({ revoked }) => as(revoked)),
  refused('revoked, under its own new name', ({ own, revoked }) => ({
    ...as(own),
    password: revoked.password,
  })),
  ...upKinds.map(kind =>
    refused(`with a will on ${kind} of another`, ({ other, own }) => ({
      ...as(own),
      ...will(topicOf(other.id, kind)),
    })),
  ),
  ...downKinds.map(kind =>
    refused(`with a will on ${kind} of another`, ({ other, own }) => ({
      ...as(own),
      ...will(topicOf(other.id, kind)),
    })),
  ),
  refused('with a will on $CONTROL', ({ own }) => ({ ...as(own), ...will(control) })),
  refused('with a will that is retained', ({ own }) => ({
    ...as(own),
    ...will(topicOf(own.id, 'beat'), { retain: true }),
  })),
]
