// The pictures of the records: the history of real presses, and a gateway with its figures since the demo began.

import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { DemoProcess } from '../processes/endToEnd/demoProcess.ts'
import type { DashboardStudio } from './dashboardScreens.ts'

/** By how the modules answer; no gate comes twice in a row, so that no press joins another. */
const presses = [
  'reject_busy',
  'answer_release_2s',
  'reject_busy',
  'busy_before_alert',
  'ring_forever',
  'reject_busy',
]

/** Names the gateway and its number, which have no operation of the REST API. */
function nameGateway({ dataFolder }: DemoProcess): void {
  const database = new Database(join(dataFolder, 'callgate.sqlite'))
  database.prepare('update gateways set name = ?, callerNumber = ?').run('Attic', '+40740000111')
  database.close()
}

/** Takes the pictures of the history and of the gateways, after some presses. */
export async function shootRecords(studio: DashboardStudio): Promise<void> {
  const { demo, shoot, visit } = studio
  nameGateway(demo)
  for (const farEnd of presses) {
    const gate = demo.ready.gates.find(one => one.farEnd === farEnd)
    if (gate) await demo.call('POST', `/api/v1/gates/${gate.id}/open`)
  }
  for (const [width, height] of [
    [1280, 1040],
    [390, 1600],
  ] as const) {
    const options = { viewport: { width, height } }
    await visit(
      'history',
      async page => {
        await page.getByRole('link', { name: 'Allow the caller number' }).first().waitFor()
        await shoot(`dash-history-${width}`, page)
        await page.emulateMedia({ colorScheme: 'dark' })
        await shoot(`dash-history-${width}-dark`, page)
      },
      options,
    )
  }
  await visit(
    'gateways?range=6h',
    async page => {
      await page.getByRole('img', { name: /^Supply: / }).waitFor()
      await shoot('dash-gateways-1280', page)
      await page.emulateMedia({ colorScheme: 'dark' })
      await shoot('dash-gateways-1280-dark', page)
    },
    { viewport: { width: 1280, height: 1240 } },
  )
}
