// The rooms of a package, which are its top folders and files, and which room imports from which.

import { dirname, join, normalize } from 'node:path'
import type { Facts } from './facts.ts'

/** `packages/cloud/src/gate/gates.ts` → `gate`; a file at the root of `src` is a room of its own. */
function roomOf(path: string): string | undefined {
  return /^packages\/[^/]+\/src\/([^/]+?)(?:\.tsx?)?(?:\/|$)/.exec(path)?.[1]
}

/** Rooms by name, each with the rooms that it imports from. Tests and kits are left out. */
export type Rooms = ReadonlyMap<string, ReadonlySet<string>>

export function roomsOf(packageName: string, facts: readonly Facts[]): Rooms {
  const rooms = new Map<string, Set<string>>()
  for (const { imports, path } of facts) {
    if (!path.startsWith(`packages/${packageName}/src/`) || /\.(test|kit)\.tsx?$/.test(path)) continue
    const room = roomOf(path) ?? ''
    const targets = rooms.get(room) ?? new Set()
    rooms.set(room, targets)
    for (const { specifier } of imports) {
      const target = specifier.startsWith('.') ? roomOf(normalize(join(dirname(path), specifier))) : undefined
      if (target !== undefined && target !== room) targets.add(target)
    }
  }
  return rooms
}

/** A cycle of rooms as a list that ends where it begins; undefined where there is none. */
export function cycleIn(rooms: Rooms): readonly string[] | undefined {
  const done = new Set<string>()
  const visit = (room: string, trail: readonly string[]): readonly string[] | undefined => {
    if (trail.includes(room)) return [...trail.slice(trail.indexOf(room)), room]
    if (done.has(room)) return undefined
    for (const target of rooms.get(room) ?? []) {
      const cycle = visit(target, [...trail, room])
      if (cycle) return cycle
    }
    done.add(room)
    return undefined
  }
  for (const room of rooms.keys()) {
    const cycle = visit(room, [])
    if (cycle) return cycle
  }
  return undefined
}

/** What a pure core is known by: a file in `core`, or a folder there, which is one noun. */
const coreOf = (path: string) => /\/src\/(core\/[^/]+?)(?:\.ts)?(?:\/|$)/.exec(path)?.[1]

/** The cores of a package that stand in no room, each with the rooms that use it, also through another core. */
export function usersOfCores(packageName: string, facts: readonly Facts[]): Rooms {
  const users = new Map<string, Set<string>>()
  for (const { imports, path } of facts) {
    if (!path.startsWith(`packages/${packageName}/src/`) || /\.(test|kit)\.tsx?$/.test(path)) continue
    const user = coreOf(path) ?? roomOf(path) ?? ''
    if (coreOf(path) !== undefined) users.set(user, users.get(user) ?? new Set())
    for (const { specifier } of imports) {
      const core = specifier.startsWith('.') ? coreOf(normalize(join(dirname(path), specifier))) : undefined
      if (core !== undefined && core !== user) users.set(core, (users.get(core) ?? new Set()).add(user))
    }
  }
  const roomsOfCore = (core: string, seen: ReadonlySet<string>): readonly string[] =>
    [...(users.get(core) ?? [])].flatMap(user => {
      if (!user.startsWith('core/')) return [user]
      return seen.has(user) ? [] : roomsOfCore(user, new Set([...seen, user]))
    })
  return new Map([...users.keys()].map(core => [core, new Set(roomsOfCore(core, new Set([core])))]))
}

/** The imports of a room's core from another room, as `path imports path`. */
export function foreignCores(packageName: string, facts: readonly Facts[]): readonly string[] {
  return facts
    .filter(
      ({ path }) => path.startsWith(`packages/${packageName}/src/`) && !/\.(test|kit)\.tsx?$/.test(path),
    )
    .flatMap(({ imports, path }) =>
      imports
        .filter(({ specifier }) => specifier.startsWith('.'))
        .map(({ specifier }) => normalize(join(dirname(path), specifier)))
        .filter(target => /\/src\/[^/]+\/core\//.test(target) && roomOf(target) !== roomOf(path))
        .map(target => `${path} imports ${target}`),
    )
}
