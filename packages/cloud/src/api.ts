// Assembles the API and the pages over an exchange, with every handler.

import { openApiDocument } from '@callgate/contract/openapi/openapi'
import type { World } from '@callgate/world/world'
import type Koa from 'koa'
import { activityFileHandlers } from './activity/activityFile.ts'
import { activityHandlers } from './activity/activityLog.ts'
import { lastChangeHandlers } from './activity/lastChange.ts'
import { incidentHandlers } from './alert/incidentHandlers.ts'
import { calibrationHandlers } from './calibration/calibrationHandlers.ts'
import { serveDashboard } from './dashboard/dashboard.ts'
import { fontFacesIn } from './dashboard/dashboardFiles.ts'
import type { Database } from './database/database.ts'
import { isPostgres } from './database/dialect.ts'
import { serveSecurityTxt } from './docs/securityTxt.ts'
import { serveDocs } from './docs/site.ts'
import { enrolmentEndpoint } from './enrolment/enrolmentEndpoint.ts'
import { enrolmentHandlers } from './enrolment/enrolmentHandlers.ts'
import type { GatewayInstaller } from './enrolment/gatewayInstaller.ts'
import { type EventStreams, usualLimits } from './event/eventStreams.ts'
import { gateCallerHandlers } from './gate/gateCallerHandlers.ts'
import { gatePhotoHandlers } from './gate/gatePhotos.ts'
import { gateHandlers } from './gate/gates.ts'
import { type GatewayLogin, gatewayHandlers, gatewayReadHandlers } from './gateway/gatewayHandlers.ts'
import { serveGuestEvents } from './guest/guestEvents.ts'
import { answerNoPage, serveGuestPages } from './guest/pages.ts'
import type { PressForms } from './guest/pressForms.ts'
import { forgetPressedForms, storedPressForms } from './guest/storedPressForms.ts'
import { type ReadinessChecks, serveReadiness } from './health/readiness.ts'
import { readAskedOpenings } from './history/askedOpenings.ts'
import { gateFiguresHandlers } from './history/gateFigureReader.ts'
import { gateHealthReader } from './history/gateHealths.ts'
import { historyHandlers } from './history/history.ts'
import { historyFileHandlers } from './history/historyFile.ts'
import { openingReadHandlers } from './history/openingReads.ts'
import { openingStreamHandlers } from './history/openingStream.ts'
import { proofHandlers } from './history/proofs.ts'
import { readQueue } from './history/queues.ts'
import type { KeyPrincipals } from './http/authenticate.ts'
import type { AppHandlers, Handlers } from './http/handler.ts'
import { createHttp } from './http/mount.ts'
import { createRateLimits, type RateLimits } from './http/rateLimit.ts'
import { joinClouds } from './limit/clouds.ts'
import { type Limits, limitsInMemory } from './limit/limits.ts'
import { storedLimits } from './limit/storedLimits.ts'
import { type StreamPlaces, streamPlaces } from './limit/streamPlaces.ts'
import { accessTemplateHandlers } from './member/accessTemplates.ts'
import { memberAppHandlers } from './member/memberAppHandlers.ts'
import { memberBulkHandlers } from './member/memberBulk.ts'
import { memberEditHandlers } from './member/memberEdit.ts'
import { memberFileHandlers } from './member/memberFileHandlers.ts'
import { memberHandlers } from './member/members.ts'
import { previewHandlers } from './member/previews.ts'
import type { IsTrustedProxy } from './network/proxies.ts'
import type { Exchange } from './opening/exchange.ts'
import { memberDecisionHandlers } from './opening/memberDecisions.ts'
import { openingHandlers } from './opening/openings.ts'
import { personalDataHandlers } from './privacy/personalDataHandlers.ts'
import { pushHandlers } from './push/pushHandlers.ts'
import { serveReleases } from './release/releasePages.ts'
import { releaseFolder } from './release/releaseShelf.ts'
import type { RestoreLockout } from './restore/restores.ts'
import { sandboxAppHandlers, sandboxHandlers } from './sandbox/sandboxHandlers.ts'
import type { Keyring } from './secrets/keyring.ts'
import type { Seal } from './secrets/sealing.ts'
import type { SigningKeys } from './secrets/signingKeys.ts'
import { keySettings } from './settings/keySettings.ts'
import { lockDownHandlers } from './settings/lockDown.ts'
import { spaceSettings } from './settings/spaceSettings.ts'
import { setUpHandlers } from './setup/setUpHandlers.ts'
import { simHandlers } from './sim/simHandlers.ts'
import { callerFinder } from './space/apiKeys.ts'
import { createKeyUses, type KeyUses } from './space/keyUses.ts'
import { selfHandlers } from './space/self.ts'
import { eventHandlers, spaceStreamHandlers } from './space/spaceStream.ts'
import { updateHandlers } from './update/updateHandlers.ts'
import { dashboardUsers } from './user/dashboardUsers.ts'
import { createSessions } from './user/sessions.ts'
import { webhookHandlers } from './webhook/webhookHandlers.ts'
import { type WebhookPlaces, webhookRules } from './webhook/webhookPlaces.ts'

