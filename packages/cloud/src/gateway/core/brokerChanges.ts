// The accounts at a broker with Mosquitto's dynamic security: computes the commands that turn the found accounts into the wanted
// ones.

/** The kinds of rules that the plugin knows and that our roles use. */
export type RuleKind = 'publishClientSend' | 'publishClientReceive' | 'subscribeLiteral'

/** One rule of a role. All of ours allow something; everything else is denied by default. */
export interface Rule {
  readonly acltype: RuleKind
  readonly topic: string
  readonly allow: true
}

/** An account with one role, which has its name. */
export interface WantedAccount {
  /** The user name. */
  readonly name: string
  readonly role: string
  /** Undefined: any client id, for several clouds at once. */
  readonly clientId: string | undefined
  readonly rules: readonly Rule[]
  /** Undefined: nobody knows the password any more. Such an account stays as it is found, and is never created. */
  readonly login: { readonly password: string; readonly mark: string } | undefined
}

/** A client in the plugin's answer (its name for an account). Empty fields may be missing. */
export interface FoundClient {
  readonly username: string
  readonly clientid?: string
  readonly textname?: string
  readonly disabled?: boolean
  readonly roles?: readonly { readonly rolename: string }[]
  readonly groups?: readonly { readonly groupname: string }[]
}

export interface FoundRole {
  readonly rolename: string
  readonly acls?: readonly { readonly acltype: string; readonly topic: string; readonly allow: boolean }[]
}

export interface Found {
  readonly clients: readonly FoundClient[]
  readonly roles: readonly FoundRole[]
}

/** A command of the plugin in the form in which it is sent. It may contain a password, so it is never logged. */
export type Command = Readonly<Record<string, unknown>> & { readonly command: string }

/** The changes to make, and those that are impossible. */
export interface Changes {
  readonly commands: readonly Command[]
  /** The wanted accounts that do not exist, and whose password nobody knows. */
  readonly unknownLogins: readonly string[]
}

const roleKey = (rules: FoundRole['acls'] = []) =>
  JSON.stringify(rules.map(({ acltype, allow, topic }) => `${acltype} ${topic} ${allow}`).sort())

function isAsWanted(client: FoundClient, { clientId, login, role }: WantedAccount): boolean {
  const [only, ...others] = client.roles ?? []
  return (
    !client.disabled &&
    (client.clientid ?? '') === (clientId ?? '') &&
    only?.rolename === role &&
    others.length === 0 &&
    (client.groups ?? []).length === 0 &&
    (login === undefined || client.textname === login.mark)
  )
}

/** The commands that make `wanted`, role first, out of what was found. Creating an existing account again changes nothing. */
export function accountChanges(
  wanted: WantedAccount,
  client: FoundClient | undefined,
  role: FoundRole | undefined,
): Changes {
  const { clientId, login, name, role: rolename, rules } = wanted
  if (!client && !login) return { commands: [], unknownLogins: [name] }
  const commands: Command[] = []
  if (!role) commands.push({ command: 'createRole', rolename, acls: rules })
  else if (roleKey(role.acls) !== roleKey(rules))
    commands.push({ command: 'modifyRole', rolename, acls: rules })
  const account = {
    username: name,
    clientid: clientId ?? '',
    roles: [{ rolename }],
    ...(login && { password: login.password, textname: login.mark }),
  }
  if (!client) commands.push({ command: 'createClient', ...account })
  else if (!isAsWanted(client, wanted)) {
    commands.push({ command: 'modifyClient', ...account, groups: [] })
    if (client.disabled) commands.push({ command: 'enableClient', username: name })
  }
  return { commands, unknownLogins: [] }
}

/** The commands that end an account and its connection. */
export function removal(
  name: string,
  found: { readonly client: boolean; readonly role: boolean },
): Command[] {
  return [
    ...(found.client ? [{ command: 'deleteClient', username: name }] : []),
    ...(found.role ? [{ command: 'deleteRole', rolename: name }] : []),
  ]
}

/**
 * All differences: first what must be ended, then what must be created or changed. Only names that `isOurs` accepts are removed;
 * accounts and roles of others stay.
 */
export function brokerChanges(
  found: Found,
  wanted: readonly WantedAccount[],
  isOurs: (name: string) => boolean,
): Changes {
  const clients = new Map(found.clients.map(client => [client.username, client]))
  const roles = new Map(found.roles.map(role => [role.rolename, role]))
  const names = new Set(wanted.map(({ name }) => name))
  const roleNames = new Set(wanted.map(({ role }) => role))
  const gone = new Set([...clients.keys(), ...roles.keys()].filter(name => isOurs(name)))
  const removals = [...gone].flatMap(name =>
    removal(name, {
      client: clients.has(name) && !names.has(name),
      role: roles.has(name) && !roleNames.has(name),
    }),
  )
  const changes = wanted.map(account =>
    accountChanges(account, clients.get(account.name), roles.get(account.role)),
  )
  return {
    commands: [...removals, ...changes.flatMap(({ commands }) => commands)],
    unknownLogins: changes.flatMap(({ unknownLogins }) => unknownLogins),
  }
}

/** The commands in pieces of at most `most` commands and `mostBytes` bytes as JSON: a broker works on one piece at a time. */
export function inPieces(commands: readonly Command[], most: number, mostBytes: number): Command[][] {
  const pieces: Command[][] = []
  let bytes = Number.POSITIVE_INFINITY
  for (const command of commands) {
    const size = JSON.stringify(command).length + 1
    const last = pieces.at(-1)
    if (last && last.length < most && bytes + size <= mostBytes) {
      last.push(command)
      bytes += size
    } else {
      pieces.push([command])
      bytes = size
    }
  }
  return pieces
}
