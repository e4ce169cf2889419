import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anySchedule } from '../schedule/schedule.kit.ts'
import { formOf, newForm } from '../schedule/scheduleForm.ts'
import { canBeSent, createdBody, savedBody } from './memberBody.ts'
import {
  type AccessValues,
  changesBetween,
  type MemberValues,
  newAccess,
  noMember,
  personFields,
  rebased,
} from './memberDraft.ts'

const zone = 'Europe/Bucharest'
const always = [newForm(zone)]
const night = {
  ...newForm(zone),
  repeats: 'custom' as const,
  days: [5, 6],
  windows: [{ from: '22:00', to: '6' }],
}

const yard: AccessValues = {
  key: 'acc_1',
  isNew: false,
  gateId: 'gate_1',
  isActive: true,
  maxUsage: '10',
  schedules: always,
}
const ana: MemberValues = {
  name: 'Ana Pop',
  email: 'ana.pop@example.com',
  phone: '',
  note: 'Apartment 12',
  accesses: [yard],
}
const withYard = (change: Partial<AccessValues>): MemberValues => ({
  ...ana,
  accesses: [{ ...yard, ...change }],
})

describe('the changes', () => {
  it('are none where only a space at the end was typed', () => {
    expect(
      changesBetween(ana, { ...ana, name: 'Ana Pop ', accesses: [{ ...yard, maxUsage: ' 10' }] }),
    ).toEqual([])
  })

  it('count each field, switch, cap and schedule by itself', () => {
    const now = {
      ...ana,
      phone: '0722',
      accesses: [
        { ...yard, isActive: false, maxUsage: '', schedules: [...always, night] },
        newAccess('gate_2', zone),
      ],
    }
    expect(
      changesBetween(ana, now).map(change => (change.of === 'person' ? change.field : change.what)),
    ).toEqual(['phone', 'switched', 'cap', 'schedule', 'added'])
    expect(changesBetween(ana, { ...ana, accesses: [] })).toEqual([
      { of: 'access', gateId: 'gate_1', what: 'removed' },
    ])
  })

  it('are sent alone, with the whole list of accesses where one of them changed', () => {
    expect(savedBody({ base: ana, now: { ...ana, phone: ' 0722 ', note: '' } })).toEqual({
      phone: '0722',
      note: null,
    })
    const now = {
      ...withYard({ schedules: [night] }),
      accesses: [{ ...yard, schedules: [night] }, newAccess('gate_2', zone)],
    }
    expect(savedBody({ base: ana, now })).toEqual({
      accesses: [
        {
          id: 'acc_1',
          gateId: 'gate_1',
          schedules: [
            {
              type: 'custom',
              daysOfWeek: [5, 6],
              timeWindows: [{ from: '22:00', to: '06:00' }],
              timezone: zone,
            },
          ],
        },
        { gateId: 'gate_2', isActive: true, maxUsage: null, schedules: [{ type: 'always', timezone: zone }] },
      ],
    })
    expect(createdBody({ base: noMember, now: { ...noMember, name: ' Ion ' } })).toEqual({
      name: 'Ion',
      email: null,
      phone: null,
      note: null,
      accesses: [],
    })
  })

  it('are not sent while a field is wrong, unless it was read so', () => {
    const open = { ...newForm(zone), repeats: 'one-shot' as const }
    const can = (now: MemberValues, base = ana) => canBeSent({ base, now })
    expect(can(ana)).toBe(true)
    expect(can({ ...ana, name: ' ' })).toBe(false)
    expect(can({ ...ana, email: 'ana' })).toBe(false)
    expect(can(withYard({ maxUsage: '1.5' }))).toBe(false)
    expect(can(withYard({ schedules: [open] }))).toBe(false)
    expect(can(withYard({ schedules: [open] }), withYard({ schedules: [open] }))).toBe(true)
  })
})