/** The API keys in the form for the HTTP layer, read from the database. */
export function keyPrincipals({
  database,
  uses,
  world,
}: {
  database: Database
  uses: KeyUses
  world: World
}): KeyPrincipals {
  return {
    find: callerFinder({ database, world }),
    countUse: apiKeyId => uses.count(apiKeyId),
    recordUse: apiKeyId => uses.record(apiKeyId),
    openingsSince: sinceMs => readAskedOpenings(database.knex, sinceMs),
  }
}

/** The state that replicas share, or its local form for a cloud alone. */
export interface SharedParts {
  readonly ok: true
  readonly limits: Limits
  readonly forms: PressForms | undefined
  readonly places: StreamPlaces | undefined
  stop(): Promise<void>
}

/**
 * The shared state, in the database. A cloud alone has it in the memory of this process: only Postgres with an external broker is
 * shared. The message says why this cloud may not serve beside the others.
 */
export async function sharedParts(
  parts: { readonly database: Database; readonly world: World },
  { fingerprints, seal }: Pick<Keyring, 'fingerprints' | 'seal'>,
  hasBrokerApart: boolean,
): Promise<SharedParts | { readonly ok: false; readonly message: string }> {
  if (!isPostgres(parts.database.knex) || !hasBrokerApart) {
    const limits = limitsInMemory(parts.world)
    return { ok: true, limits, forms: undefined, places: undefined, stop: async () => limits.stop() }
  }
  const joined = await joinClouds(parts, fingerprints)
  if (!joined.ok) return joined
  const { clouds } = joined
  const limits = storedLimits({ ...parts, sweeps: [forgetPressedForms] })
  const places = streamPlaces(parts, clouds.id, usualLimits.perAddress)
  return {
    ok: true,
    limits,
    forms: storedPressForms({ ...parts, seal }),
    places,
    stop() {
      places.stop()
      limits.stop()
      return clouds.stop()
    },
  }
}

/** The parts of the HTTP server. */
interface ApiParts {
  readonly world: World
  readonly database: Database
  readonly seal: Seal
  readonly exchange: Exchange
  readonly streams: EventStreams
  /** How often keys, users, guests and strangers may do something. */
  readonly limits: Limits
  /** The guests' forms that replicas share; where there are none, they are those of this process. */
  readonly forms?: PressForms | undefined
  readonly appUrl: string
  /** The login of a new gateway. */
  readonly login: () => GatewayLogin
  /** The keys that sign proofs and grants. */
  readonly signing: () => SigningKeys
  /** Where a new gateway gets its package. */
  readonly installer?: GatewayInstaller | undefined
  /** The contact of security.txt as a URI; without it there is no such file. */
  readonly securityContact?: string | undefined
  readonly isTrustedProxy?: IsTrustedProxy
  readonly lockout?: RestoreLockout
  /** Called when an erasure has begun. */
  readonly erasing?: () => void
  /** The checks of `/readyz`; without them there is no such address. */
  readonly checks?: ReadinessChecks
  /** The folder of the gateway's published releases; without it there are none. */
  readonly dataFolder?: string
  /** Where webhooks may lead beside the usual ports of the public internet. */
  readonly webhooks?: WebhookPlaces
}

/**
 * The world with the clock by which beats and openings are dated. The wall clock of one of several clouds may be wrong: a day ahead,
 * it would show every gateway as offline.
 */
const worldOfDates = ({ exchange, world }: Pick<ApiParts, 'exchange' | 'world'>): World => ({
  ...world,
  nowMs: () => exchange.nowMs(),
})

