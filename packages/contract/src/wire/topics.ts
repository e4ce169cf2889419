// Topics: the only place that spells an MQTT topic.

/** What the cloud sends and a gateway receives. */
export const downKinds = ['hint', 'grant', 'ack', 'task'] as const
/** What a gateway sends and the cloud receives. */
export const upKinds = ['claim', 'report', 'beat', 'told'] as const

export type DownKind = (typeof downKinds)[number]
export type UpKind = (typeof upKinds)[number]

/**
 * Topics that no opening needs. A broker whose accounts are managed by hand, or a cloud of an earlier version, may not allow them
 * yet, so a client that cannot subscribe to them continues without.
 */
const extraKinds: readonly (DownKind | UpKind)[] = ['task', 'told']

/** The kinds that every connection needs. */
export const neededOf = <Kind extends DownKind | UpKind>(kinds: readonly Kind[]): readonly Kind[] =>
  kinds.filter(kind => !extraKinds.includes(kind))
/** The kinds that a connection can do without. */
export const extraOf = <Kind extends DownKind | UpKind>(kinds: readonly Kind[]): readonly Kind[] =>
  kinds.filter(kind => extraKinds.includes(kind))

const root = 'gw/v1'

/** The literal topic of one kind of message for one gateway. */
export function topicOf(gatewayId: string, kind: DownKind | UpKind): string {
  return `${root}/${gatewayId}/${kind}`
}

/** What the cloud subscribes to: one kind of message of every gateway. */
export function everyGateway(kind: UpKind): string {
  return `${root}/+/${kind}`
}

/** Whose message it is and of which kind, read from a topic that the cloud receives; undefined for any other topic. */
export function readUpTopic(topic: string): { gatewayId: string; kind: UpKind } | undefined {
  const [first, version, gatewayId, kind, more] = topic.split('/')
  if (`${first}/${version}` !== root || !gatewayId || more !== undefined) return undefined
  const known = upKinds.find(word => word === kind)
  return known && { gatewayId, kind: known }
}
