// The rooms of a package, which are its top folders and files, and the imports of its rooms and files.

import { dirname, join, normalize } from 'node:path'
import type { Facts } from './facts.ts'

/** `packages/cloud/src/gate/gates.ts` → `gate`; a file at the root of `src` is a room of its own. */
export function roomOf(path: string): string | undefined {
  return /^packages\/[^/]+\/src\/([^/]+?)(?:\.tsx?)?(?:\/|$)/.exec(path)?.[1]
}

/** Rooms or files by name, each with those that it imports from. Tests and kits are left out. */
export type Imports = ReadonlyMap<string, ReadonlySet<string>>

/** The files of a package, each with the files of the package that it imports, by their paths. */
export function filesOf(packageName: string, facts: readonly Facts[], withTypes = true): Imports {
  const own = facts.filter(
    ({ path }) => path.startsWith(`packages/${packageName}/src/`) && !/\.(test|kit)\.tsx?$/.test(path),
  )
  return new Map(
    own.map(({ imports, path }) => {
      const taken = imports.filter(
        ({ specifier, typeOnly }) => specifier.startsWith('.') && (withTypes || !typeOnly),
      )
      return [path, new Set(taken.map(({ specifier }) => normalize(join(dirname(path), specifier))))]
    }),
  )
}

export function roomsOf(packageName: string, facts: readonly Facts[]): Imports {
  const rooms = new Map<string, Set<string>>()
  for (const [path, files] of filesOf(packageName, facts)) {
    const room = roomOf(path) ?? ''
    const targets = rooms.get(room) ?? new Set()
    rooms.set(room, targets)
    for (const file of files) {
      const target = roomOf(file)
      if (target !== undefined && target !== room) targets.add(target)
    }
  }
  return rooms
}

/** A cycle of imports as a list that ends where it begins; undefined where there is none. */
export function cycleIn(imports: Imports): readonly string[] | undefined {
  const done = new Set<string>()
  const visit = (name: string, trail: readonly string[]): readonly string[] | undefined => {
    if (trail.includes(name)) return [...trail.slice(trail.indexOf(name)), name]
    if (done.has(name)) return undefined
    for (const target of imports.get(name) ?? []) {
      const cycle = visit(target, [...trail, name])
      if (cycle) return cycle
    }
    done.add(name)
    return undefined
  }
  for (const name of imports.keys()) {
    const cycle = visit(name, [])
    if (cycle) return cycle
  }
  return undefined
}

/** The name of a pure core: a file in `core`, or a folder there, which is one noun. */
const coreOf = (path: string) => /\/src\/(core\/[^/]+?)(?:\.ts)?(?:\/|$)/.exec(path)?.[1]

/** The cores of a package outside of its rooms, each with the rooms that use it, also through another core. */
export function usersOfCores(packageName: string, facts: readonly Facts[]): Imports {
  const users = new Map<string, Set<string>>()
  for (const [path, files] of filesOf(packageName, facts)) {
    const user = coreOf(path) ?? roomOf(path) ?? ''
    if (coreOf(path) !== undefined) users.set(user, users.get(user) ?? new Set())
    for (const core of [...files].map(coreOf))
      if (core !== undefined && core !== user) users.set(core, (users.get(core) ?? new Set()).add(user))
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
  return [...filesOf(packageName, facts)].flatMap(([path, files]) =>
    [...files]
      .filter(target => /\/src\/[^/]+\/core\//.test(target) && roomOf(target) !== roomOf(path))
      .map(target => `${path} imports ${target}`),
  )
}
