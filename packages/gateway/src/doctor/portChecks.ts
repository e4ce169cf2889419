// Checks the serial port: whether it exists, may be opened, and who else holds it.

import { access, constants, readFile, realpath } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { portPaths } from '@callgate/modem/portPaths'
import { systemCode } from '../journalDisk.ts'
import { type Holder, holdersOfFile, thisProcess } from '../processes.ts'
import { type Found, fail, ok, warn } from './check.ts'

/** The program of this gateway that holds the modem: the daemon, or another command. */
export interface RunningHere {
  readonly name: string
  /** Undefined where it is unknown. */
  readonly pid: number | undefined
}

/** Whether the system writes its console to the device, so that the modem receives those lines. */
async function isConsole(device: string, procFolder: string): Promise<boolean> {
  const text = await readFile(join(procFolder, 'consoles'), 'utf8').catch(() => '')
  return text.split('\n').some(line => line.split(/\s+/)[0] === basename(device))
}

const adviceFor: Readonly<Record<string, string>> = {
  ENOENT: 'Plug the modem in, or switch the UART on, and correct serialPort',
  EACCES: 'Add the user to the group dialout, and log in again; or run doctor with sudo',
}

function adviceOn(holder: string): string {
  if (holder.startsWith('ModemManager')) return 'Keep it off: sudo systemctl disable --now ModemManager'
  if (/getty|login/.test(holder))
    return 'Take the console off the port: sudo raspi-config nonint do_serial_cons 1, and reboot'
  return 'Stop that program'
}

/** The system's error code for using the port as this user; undefined where there is no error. */
const faultOf = (path: string): Promise<string | undefined> =>
  access(path, constants.R_OK | constants.W_OK).then(
    () => undefined,
    (error: unknown) => systemCode(error) ?? String(error),
  )

/** Checks who has the port open, as far as this user can see. */
async function checkHolders(
  path: string,
  device: string,
  running: RunningHere | undefined,
  procFolder: string,
): Promise<Found> {
  const { pid: ownPid } = await thisProcess()
  const holders = (await holdersOfFile(device, procFolder)).filter(({ pid }) => pid !== ownPid)
  const isOwn = ({ pid }: Holder) => running !== undefined && (running.pid ?? pid) === pid
  const stranger = holders.find(holder => !isOwn(holder))
  if (stranger) {
    const said = `${stranger.program} (process ${stranger.pid})`
    return warn(`${path} is also open in ${said}, which may take the modem's answers`, adviceOn(said))
  }
  const [own] = holders
  return own && running
    ? ok(`${path} is held by ${running.name} (process ${own.pid}), as it should be`)
    : ok(`${path} is there and free to use`)
}

/**
 * Checks the ports of the configuration, with one finding for each. Where one exists, missing ones are left out. `running` may
 * hold one of them. `procFolder` is /proc, or another folder in tests.
 */
export async function checkPorts(
  serialPorts: readonly string[],
  running: RunningHere | undefined,
  procFolder = '/proc',
): Promise<readonly Found[]> {
  const found = await portPaths(serialPorts)
  if (found.length === 0)
    return [fail(`No port fits ${serialPorts.join(', ')}`, 'Plug the modem in, and correct serialPort')]
  const there = new Map(await Promise.all(found.map(async path => [path, await faultOf(path)] as const)))
  // The modem has one of several names, so the missing names are no fault.
  const isAnyThere = [...there.values()].some(code => code !== 'ENOENT')
  const looked = found.filter(path => !isAnyThere || there.get(path) !== 'ENOENT')
  return Promise.all(
    looked.map(async path => {
      const code = there.get(path)
      if (code !== undefined)
        return fail(
          `${path} ${code === 'ENOENT' ? 'is missing' : `cannot be used: ${code}`}`,
          adviceFor[code] ?? 'Look at the path',
        )
      const device = await realpath(path)
      if (await isConsole(device, procFolder))
        return fail(`${path} is a console of the system, which writes into the modem`, adviceOn('getty'))
      return checkHolders(path, device, running, procFolder)
    }),
  )
}
