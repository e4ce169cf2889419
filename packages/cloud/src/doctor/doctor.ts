// The doctor: every check at once, none of which changes anything.

import type { World } from '@callgate/world/world'
import type { CallersFiles } from '../backup/callersFiles.ts'
import type { Config } from '../config.ts'
import { productionFaults } from '../health/production.ts'
import { lookAtBroker, lookAtBrokerAdmin } from './brokerChecks.ts'
import { type Check, type Found, fine, unknown, warning, whyOf, wrong } from './check.ts'
import {
  lookAtBackups,
  lookAtDatabase,
  lookAtFolder,
  lookAtFreeDisk,
  lookAtKeys,
  lookAtNode,
  lookAtZones,
} from './dataChecks.ts'
import { lookAtStrays } from './lostDataChecks.ts'
import { lookAtAppUrl, lookAtClock, lookAtCloud, lookAtMail } from './reachChecks.ts'
import { lookAtSigningKey } from './signingKeyCheck.ts'

/** One check for each refusal of production; those are no faults where the cloud does not say that it is production. */
async function lookAtProduction(config: Config): Promise<readonly Check[]> {
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

interface Given {
  readonly world: World
  readonly config: Config
  readonly nodeVersion: string
  /** Where the dated folders of backups are. */
  readonly backups: string | undefined
  readonly files: CallersFiles
}

/** Looks at everything. A look that fails is a finding as well. */
export async function examine({
  backups,
  config,
  files,
  nodeVersion,
  world,
}: Given): Promise<readonly Check[]> {
  // Before the others: the process acts as another user meanwhile.
  const ofBackups = await files.at(backups ?? '/', as => lookAtBackups(world, config, backups, as))
  const looks: Readonly<Record<string, () => Promise<Found> | Found>> = {
    node: () => lookAtNode(nodeVersion),
    configuration: () => fine('Every variable can be read'),
    'data folder': () => lookAtFolder(config),
    database: () => lookAtDatabase(config),
    disk: () => lookAtFreeDisk(config),
    reports: () => lookAtStrays(world, config),
    keys: () => lookAtKeys(world, config),
    'signing key': () => lookAtSigningKey(world, config),
    cloud: () => lookAtCloud(world, config),
    APP_URL: () => lookAtAppUrl(world, config),
    broker: () => lookAtBroker(world, config),
    ...(config.mqttAdminUrl !== undefined && {
      'broker accounts': () => lookAtBrokerAdmin(world, config),
    }),
    mail: () => lookAtMail(world, config),
    clock: () => lookAtClock(world, config),
    'time zones': () => lookAtZones(world),
    backups: () => ofBackups,
  }
  const found = await Promise.all(
    Object.entries(looks).map(async ([name, look]): Promise<Check> => {
      const state = await Promise.resolve()
        .then(look)
        .catch((error: unknown) => unknown(`It could not be looked at: ${whyOf(error)}`))
      return { name, ...state }
    }),
  )
  return [...found, ...(await lookAtProduction(config))]
}
