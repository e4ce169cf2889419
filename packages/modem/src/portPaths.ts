// Port paths: the serial ports that a list of paths and patterns means at this moment.

import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** `usb-1a86_*` as an expression; a star stands for anything but a slash. */
function patternOf(name: string): RegExp {
  const parts = name.split('*').map(part => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('[^/]*')}$`)
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch {
    // While no adapter is plugged in, /dev/serial does not exist.
    return []
  }
}

async function expand(path: string): Promise<string[]> {
  if (!path.includes('*')) return [path]
  const pattern = patternOf(basename(path))
  const names = await namesIn(dirname(path))
  return names
    .filter(name => pattern.test(name))
    .sort()
    .map(name => join(dirname(path), name))
}

/**
 * The ports of `paths`, in their order. The last part of a path may hold stars, which match what is plugged in:
 * `/dev/serial/by-id/usb-1a86_*` finds an adapter again that came back as another ttyUSB.
 */
export async function portPaths(paths: readonly string[]): Promise<string[]> {
  const found = await Promise.all(paths.map(expand))
  return [...new Set(found.flat())]
}
