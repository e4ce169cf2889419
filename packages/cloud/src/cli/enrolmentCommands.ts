// The operator's commands on enrolments that an admin has as well: what they do and print.

import { open, rm } from 'node:fs/promises'
import { type EnrolmentView, enrolmentAppOperations } from '@callgate/contract/app/enrolment'
import { spacedFingerprint } from '@callgate/contract/enrolment/agreement'
import { codeOf, type OperatorFiles } from '../backup/operatorFiles.ts'
import { mqttUrlOf } from '../config.ts'
import { enrolmentHandlers } from '../enrolment/enrolmentHandlers.ts'
import { passwordKeeper } from '../gateway/gateways.ts'
import { loadKeyring } from '../secrets/keyring.ts'
import {
  type CommandParts,
  type CommandWork,
  columns,
  type Options,
  refuse,
  type Said,
} from './commandWork.ts'
import { isRefused, type Operator, operatorIn } from './operator.ts'

interface Desk extends Operator {
  readonly does: ReturnType<typeof enrolmentHandlers>
}

/** A command hears no beats, so it shows no gateway as it is now. */
const unheard = { now: <Row extends object>(row: Row) => ({ ...row, heard: undefined }) }

async function handlersOf(parts: CommandParts) {
  const { config, database, world } = parts
  const loaded = await loadKeyring(world, config.keys)
  if (!loaded.ok) return loaded
  const { publicKeys, seal, signing } = loaded.keyring
  const hasOwnBroker = config.mqttUrl !== undefined && config.mqttAdminUrl === undefined
  const keepPassword = config.mqttAdminUrl === undefined ? undefined : passwordKeeper(seal)
  const login = () => ({ mqttUrl: mqttUrlOf(config), cloudKeys: publicKeys(), hasOwnBroker, keepPassword })
  const { appUrl, gatewayInstaller: installer } = config
  const given = { database, world, seal, login, appUrl, installer, signing }
  return { ok: true as const, does: enrolmentHandlers({ ...given, heard: unheard }) }
}

const atDesk =
  (work: (desk: Desk, options: Options, parts: CommandParts) => Promise<Said>): CommandWork =>
  async (parts, options) => {
    const operator = await operatorIn(parts, options)
    if (isRefused(operator)) return operator
    const handlers = await handlersOf(parts)
    return handlers.ok ? work({ ...operator, does: handlers.does }, options, parts) : handlers
  }

const { confirmEnrolment, listEnrolments, refuseEnrolment, startEnrolment } = enrolmentAppOperations

const shownFingerprint = ({ gateway }: EnrolmentView) =>
  gateway && (gateway.fingerprint === null ? null : spacedFingerprint(gateway.fingerprint))

interface Card {
  /** Writes the code; returns why it cannot be written, undefined on success. */
  write(text: string): Promise<string | undefined>
  /** Closes the card, because there is nothing to write. */
  drop(): Promise<void>
}

/**
 * The file of the card contains a secret, so it is a new file, readable by its owner only. It is created before the code, so that
 * no code exists without a place. A refusal is a text for a person.
 */
async function openCard(files: OperatorFiles, file: string): Promise<Card | string> {
  const handle = await files.at(file, as =>
    open(file, 'wx', 0o600).catch((error: unknown) =>
      codeOf(error) === 'EEXIST'
        ? `${file} exists already, so no code was made: it may hold one that waits. Name another file, or move that one away.`
        : `Cannot write ${file}${as}: ${codeOf(error)}. No code was made.`,
    ),
  )
  if (typeof handle === 'string') return handle
  return {
    async write(text) {
      try {
        await handle.writeFile(text)
        await handle.sync()
        return undefined
      } catch (error) {
        return codeOf(error)
      } finally {
        await handle.close()
      }
    },
    async drop() {
      await handle.close()
      await files.at(file, () => rm(file, { force: true }))
    },
  }
}

