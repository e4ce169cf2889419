import type { GateCallerView } from '@callgate/contract/app/appGateCallers'
import { refuse } from '@callgate/contract/app/refusals'
import { outcomesOf } from '@callgate/contract/call/callOutcomes'
import { exampleProfile } from '@callgate/contract/call/callProfile'
import type { Gate } from '@callgate/contract/rest/gate'
import { exampleEvidence, exampleOpening } from '@callgate/contract/rest/opening'
import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { Answers } from '../client/fakeCloud.kit.ts'
import { password } from '../client/fakeCloud.kit.ts'
import {
  another,
  callerOf,
  figuresOf,
  gateOf,
  ids,
  openingOf,
  pathOf,
  sessionOf,
} from '../client/spaceData.kit.ts'
import { dashboardPages, expectAccessible, noDialog, on, onPhone } from '../pages.kit.tsx'

const pages = dashboardPages()
const page = on()
const gatePath = pathOf(`gates/${ids.gateId}`)

/** The card of a gate in the list. */
const card = (name: string) =>
  on(() => within(screen.getByRole('heading', { name }).closest('li') ?? document.body))

/** A gate in the state of its last change. */
function oneGate(first: Partial<Gate> = {}) {
  let gate = gateOf(first)
  const answers = {
    listGates: () => ({ status: 200, body: { gates: [gate] } }),
    getGate: () => ({ status: 200, body: { gate } }),
    updateGate({ body }) {
      gate = { ...gate, ...body } as Gate
      return { status: 200, body: { gate } }
    },
  } satisfies Answers
  return {
    answers,
    now: () => gate,
    change(changed: Partial<Gate>) {
      gate = { ...gate, ...changed }
    },
  }
}

it('unfolds an opening to the signals of the line', async () => {
  const opened = openingOf()
  await pages.open(gatePath, sessionOf(), {
    getGateFigures: () => ({
      status: 200,
      body: { figures: figuresOf({ last: opened }), ringMs: [], callers: [] },
    }),
    listHistory: ({ query }) => ({
      status: 200,
      body: {
        openings: query.classes?.includes('opened') === false ? [] : [opened],
        pagination: { limit: 50, nextCursor: null },
      },
    }),
    getOpening: () => ({ status: 200, body: { opening: exampleOpening, evidence: exampleEvidence } }),
  })
  await page.button(/Opened.*Mihai Radu|Opened.*You/)
  await page.says('Did it open?')
  await page.says('Most likely')
  await expectAccessible()
  const all = await page.link('All openings of this gate')
  expect(all.getAttribute('href')).toContain(`/history?gate=${ids.gateId}`)
  await page.check('Unknown')
  await page.says('None of this kind.')
})

it('shows on a phone the last opening alone and folded, until somebody asks for the earlier ones', async () => {
  onPhone()
  const openings = [openingOf(), openingOf({ id: another(ids.openingId, 1) })]
  await pages.open(gatePath, sessionOf(), {
    listHistory: () => ({ status: 200, body: { openings, pagination: { limit: 20, nextCursor: null } } }),
    getOpening: () => ({ status: 200, body: { opening: exampleOpening, evidence: exampleEvidence } }),
  })
  await page.of('heading', 'Last opening')
  const folded = () => screen.getAllByRole('button', { expanded: false, name: /Opened/ })
  expect(folded()).toHaveLength(1)
  await page.saysNot('Did it open?')
  await page.press('Show more')
  await page.of('heading', 'Openings')
  expect(folded()).toHaveLength(2)
  await expectAccessible()
})

it('shows the newest opening of a gate, and the others that say the same as one row', async () => {
  const openings = [5, 4, 3, 2].map(place => openingOf({ id: another(ids.openingId, place) }))
  await pages.open(gatePath, sessionOf(), {
    listHistory: () => ({ status: 200, body: { openings, pagination: { limit: 20, nextCursor: null } } }),
    getOpening: () => ({ status: 200, body: { opening: exampleOpening, evidence: exampleEvidence } }),
  })
  const folded = () => screen.getAllByRole('button', { expanded: false, name: /Opened/ })
  await page.button(/Opened, 3 times/)
  expect(folded()).toHaveLength(1)
  await page.press(/Opened, 3 times/)
  expect(folded()).toHaveLength(3)
})

