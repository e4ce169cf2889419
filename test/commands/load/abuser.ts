// The process of an abusive tenant: reads its 5,000 members and its guests' pages without a pause, 20 requests at once.

import { Agent, request as httpRequest } from 'node:http'

interface AbuserRequest {
  readonly path: string
  readonly key?: string
}

const [base = '', keys = '', links = ''] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true, maxSockets: 64 })
const atOnce = 20
const answers: Record<string, number> = {}

const asked: readonly AbuserRequest[] = [
  ...keys.split(',').map(key => ({ path: '/api/v1/members', key })),
  ...links.split(',').map(link => ({ path: new URL(link).pathname })),
]

function ask({ key, path }: AbuserRequest): Promise<string> {
  return new Promise(resolve => {
    const headers = key === undefined ? {} : { authorization: `Bearer ${key}` }
    const sent = httpRequest(`${base}${path}`, { agent, headers }, response => {
      response.resume()
      response.on('end', () => resolve(String(response.statusCode)))
      response.on('error', () => resolve('cut off'))
    })
    sent.on('error', () => resolve('refused'))
    sent.end()
  })
}

async function goOn(place: number): Promise<never> {
  for (let turn = place; ; turn += atOnce) {
    const next = asked[turn % asked.length]
    const answer = next ? await ask(next) : 'nothing to ask'
    answers[answer] = (answers[answer] ?? 0) + 1
    // Refusals come fast, so even an abuser pauses after one.
    if (answer !== '200') await new Promise(resolve => setTimeout(resolve, 100))
  }
}

for (let place = 0; place < atOnce; place++) void goOn(place)
process.on('message', () => process.send?.({ answers }))
// The command has ended.
process.on('disconnect', () => process.exit(0))
process.send?.({ answers })
