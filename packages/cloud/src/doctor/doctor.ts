// The doctor: runs every check at once, and changes nothing.

import type { World } from '@callgate/world/world'
import type { OperatorFiles } from '../backup/operatorFiles.ts'
import type { Config } from '../config.ts'
import { productionFaults } from '../health/production.ts'
import { checkBackups } from './backupChecks.ts'
import { checkBroker, checkBrokerAdmin } from './brokerChecks.ts'
import { type Check, type Found, fine, unknown, warning, whyOf, wrong } from './check.ts'
import { checkDatabase, checkFolder, checkFreeDisk, checkKeys, checkNode, checkZones } from './dataChecks.ts'
import { checkStrayClouds } from './lostDataChecks.ts'
import { checkMute } from './muteCheck.ts'
import { checkAppUrl, checkClock, checkCloud, checkMail } from './reachChecks.ts'
import { checkSigningKey } from './signingKeyCheck.ts'

/** One check for each refusal of production. They are no faults where the cloud is not declared as production. */
async function checkProduction(config: Config): Promise<readonly Check[]> {
  const faults = await productionFaults(config)
  const named = (found: Found): Check => ({ name: 'production', ...found })
  if (faults.length === 0)
    return [named(fine('Nothing keeps "serve" from starting with NODE_ENV=production'))]
  const advice = 'Without it, "serve" does not start with NODE_ENV=production.'
  return faults.map(fault => {
    const colon = fault.lastIndexOf(': ')
    const [says, todo] = colon < 0 ? [fault, advice] : [fault.slice(0, colon), fault.slice(colon + 2)]
    return named(config.isProduction ? wrong(says, todo) : warning(says, todo))
  })
}

interface DoctorInput {
  readonly world: World
  readonly config: Config
  readonly nodeVersion: string
  /** The folder that contains the dated folders of backups; undefined: where the last one was made. */
  readonly backups: string | undefined
  readonly files: OperatorFiles
}

/** Runs all checks. A check that throws is a finding as well. */
export async function examine({
  backups,
  config,
  files,
  nodeVersion,
  world,
}: DoctorInput): Promise<readonly Check[]> {
  // Before the others, because the process acts as another user meanwhile.
  const ofBackups = await checkBackups({ config, files, world }, backups)
  const checks: Readonly<Record<string, () => Promise<Found> | Found>> = {
    node: () => checkNode(nodeVersion),
    configuration: () => fine('Every variable can be read'),
    'data folder': () => checkFolder(config),
    database: () => checkDatabase(config),
    disk: () => checkFreeDisk(config),
    reports: () => checkStrayClouds(world, config),
    keys: () => checkKeys(world, config),
    'signing key': () => checkSigningKey(world, config),
    cloud: () => checkCloud(world, config),
    APP_URL: () => checkAppUrl(world, config),
    broker: () => checkBroker(world, config),
    ...(config.mqttAdminUrl !== undefined && {
      'broker accounts': () => checkBrokerAdmin(world, config),
    }),
    mail: () => checkMail(world, config),
    clock: () => checkClock(world, config),
    'time zones': () => checkZones(world),
    backups: () => ofBackups,
    alerts: () => checkMute(world, config),
  }
  const found = await Promise.all(
    Object.entries(checks).map(async ([name, look]): Promise<Check> => {
      const state = await Promise.resolve()
        .then(look)
        .catch((error: unknown) => unknown(`It could not be looked at: ${whyOf(error)}`))
      return { name, ...state }
    }),
  )
  return [...found, ...(await checkProduction(config))]
}