describe('when another person was faster', () => {
  it('keeps the typed text, and adopts the rest', () => {
    const now = { ...ana, phone: '0722', note: 'Apartment 14' }
    const fresh = { ...withYard({ isActive: false }), note: 'Apartment 13', name: 'Ana Popescu' }
    const { draft, theirs } = rebased({ base: ana, now }, fresh)
    expect(draft).toEqual({
      base: fresh,
      now: { ...fresh, phone: '0722', note: 'Apartment 14' },
    })
    expect(theirs).toEqual([{ of: 'person', field: 'note', value: 'Apartment 13' }])
  })

  it('reports which access both have changed, and restores one that was removed meanwhile', () => {
    const mine = withYard({ schedules: [night] })
    const both = rebased({ base: ana, now: mine }, withYard({ schedules: [...always, night], maxUsage: '5' }))
    expect(both.draft.now.accesses).toEqual([{ ...yard, schedules: [night], maxUsage: '5' }])
    expect(both.theirs).toMatchObject([{ of: 'access', gateId: 'gate_1' }])

    const gone = rebased({ base: ana, now: mine }, { ...ana, accesses: [] })
    expect(gone.draft.now.accesses).toMatchObject([{ isNew: true, gateId: 'gate_1', schedules: [night] }])
    expect(gone.theirs).toEqual([{ of: 'access', gateId: 'gate_1', access: undefined }])
    // Unchanged fields go with them.
    expect(rebased({ base: ana, now: ana }, { ...ana, accesses: [] }).draft.now.accesses).toEqual([])
  })

  it('keeps accesses removed that were removed here', () => {
    const { draft, theirs } = rebased(
      { base: ana, now: { ...ana, accesses: [] } },
      withYard({ maxUsage: '3' }),
    )
    expect(draft.now.accesses).toEqual([])
    expect(theirs).toMatchObject([{ gateId: 'gate_1', access: { maxUsage: '3' } }])
  })

  it('merges two accesses that both gave to a gate', () => {
    const mine = { ...ana, accesses: [yard, newAccess('gate_2', zone)] }
    const added = { ...yard, key: 'acc_2', gateId: 'gate_2' }
    const { draft } = rebased({ base: ana, now: mine }, { ...ana, accesses: [yard, added] })
    expect(draft.now.accesses[1]).toMatchObject({ key: 'acc_2', isNew: false, maxUsage: '' })
  })

  const anyText = fc.constantFrom('', 'one', 'two')
  const anyAccess = (gateId: string) =>
    fc.record({
      key: fc.constant(`acc_${gateId}`),
      isNew: fc.constant(false),
      gateId: fc.constant(gateId),
      isActive: fc.boolean(),
      maxUsage: fc.constantFrom('', '1'),
      schedules: fc.array(anySchedule.map(formOf), { minLength: 1, maxLength: 2 }),
    })
  const anyMember: fc.Arbitrary<MemberValues> = fc.record({
    name: anyText,
    email: anyText,
    phone: anyText,
    note: anyText,
    accesses: fc
      .tuple(fc.option(anyAccess('gate_1')), fc.option(anyAccess('gate_2')))
      .map(accesses => accesses.filter(access => access !== null)),
  })

  it('loses no change of either: each is kept, or shown as theirs', () => {
    fc.assert(
      fc.property(anyMember, anyMember, anyMember, (base, now, fresh) => {
        const { draft, theirs } = rebased({ base, now }, fresh)
        expect(draft.base).toEqual(fresh)
        for (const field of personFields) {
          const isMine = now[field] !== base[field]
          expect(draft.now[field]).toBe(isMine ? now[field] : fresh[field])
          const isTold = theirs.some(one => one.of === 'person' && one.field === field)
          expect(isTold).toBe(isMine && fresh[field] !== base[field] && fresh[field] !== now[field])
        }
        const gates = draft.now.accesses.map(({ gateId }) => gateId)
        expect(new Set(gates).size, 'one access for each gate').toBe(gates.length)
        // A person without changes sees the current values.
        expect(rebased({ base, now: base }, fresh).draft.now).toEqual(fresh)
        expect(rebased({ base, now: base }, fresh).theirs).toEqual([])
        // Nobody else changed anything, so the draft is unchanged.
        expect(changesBetween(now, rebased({ base, now }, base).draft.now)).toEqual([])
      }),
      { numRuns: 150 },
    )
  })
})