it('adds a gate, and moves the focus to a mistake', async () => {
  let gates = [gateOf()]
  await pages.open(pathOf('gates'), sessionOf(), {
    listGates: () => ({ status: 200, body: { gates } }),
    createGate({ body: { name, phoneNumber } }) {
      if (phoneNumber.startsWith('0900'))
        return refuse('number_range', { field: 'phoneNumber', prefix: '+40900', kind: 'premium' })
      const gate = gateOf({ id: another(ids.gateId, 1), name })
      gates = [...gates, gate]
      return { status: 201, body: { gate } }
    },
  })
  await page.press('Add gate')
  const dialog = page.part('dialog')
  await dialog.fill('Name', 'Delivery gate')
  await dialog.fill('Number', '0040 722')
  await page.says(/Too short: 8 to 15 digits\./)
  // The focus goes to what is wrong.
  const focused = () => (document.activeElement as HTMLInputElement).value
  await dialog.press('Add gate')
  await expect.poll(focused).toBe('0040 722')
  await dialog.fill('Number', '112')
  await dialog.fill('Number', '0900 123 456')
  await dialog.press('Add gate')
  // The errors that only the cloud can find are at their fields, and the typed text is still there.
  await dialog.says(/never called/)
  await expect.poll(focused).toBe('0900 123 456')
  await expectAccessible()
  await dialog.fill('Number', '0722 654 321')
  await dialog.press('Add gate')
  await page.of('heading', 'Delivery gate')
  await page.fill('Find a gate', 'deliv')
  expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual([
    'Delivery gate',
  ])
})

it('loses no change when two people edit one gate', async () => {
  const { answers, change, now } = oneGate({ name: 'Yard barrier' })
  await pages.open(gatePath, sessionOf(), {
    ...answers,
    getLastChange: () => ({
      status: 200,
      body: {
        change: {
          at: new Date().toISOString(),
          by: { kind: 'key', id: ids.apiKeyId, name: 'Desk' },
        },
      },
    }),
  })
  await page.press('Edit')
  const dialog = page.part('dialog')
  await dialog.fill('Name', 'Barrier by Mihai')
  change({ name: 'Barrier by Ana', location: 'Rear' })
  await dialog.press('Save')
  await page.says(/The API key Desk changed this gate meanwhile/)
  await page.says('Somebody else has set this to “Barrier by Ana”.')
  expect(await dialog.typed('Name')).toBe('Barrier by Mihai')
  expect(await dialog.typed('Place')).toBe('Rear')
  await expectAccessible()
  await dialog.press('Save mine')
  await screen.findByRole('heading', { level: 1, name: 'Barrier by Mihai' })
  expect([now().name, now().location]).toEqual(['Barrier by Mihai', 'Rear'])
})

it('switches a gate off and on', async () => {
  const { answers, change } = oneGate({ name: 'Yard barrier' })
  await pages.open(gatePath, sessionOf(), {
    ...answers,
    deactivateGate() {
      change({ isActive: false })
      return { status: 204 }
    },
  })
  await page.press('Edit')
  await page.part('dialog').press('Cancel')
  // The focus returns to the button that opened the dialog.
  expect(document.activeElement?.textContent).toBe('Edit')
  await page.press('More')
  await page.choose('menuitem', 'Switch off')
  await page.says(/Nobody can open it/)
  await page.key('{Escape}')
  await noDialog()
  expect(document.activeElement).toBe(await page.button('More'))
  await page.press('More')
  await page.choose('menuitem', 'Switch off')
  await page.part('dialog').press('Switch off')
  await page.says('Switched off')
  await page.press('Switch on')
  await page.button('More')
})

