// The scenes for installers and owners at a gate and its gateway: what spoils test calls, unclear calls, a gate that has changed, the
// message to a gate module, and updates of the gateway's program.

import { addCall, putCalibration } from '@callgate/cloud/calibration/calibration.kit'
import { endTask, openTaskOf } from '@callgate/cloud/task/taskRows'
import { writeStage } from '@callgate/cloud/update/stageRows'
import { saveUpdate, writeHours } from '@callgate/cloud/update/updateRows'
import type { Beat } from '@callgate/contract/wire/messages'
import { signingKey } from '@callgate/contract/wire/signature'
import { isoTime } from '@callgate/world/world'
import type { Page } from 'playwright-core'
import { calls, reportOf } from '../../api/scriptedCalls.ts'
import { beatBody } from '../../api/scriptedGateway.ts'
import { measure, nowText, type Records } from '../../browser/records.ts'
import type { Scene } from './scenes.ts'

const version = '1.5.0'
const agoMs = (minutes: number) => isoTime(Date.parse(nowText) - minutes * 60_000)

interface InstallerScene extends Records {
  readonly place: { readonly spaceId: string; readonly gateId: string; readonly gatewayId: string }
  /** The gateway sends a beat, healthy or with a fault of its modem. */
  readonly beat: (modem?: object) => Promise<void>
}

function placeOf(records: Records): InstallerScene {
  const { cloud, gateIds, tenant } = records
  const { gatewayId, spaceId } = tenant
  const { publicKey } = signingKey(new Uint8Array(32).fill(2))
  return {
    ...records,
    place: { spaceId, gateId: gateIds.delivery, gatewayId },
    async beat(modem = {}) {
      await cloud.database.knex('gateways').where({ id: gatewayId }).update({ publicKey })
      const said = { ...beatBody, version: '1.4.2', uptimeS: 1_051_200, can: ['sms', 'update'] }
      await cloud.gateway.beat(gatewayId, { ...said, modem: { ...beatBody.modem, ...modem } } as Beat)
    },
  }
}

function calibrationScenes({ beat, cloud, place, world }: InstallerScene): readonly Scene[] {
  const { gateId, gatewayId } = place
  const { database } = cloud
  const parts = { database, world }
  const gate = () => database.knex('gates').where({ id: gateId })
  const calibration = `gates/${gateId}/calibration`
  return [
    {
      name: 'checks',
      path: calibration,
      async put() {
        await gate().update({ calibration: null })
        await beat({ signalDbm: -105, supplyMv: 3_420, trouble: 'caller_id_hidden' })
      },
      act: page => page.locator('.banner').nth(1).waitFor(),
      // The figures of a minute keep its worst.
      undo: () => database.knex('beatFigures').where({ signalDbm: -105 }).delete(),
    },
    {
      name: 'cannot-tell',
      path: calibration,
      async put() {
        await beat()
        await putCalibration(parts, place, [2_000, 3_000, 2_500], { hasMoved: false, afterS: null })
      },
      act: page => page.locator('.calibration-calls').waitFor(),
    },
    {
      name: 'drift',
      path: `gates/${gateId}`,
      async put() {
        const at = agoMs(60 * 24 * 9)
        const learnedFrom = JSON.stringify({ at, gatewayId, modem: 'SIM800C', operator: 'Orange RO' })
        await measure({ cloud }, gateId)
        await gate().update({ calibration: null, learnedFrom })
        await addCall(parts, place, reportOf(calls.answered))
      },
      act: page => page.locator('.profile .banner').scrollIntoViewIfNeeded(),
    },
  ]
}

const helped = async (page: Page) => {
  await page.locator('.let-in > button').click()
  await page.locator('.let-in select').last().selectOption('RTU5024 (#TEL)')
  await page.locator('.let-in-send button').waitFor()
}

/** The dialog that sends the message, with what is typed above it; `password` is typed in it. */
async function inDialog(page: Page, listPlace = '', password?: string) {
  await helped(page)
  await page.locator('.let-in-values input').last().fill(listPlace)
  await page.locator('.let-in-send button').click()
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  if (password !== undefined) await dialog.locator('input').last().fill(password)
  return dialog
}

