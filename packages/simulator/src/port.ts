// The simulator on a virtual serial port, with a symlink to it for as long as the modem is plugged in.

import { lstatSync, readlinkSync, symlinkSync, unlinkSync } from 'node:fs'
import type { World } from '@callgate/world/world'
import { openPty, type Pty, type PtyResult } from './pty.ts'
import type { Simulator } from './simulator.ts'

export interface Port {
  /** `/dev/pts/N`; undefined while unplugged. */
  path(): string | undefined
  /** Closes the port and removes the link. */
  close(): Promise<void>
}

export type PortResult =
  | { readonly ok: true; readonly port: Port }
  | {
      readonly ok: false
      readonly code: 'pty_failed' | 'link_occupied' | 'link_failed'
      readonly message: string
    }

/** Points `link` at `path`. It replaces a symlink, and nothing else. */
function placeLink(link: string, path: string): Extract<PortResult, { ok: false }> | undefined {
  try {
    const there = lstatSync(link, { throwIfNoEntry: false })
    if (there && !there.isSymbolicLink())
      return {
        ok: false,
        code: 'link_occupied',
        message: `${link} exists and is no symlink: choose another --link`,
      }
    if (there) unlinkSync(link)
    symlinkSync(path, link)
    return undefined
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { ok: false, code: 'link_failed', message: `the link ${link} cannot be made: ${why}` }
  }
}

/** Removes the link if it is still ours. */
function removeLink(link: string, path: string): void {
  try {
    if (readlinkSync(link) === path) unlinkSync(link)
  } catch {
    // Another program has removed or replaced it, so there is nothing to do.
  }
}

/** Opens the port and joins it to the simulator; unplugging closes it, plugging in opens a new one. */
export function openPort(options: {
  readonly world: World
  readonly simulator: Simulator
  readonly link?: string
}): PortResult {
  const { world, simulator, link } = options
  let pty: Pty | undefined
  let lastPath: string | undefined
  let closed = false

  /** Opens the port again under another name, as happens with a USB port whose old name is still open. */
  function openNew(): PtyResult {
    const opened = openPty(world)
    if (!opened.ok || opened.pty.path !== lastPath) return opened
    const another = openPty(world)
    void opened.pty.close()
    return another
  }

  function open(): Extract<PortResult, { ok: false }> | undefined {
    const opened = openNew()
    if (!opened.ok) return opened
    const problem = link === undefined ? undefined : placeLink(link, opened.pty.path)
    if (problem) {
      void opened.pty.close()
      return problem
    }
    pty = opened.pty
    lastPath = pty.path
    pty.onBytes(bytes => simulator.receive(bytes))
    return undefined
  }

  async function shut(): Promise<void> {
    const leaving = pty
    pty = undefined
    if (!leaving) return
    if (link !== undefined) removeLink(link, leaving.path)
    await leaving.close()
  }

  const problem = open()
  if (problem) return problem
  simulator.onSend(bytes => pty?.write(bytes))
  simulator.onPlug(plugged => {
    if (!plugged) void shut()
    else if (!closed) {
      const failed = open()
      if (failed)
        world.log.error('the port could not be opened again', { code: failed.code, why: failed.message })
    }
  })
  return {
    ok: true,
    port: {
      path: () => pty?.path,
      async close() {
        closed = true
        await shut()
      },
    },
  }
}