export const enrolmentWork = {
  start: atDesk(async ({ call, does }, { card, name, replaces, space }, { files }) => {
    const body = { name, replaces, isForCard: card !== undefined }
    const opened = card === undefined ? undefined : await openCard(files, card)
    if (typeof opened === 'string') return refuse(opened)
    const started = await call(startEnrolment, does.startEnrolment, {
      body: JSON.parse(JSON.stringify(body)),
    })
    if (!started.ok) {
      await opened?.drop()
      return started
    }
    const { cardFile, cloudKey, cloudUrl, code, enrolment, installCommand } = started.body
    const { expiresAt, id } = enrolment
    const fault = await opened?.write(cardFile)
    if (fault !== undefined)
      return refuse(
        `Cannot write ${card}: ${fault}. The code is ${code}, good until ${expiresAt}: type it at the gateway, or take it back with "callgate gateway refuse --enrolment ${id}".`,
      )
    // Where the command needed `--space`, the next one needs it too.
    const inSpace = space === undefined ? '' : `--space ${space} `
    const text = [
      `The code for the gateway ${enrolment.name}, shown this once, good until ${expiresAt}:`,
      '',
      `  ${code}`,
      '',
      ...(card === undefined
        ? [
            `On the gateway:  sudo callgate-gateway enrol ${code} --cloud ${cloudUrl} --cloud-key ${cloudKey}`,
            ...(installCommand === null ? [] : [`Without the package:  ${installCommand}`]),
          ]
        : [`It is in ${card}: copy that to the boot partition of the card, as callgate-gateway.yaml.`]),
      'The gateway then shows six digits. Compare them with "callgate gateway enrolments", and confirm:',
      '',
      `  callgate gateway confirm ${inSpace}--enrolment ${id} --fingerprint DIGITS`,
    ].join('\n')
    return { ok: true, json: started.body, text }
  }),

  list: atDesk(async ({ call, does }) => {
    const listed = await call(listEnrolments, does.listEnrolments, {})
    if (!listed.ok) return listed
    const rows = listed.body.enrolments.map(enrolment => [
      ...[enrolment.id, enrolment.name, enrolment.state, shownFingerprint(enrolment)],
      ...[enrolment.gateway?.serial ?? null, enrolment.gateway?.imei ?? null, enrolment.expiresAt],
    ])
    const heading = ['ENROLMENT', 'NAME', 'STATE', 'FINGERPRINT', 'SERIAL', 'IMEI', 'UNTIL']
    return { ok: true, json: listed.body, text: columns(heading, rows) }
  }),

  confirm: atDesk(async ({ call, does }, { enrolment: enrolmentId = '', fingerprint = '' }) => {
    const body = { fingerprint: fingerprint.replace(/\s/g, '') }
    if (!/^[0-9]{6}$/.test(body.fingerprint))
      return refuse('--fingerprint must be the six digits that the gateway shows.')
    const confirmed = await call(confirmEnrolment, does.confirmEnrolment, { params: { enrolmentId }, body })
    if (!confirmed.ok) return confirmed
    const { enrolment, gateway } = confirmed.body
    const { imei, serial } = enrolment.gateway ?? {}
    const text = [
      `The gateway ${gateway.name} is admitted: ${gateway.id}. It fetches its login by itself.`,
      `Its serial number: ${serial ?? 'not told'}. IMEI of its modem: ${imei ?? 'not told'}.`,
    ].join('\n')
    return { ok: true, json: confirmed.body, text }
  }),

  refuse: atDesk(async ({ call, does }, { enrolment: enrolmentId = '' }) => {
    const done = await call(refuseEnrolment, does.refuseEnrolment, { params: { enrolmentId } })
    if (!done.ok) return done
    const text = `The enrolment ${enrolmentId} is over: its code is dead, and its gateway is not admitted.`
    return { ok: true, json: { enrolmentId, isRefused: true }, text }
  }),
} satisfies Record<string, CommandWork>