/** The module's answer to the message that the gateway was asked to send. */
async function answerMessage({ cloud: { database }, place, world }: InstallerScene) {
  const row = await openTaskOf(database.knex, place)
  if (!row) throw new Error('nothing is asked of the gateway')
  const answer = { text: '007:*****111', isWhole: true }
  const told = { taskId: row.id, kind: 'sms', state: 'done', sent: 'yes', answer } as const
  await database.write(tx => endTask(tx, world, row, told))
}

function messageScenes(place: InstallerScene): readonly Scene[] {
  const scene = (name: string, act: NonNullable<Scene['act']>): Scene => ({
    name: `sms-${name}`,
    path: `gates/${place.place.gateId}`,
    act,
    put: () => place.beat(),
  })
  return [
    scene('help', helped),
    scene('dialog', page => inDialog(page, '007')),
    scene('wrong', async page => {
      const dialog = await inDialog(page, '', '864')
      await dialog.locator('button').last().click()
      await dialog.locator('[aria-invalid=true]').first().waitFor()
    }),
    scene('answer', async page => {
      const dialog = await inDialog(page, '007', '8642')
      await dialog.locator('button').last().click()
      await page.locator('.let-in .banner').waitFor()
      await answerMessage(place)
      await page.getByText('007:*****111').waitFor()
      await place.cloud.database.knex('tasks').delete()
    }),
  ]
}

const program = async (page: Page) => {
  const card = page.locator('section.card').filter({ hasText: /^Program/ })
  await card.locator('.update-offer, .banner').first().waitFor()
  await card.scrollIntoViewIfNeeded()
}

function updateScenes({ beat, cloud: { database }, place, world }: InstallerScene): readonly Scene[] {
  const { gatewayId, spaceId } = place
  const update = async (changed: Parameters<typeof saveUpdate>[2], hours: boolean) => {
    await beat()
    await database.knex('gatewayUpdates').delete()
    await database.write(async tx => {
      await tx('releaseStages').delete()
      const notes = 'Calls are heard to their end on networks without ringing.'
      const archives = [{ architecture: 'arm64' as const, sha256: 'a'.repeat(64) }]
      await writeStage(tx, world, { version, notes, archives, percent: 100, spaces: [] })
      await saveUpdate(tx, place, { architecture: 'arm64', ...changed })
      await writeHours(tx, spaceId, hours ? { from: '02:00', to: '05:00' } : null)
    })
  }
  return [
    {
      name: 'updates-list',
      path: 'gateways',
      put: () => update({}, false),
      act: page => page.getByText(version).first().waitFor(),
    },
    {
      name: 'update-offered',
      path: `gateways/${gatewayId}`,
      put: () => update({}, false),
      act: program,
    },
    {
      name: 'update-hours',
      path: `gateways/${gatewayId}`,
      put: () => update({}, true),
      act: program,
    },
    {
      name: 'update-asked',
      path: `gateways/${gatewayId}`,
      put: () => update({ askedVersion: version, askedAt: agoMs(3), askedTask: 'task_a' }, true),
      act: program,
    },
    {
      name: 'update-taken-back',
      path: `gateways/${gatewayId}`,
      async put() {
        const lastWhy = `version ${version} was taken back: it did not reach broker and modem`
        const last = { lastVersion: version, lastState: 'taken_back', lastWhy, lastAt: agoMs(8) }
        await update({ ...last, lastCause: 'not_connected' }, false)
      },
      act: page => page.getByText(new RegExp(`^${version} `)).scrollIntoViewIfNeeded(),
    },
    {
      name: 'update-hours-card',
      path: 'settings',
      put: () => update({}, true),
      act: page => page.locator('.space-pair input >> visible=true').last().scrollIntoViewIfNeeded(),
    },
  ]
}

export function installerScenes(records: Records): readonly Scene[] {
  const place = placeOf(records)
  return [...calibrationScenes(place), ...messageScenes(place), ...updateScenes(place)]
}
