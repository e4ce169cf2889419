// Other makers' tools: their paths, and how to run them.

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** The folder with their package.json. `pnpm contract` installs them there. */
export const toolsFolder = fileURLToPath(new URL('tools', import.meta.url))

/** The path of a tool's program. */
export const toolPath = (name: string) => `${toolsFolder}/node_modules/.bin/${name}`

/** The output of a tool. A failing tool returns a value too: many report findings by their exit code. */
export async function runTool(
  name: string,
  args: readonly string[],
): Promise<{ readonly code: number; readonly output: string }> {
  const given = { cwd: toolsFolder, maxBuffer: 64 * 1024 * 1024 }
  try {
    const { stderr, stdout } = await promisify(execFile)(toolPath(name), args, given)
    return { code: 0, output: stdout + stderr }
  } catch (error) {
    const {
      code = 1,
      stderr = '',
      stdout = '',
    } = error as { code?: number; stderr?: string; stdout?: string }
    return { code: Number(code), output: `${stdout}${stderr}` }
  }
}