/** The handlers of the dashboard's own operations. */
function dashboardHandlers(parts: ApiParts, uses: KeyUses): AppHandlers {
  const { appUrl, limits, database, exchange, login, seal, world } = parts
  const { heard } = exchange.heartbeat
  const dated = { database, world: worldOfDates(parts) }
  return {
    ...spaceStreamHandlers({ world, database }),
    ...dashboardUsers({ world, database, seal, limits, appUrl }),
    ...gatewayHandlers({ ...dated, seal, heard, login }),
    ...enrolmentHandlers({ ...parts, heard }),
    ...incidentHandlers({ world, database }),
    ...gateCallerHandlers({ world, database, seen: exchange.gateways }),
    ...gatePhotoHandlers({ world, database }),
    ...calibrationHandlers(dated),
    ...setUpHandlers({ world, database }),
    ...simHandlers({ world, database }),
    ...updateHandlers(dated),
    ...gateFiguresHandlers({ world, database }),
    ...historyHandlers({ world, database }),
    ...historyFileHandlers({ world, database }),
    ...activityFileHandlers({ world, database }),
    ...lastChangeHandlers({ database }),
    ...memberAppHandlers({ world, database, seal, appUrl }),
    ...memberFileHandlers({ world, database, seal, appUrl }),
    ...memberEditHandlers({ world, database }),
    ...accessTemplateHandlers({ database, world }),
    ...pushHandlers({ world, database, seal, rules: webhookRules(appUrl, parts.webhooks) }),
    ...personalDataHandlers({ world, database, seal, erasing: parts.erasing ?? (() => {}) }),
    ...spaceSettings({ world, database }),
    ...lockDownHandlers({ world, endWaiting: exchange.endWaiting }),
    ...keySettings({ world, database, uses }),
    ...sandboxAppHandlers({ world }),
  }
}

/** The handlers of the REST API. */
function restHandlers(parts: ApiParts, rateLimits: RateLimits): Handlers {
  const { appUrl, database, exchange, seal, world } = parts
  const { heard } = exchange.heartbeat
  const dated = { database, world: worldOfDates(parts) }
  return {
    ...selfHandlers({ world, database, rateLimits }),
    ...eventHandlers({ world, database }),
    ...gatewayReadHandlers({ ...dated, heard }),
    ...gateHandlers({ world, database, readHealths: gateHealthReader({ ...dated, heard }) }),
    ...memberHandlers({ world, database, seal, appUrl }),
    ...memberBulkHandlers({ world, database, seal, appUrl }),
    ...openingHandlers({ ...dated, exchange, readQueue }),
    ...openingReadHandlers({ ...dated, gateways: exchange.gateways }),
    ...openingStreamHandlers({ database }),
    ...proofHandlers({ world, database, signing: parts.signing }),
    ...previewHandlers({ world, database }),
    ...memberDecisionHandlers({ world, database }),
    ...activityHandlers({ database, world }),
    ...sandboxHandlers({ world, database, seal, appUrl }),
    ...webhookHandlers({ world, database, seal, rules: webhookRules(appUrl, parts.webhooks) }),
  }
}

/**
 * The API, the guests' pages and the documentation over an exchange. Without a lockout every press is let through; without
 * `isTrustedProxy` no proxy is trusted.
 */
export function createApi(parts: ApiParts): Koa {
  const {
    appUrl,
    limits,
    database,
    dataFolder,
    exchange,
    isTrustedProxy,
    checks,
    seal,
    securityContact: contact,
    lockout,
    streams,
    world,
  } = parts
  const uses = createKeyUses({ database, world })
  const principals = keyPrincipals({ database, uses, world })
  const rateLimits = createRateLimits({ limits, world }, principals.openingsSince)
  return createHttp({
    world,
    database,
    seal,
    streams,
    limits,
    appUrl,
    rateLimits,
    principals,
    handlers: restHandlers(parts, rateLimits),
    dashboard: {
      handlers: dashboardHandlers(parts, uses),
      sessions: createSessions({ world, database }),
    },
    enrolment: enrolmentEndpoint(parts),
    ...(isTrustedProxy && { isTrustedProxy }),
    ...(lockout && { shut: lockout.shut }),
    answerNoPage,
    addPages(router) {
      if (checks) serveReadiness(router, { world, checks })
      serveGuestEvents(router, { limits, database, streams, ...(lockout && { lockout }) })
      const { forms } = parts
      serveGuestPages(router, {
        world,
        limits,
        database,
        exchange,
        ...(forms && { forms }),
        appUrl,
        ...(lockout && { lockout }),
      })
      if (contact !== undefined) serveSecurityTxt(router, { appUrl, contact, world })
      const files = serveDashboard(router, { world, appUrl })
      const fontFaces = async () => fontFacesIn(await files())
      serveDocs(router, { document: () => openApiDocument(appUrl), fontFaces, world })
      if (dataFolder !== undefined) serveReleases(router, releaseFolder(dataFolder), limits)
    },
  })
}