it('reports for every gate that its reaction is not measured, also beside another badge', async () => {
  const { answers, change } = oneGate({ name: 'Cellar gate' })
  let calibration: 'none' | 'declared' = 'declared'
  const cloud = await pages.open(pathOf('gates'), sessionOf(), {
    ...answers,
    listGateFigures: () => ({ status: 200, body: { figures: [figuresOf({ calibration })] } }),
    getGateProfile: () => ({ status: 200, body: { profile: exampleProfile, calibration } }),
  })
  await card('Cellar gate').says('· not measured')
  calibration = 'none'
  cloud.tell('gate.updated', ids.gateId)
  await card('Cellar gate').says('Not calibrated')
  change({ isActive: false })
  cloud.tell('gate.updated', ids.gateId)
  await card('Cellar gate').says('Switched off')
  await card('Cellar gate').says('· not calibrated')
  calibration = 'declared'
  change({ isActive: true })
  await card('Cellar gate').follow('Cellar gate')
  await page.says('Nobody has measured it, so an opening is assumed at best.')
  await expectAccessible()
})

it('asks to sign in again over the typed text when the session has ended elsewhere', async () => {
  const { answers, now } = oneGate()
  const session = sessionOf()
  const unauthorized = { problem: 'unauthorized', message: 'The session has ended.' } as const
  const cloud = await pages.open(gatePath, session, answers)
  await page.press('Edit')
  const form = page.part('dialog', /Edit/)
  await form.fill('Note', 'Behind the garages')
  cloud.answer({ updateGate: () => unauthorized, signIn: () => ({ status: 200, body: session }) })
  await form.press('Save')
  await page.says('Your session has ended')
  await expectAccessible()
  cloud.answer(answers)
  const again = page.part('dialog', 'Your session has ended')
  await again.fill('Password', password)
  await again.press('Sign in')
  await page.saysNot('Your session has ended')
  expect(await form.typed('Note')).toBe('Behind the garages')
  await form.press('Save')
  await noDialog()
  expect(now().description).toBe('Behind the garages')
})

/** The settings of a gate's gateways, and the changes made to them. */
function callersOf() {
  let caller: GateCallerView = callerOf()
  const answers = {
    getGateCallers: () => ({ status: 200, body: { callers: [caller] } }),
    updateGateCallers({ body: { gatewayId: _, ...changed } }) {
      caller = { ...caller, ...changed }
      const calls = caller.mayCall && caller.numberKnown !== 'no'
      caller = { ...caller, now: { ...caller.now, turn: calls ? 1 : null } }
      return { status: 200, body: { callers: [caller] } }
    },
  } satisfies Answers
  return { answers, now: () => caller }
}
/** The sheet behind the gateway of the gate. */
const openAttic = () => page.press(/^Attic.* would call now/)
const isChecked = (box: HTMLElement) => (box as HTMLInputElement).checked

it('shows which gateway would call, and lets it be changed', async () => {
  const { answers, now } = callersOf()
  await pages.open(gatePath, sessionOf(), answers)
  await page.button(/would call now/)
  await openAttic()
  await page.says('Would call now')
  const may = await screen.findByRole('switch', { name: 'Attic may call this gate' })
  may.focus()
  await page.key(' ')
  await page.says('May not call this gate')
  expect(isChecked(may)).toBe(false)
  await expectAccessible()
  expect(now()).toMatchObject({ mayCall: false, numberKnown: 'unknown' })
  may.focus()
  await page.key(' ')
  await page.says('Would call now')
  const known = 'Whether the number of Attic is known here'
  await page.select(known, 'no')
  await page.says('Its number is not known here: it does not call')
  await page.select(known, 'unknown')
  await page.says('Would call now')
  expect(now()).toMatchObject({ mayCall: true, numberKnown: 'unknown' })
})

it('keeps the settings of a gateway where the change does not arrive, and reports it', async () => {
  const { answers } = callersOf()
  await pages.open(gatePath, sessionOf(), { ...answers, updateGateCallers: () => 'nothing' })
  await openAttic()
  const may = await screen.findByRole('switch', { name: 'Attic may call this gate' })
  may.focus()
  await page.key(' ')
  await page.says('No answer came. Look again whether it is saved.')
  expect(isChecked(may)).toBe(true)
  await expectAccessible()
})

