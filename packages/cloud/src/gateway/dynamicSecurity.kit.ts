// The accounts of a broker in memory, for tests: behaves as Mosquitto 2.0.11 with its dynamic security was observed to.

import type { MqttConnection, MqttHandlers } from '@callgate/mqtt/mqttConnection'
import type { FoundClient, FoundRole } from './core/brokerChanges.ts'

type SecurityCommand = Record<string, unknown> & { readonly command: string }

export interface PretendPlugin {
  readonly clients: Map<string, FoundClient & { readonly password?: string }>
  readonly roles: Map<string, FoundRole>
  /** The accounts whose connections were ended, in order. */
  readonly kicked: string[]
  /** The names of all commands that arrived, in order. */
  readonly commands: string[]
  /** These commands are answered with this error. */
  refuse: { readonly command: string; readonly error: string } | undefined
  /** The text on the topic of its version; undefined: none. */
  version: string | undefined
  /** Without the plugin nothing answers. */
  isLoaded: boolean
  /** A connection of an account with the right to it. */
  connect(handlers: MqttHandlers): MqttConnection
  /** Ends all connections; `back` opens them again. */
  goAway(): void
  comeBack(): void
}

type Accounts = Pick<PretendPlugin, 'clients' | 'roles' | 'kicked' | 'refuse'>
type Worked = { readonly error?: string; readonly data?: object }

function page<Row>(rows: Iterable<Row>, { count, offset }: SecurityCommand): readonly Row[] {
  return [...rows].slice(Number(offset), Number(offset) + Number(count))
}

function clientOf({ clientid, groups, password, roles, textname, username }: SecurityCommand) {
  return { username, clientid, groups, password, roles, textname } as unknown as FoundClient
}

/** A command on a role; undefined for any other. */
function workOnRole({ roles }: Accounts, given: SecurityCommand): Worked | undefined {
  const role = String(given['rolename'])
  const isThere = roles.has(role)
  if (given.command === 'createRole' && isThere) return { error: 'Role already exists' }
  if (['modifyRole', 'deleteRole'].includes(given.command) && !isThere) return { error: 'Role not found' }
  if (given.command === 'deleteRole') roles.delete(role)
  else if (['createRole', 'modifyRole'].includes(given.command))
    roles.set(role, { rolename: role, acls: given['acls'] as never })
  else return undefined
  return {}
}

/** A command on an account; undefined for any other. */
function workOnClient({ clients, kicked }: Accounts, given: SecurityCommand): Worked | undefined {
  const name = String(given['username'])
  const client = clients.get(name)
  if (given.command === 'createClient') {
    if (client) return { error: 'Client already exists' }
    clients.set(name, clientOf(given))
    return {}
  }
  if (!['modifyClient', 'enableClient', 'deleteClient'].includes(given.command)) return undefined
  if (!client) return { error: 'Client not found' }
  const { disabled: _, ...enabled } = client
  if (given.command === 'modifyClient') clients.set(name, { ...client, ...clientOf(given) })
  else if (given.command === 'enableClient') clients.set(name, enabled)
  else clients.delete(name)
  if (given.command !== 'enableClient') kicked.push(name)
  return {}
}

/** Runs a command; returns its error or its data. */
function work(accounts: Accounts, given: SecurityCommand): Worked {
  const { clients, refuse, roles } = accounts
  if (refuse?.command === given.command) return { error: refuse.error }
  if (given.command === 'listClients')
    return { data: { clients: page(clients.values(), given).map(({ password: _, ...told }) => told) } }
  if (given.command === 'listRoles') return { data: { roles: page(roles.values(), given) } }
  return workOnRole(accounts, given) ?? workOnClient(accounts, given) ?? {}
}

export function pretendPlugin(): PretendPlugin {
  const connections = new Set<MqttHandlers>()
  let isThere = true

  function answerTo(payload: string): void {
    const { commands } = JSON.parse(payload) as { commands: SecurityCommand[] }
    const responses = commands.map(given => {
      plugin.commands.push(given.command)
      const { command, correlationData } = given
      return { command, correlationData, ...work(plugin, given) }
    })
    const answer = Buffer.from(JSON.stringify({ responses }))
    // To every account that may read it.
    queueMicrotask(() => {
      for (const each of connections) each.onMessage('answers', answer)
    })
  }

  const plugin: PretendPlugin = {
    clients: new Map(),
    roles: new Map(),
    kicked: [],
    commands: [],
    refuse: undefined,
    version: undefined,
    isLoaded: true,
    connect(handlers) {
      connections.add(handlers)
      if (isThere)
        queueMicrotask(() => {
          handlers.onConnect()
          if (plugin.version !== undefined) handlers.onKept?.(Buffer.from(plugin.version))
        })
      const isConnected = () => isThere && connections.has(handlers)
      return {
        isConnected,
        publish(_topic, payload) {
          if (isConnected() && plugin.isLoaded) answerTo(payload)
          return isConnected()
        },
        async close() {
          connections.delete(handlers)
        },
      }
    },
    goAway() {
      isThere = false
      for (const each of connections) each.onDisconnect()
    },
    comeBack() {
      isThere = true
      for (const each of connections) each.onConnect()
    },
  }
  return plugin
}