it('brings the remedy of a failure to the card, and opens the form that corrects the number', async () => {
  const failed = openingOf({ class: 'did_not_open', reason: 'bad_number', opened: 'no' })
  const figures = figuresOf({ last: failed, outcomes: outcomesOf([{ class: 'did_not_open', seen: null }]) })
  await pages.open(pathOf('gates'), sessionOf(), {
    listGateFigures: () => ({ status: 200, body: { figures: [figures] } }),
  })
  await page.says('Courtyard gate needs attention.')
  await page.says('The gate is not known to have opened.')
  await expectAccessible()
  await card('Courtyard gate').follow('Correct the number')
  await page.part('dialog', 'Edit Courtyard gate').field('Number')
})

it('says when too many pages were read, and when to read again', async () => {
  const tooMany = {
    problem: 'rate_limited',
    message: 'Slow down.',
    headers: { 'Retry-After': '20' },
  } as const
  const cloud = await pages.open(pathOf('gates'), sessionOf(), { listGates: () => tooMany })
  await page.says('Too many pages in a minute. Read again in 20 s.')
  expect(cloud.count('listGates')).toBe(1)
  cloud.answer({ listGates: () => ({ status: 200, body: { gates: [gateOf()] } }) })
  await page.press('Read again')
  await page.of('heading', 'Courtyard gate')
})

it('speaks Romanian', async () => {
  await pages.open(pathOf('gates'), sessionOf({ language: 'ro' }), callersOf().answers)
  await screen.findByRole('heading', { level: 1, name: 'Porți' })
  await card('Courtyard gate').follow('Courtyard gate')
  await screen.findByRole('heading', { level: 1, name: 'Courtyard gate' })
  await screen.findByRole('heading', { level: 2, name: 'Gateway-uri' })
  await page.press(/^Attic.* ar suna acum/)
  await screen.findByRole('switch', { name: 'Attic are voie să sune această poartă' })
  await expectAccessible()
  expect(document.documentElement.lang).toBe('ro')
})

it('shows no page of another Space', async () => {
  await pages.open('/spaces/space_00000000000000000000000000/gates', sessionOf())
  await page.says(/There is no such page/)
})

it('gives an owner without a gate a sandbox with a pretend gateway by one press', async () => {
  const session = sessionOf()
  const sandbox = {
    ...session.spaces[0],
    id: 'space_01kdhx3m8e2w7q5v9z4r6t8y0b',
    name: 'Pretend',
    mode: 'sandbox',
  }
  const cloud = await pages.open(pathOf('gates'), session, {
    getSession: () => ({ status: 200, body: { ...session, spaces: [...session.spaces] } }),
    listGates: () => ({ status: 200, body: { gates: [] } }),
    createSandbox({ body: { name } }) {
      session.spaces.push(sandbox as (typeof session.spaces)[number])
      return { status: 201, body: { space: { id: sandbox.id, name } } }
    },
    createGate: ({ body }) => ({ status: 201, body: { gate: gateOf({ name: body.name }) } }),
  })
  await page.says('which moves no real gate.')
  await expectAccessible()
  await page.press('Try everything with a pretend one')
  await page.says('Nobody is called, and no mail is sent.')
  expect(location.pathname).toBe(`/spaces/${sandbox.id}/gates`)
  expect(cloud.bodies('createGate')).toMatchObject([
    { name: 'Gate that opens', phoneNumber: '+447700900101' },
    { name: 'Busy gate', phoneNumber: '+447700900200' },
    { name: 'Unsure gate', phoneNumber: '+447700900400' },
  ])
  // It is no way on from a sandbox, and leads to the one that is there.
  await page.saysNot('Try everything with a pretend one')
  expect(cloud.count('createSandbox')).toBe(1)
})

it('echoes the number that will be called, and names a gate that has it', async () => {
  await pages.open(pathOf('gates'), sessionOf(), {
    listGates: () => ({
      status: 200,
      body: { gates: [gateOf({ name: 'East gate', phoneNumber: '+40722987654' })] },
    }),
  })
  await page.press('Add gate')
  await page.fill('Number', '0722 111 222')
  await page.says('Will be called: +40 722 111 222 (Romania).')
  await page.fill('Number', '+49 151 12345678')
  await page.says('Will be called: +49 151 123 456 78 (Germany).')
  await page.fill('Number', '0040 722 987 654')
  await page.says('East gate has this number already.')
  await expectAccessible()
})
