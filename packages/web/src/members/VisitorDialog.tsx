// A visitor's link: a member with one access that ends, made by one press and shown to be handed over.

import { limits } from '@callgate/contract/limits'
import type { Gate } from '@callgate/contract/rest/gate'
import { Checkbox } from '@mantine/core'
import { useRef, useState } from 'react'
import { useChange, useRead } from '../client/reading.tsx'
import { useSpace } from '../client/session.tsx'
import { FormDialog } from '../form/FormDialog.tsx'
import { FormField } from '../form/FormField.tsx'
import type { Fields } from '../form/fields.ts'
import { type Form, useForm } from '../form/useForm.ts'
import { MomentField } from '../schedule/MomentField.tsx'
import { dayAndMonth, timeOfDay, wallNow } from '../words/time.ts'
import { useWords, type Words } from '../words/words.tsx'
import { LinkSheet } from './LinkSheet.tsx'
import { lateTexts } from './lateTexts.ts'
import { endAhead, offeredEnds, sayEnd, type VisitorEnd } from './linkEnd.ts'
import { useAccessClock } from './useAccessClock.ts'
import { useFailureWords } from './useFailureWords.ts'
import { useKeyOf } from './useKeyOf.ts'
import { useReader } from './useMemberReader.ts'

interface VisitorValues {
  readonly gateId: string
  readonly name: string
  readonly end: VisitorEnd
  /** The wall clock of another end. */
  readonly otherEnd: string
  readonly isOnce: boolean
}

/** `now` is the wall clock of the Space. */
function visitorFields(
  gates: readonly Gate[],
  { now, usualName, words }: { readonly now: string; readonly usualName: string; readonly words: Words },
): Fields<VisitorValues> {
  const says = lateTexts(words).visitor
  return {
    gateId: { label: says.gate, choices: gates.map(({ id, name }) => ({ value: id, label: name })) },
    name: {
      label: says.name,
      hint: says.nameHint(usualName),
      limit: { ...limits.member.name, least: 0 },
      input: { autoComplete: 'off' },
    },
    end: {
      label: says.end,
      choices: offeredEnds(now).map(end => ({ value: end, label: says.ends[end] })),
    },
    otherEnd: {
      check: (typed, { end }) => {
        if (end !== 'other') return undefined
        return typed === '' ? says.endMissing : typed <= now ? says.endPast : undefined
      },
    },
    isOnce: {},
  }
}

interface Made {
  readonly link: string
  readonly name: string
  readonly says: readonly string[]
}

interface VisitorProps {
  readonly gates: readonly Gate[]
  readonly gateId: string
  /** The clock of the Space. */
  readonly clock: () => number
  readonly close: () => void
}

function useVisitorForm({ clock, gateId, gates }: VisitorProps, done: (made: Made) => void) {
  const { times, words } = useReader()
  const { timezone } = useSpace().space
  // As at the opening of the dialog: the choices do not change below the finger.
  const [atMs] = useState(clock)
  const wallAt = (ms: number) => wallNow(ms, timezone) ?? new Date(ms).toISOString().slice(0, 16)
  const now = wallAt(atMs)
  const { sheet, visitor: says } = lateTexts(words)
  const at = new Date(atMs).toISOString()
  const { moments } = words.member
  const usualName = says.usualName(moments.day(dayAndMonth(at, atMs, times), timeOfDay(at, times)))
  const create = useChange('createMember')
  const keyOf = useKeyOf()
  const nameOf = ({ name }: VisitorValues) => (name.trim() === '' ? usualName : name.trim())
  const [end = 'today'] = offeredEnds(now)
  const values: VisitorValues = { gateId, name: '', end, otherEnd: '', isOnce: false }
  const sentEnd = useRef('')
  const form = useForm({
    start: { values, etag: undefined },
    fields: visitorFields(gates, { now, usualName, words }),
    held: ['name', 'otherEnd'],
    send({ values: sent }) {
      const expiresAt = endAhead(sent.end, now, wallAt(clock()), sent.otherEnd)
      sentEnd.current = expiresAt
      const schedules = [{ type: 'always' as const, expiresAt, timezone }]
      const access = { gateId: sent.gateId, schedules, maxUsage: sent.isOnce ? 1 : null }
      const body = { name: nameOf(sent), accesses: [access] }
      return create({ body, idempotencyKey: keyOf(body) })
    },
    done({ body }, { values: sent }) {
      const link = body.member.accesses[0]?.accessUrl ?? ''
      const ends = [sayEnd(sentEnd.current, words), ...(sent.isOnce ? [sheet.once] : [])]
      done({ link, name: nameOf(sent), says: ends })
    },
  })
  return { form, today: now.slice(0, 10) }
}

function VisitorForm(props: {
  readonly form: Form<VisitorValues>
  readonly today: string
  readonly gates: readonly Gate[]
  readonly close: () => void
}) {
  const { close, form, gates, today } = props
  const says = lateTexts(useWords()).visitor
  const { end, gateId, isOnce, otherEnd } = form.values
  const sayFailure = useFailureWords(gates.filter(({ id }) => id === gateId).map(({ name }) => name))
  return (
    <FormDialog
      form={form}
      title={says.title}
      does={says.does}
      doing={says.doing}
      trouble={{ title: says.notMade, sayFailure }}
      close={close}
    >
      <p className="quiet">{says.why}</p>
      {gates.length > 1 && <FormField form={form} name="gateId" />}
      <FormField form={form} name="name" />
      <FormField form={form} name="end" />
      {end === 'other' && (
        <MomentField
          label={says.otherEnd}
          value={otherEnd}
          usualTime="18:00"
          min={today}
          error={form.isSent ? form.fields.otherEnd.check?.(otherEnd, form.values) : undefined}
          change={wall => form.type({ otherEnd: wall })}
        />
      )}
      <Checkbox
        label={says.once}
        description={says.onceWhy}
        checked={isOnce}
        onChange={event => form.type({ isOnce: event.currentTarget.checked })}
      />
    </FormDialog>
  )
}

function WithGates(props: VisitorProps) {
  const { close, gates } = props
  const [made, setMade] = useState<Made>()
  const { form, today } = useVisitorForm(props, setMade)
  if (!made) return <VisitorForm form={form} today={today} gates={gates} close={close} />
  const opened = gates.filter(({ id }) => id === form.values.gateId).map(({ name }) => name)
  return <LinkSheet link={made.link} name={made.name} gates={opened} says={made.says} close={close} />
}

/** `gateId`: the gate that is chosen at first; absent: the first one of the Space. */
export function VisitorDialog(props: { readonly gateId?: string | undefined; readonly close: () => void }) {
  const { close, gateId } = props
  const read = useRead('listGates', {})
  const gates = read.value?.gates.filter(({ isActive }) => isActive) ?? []
  const first = gateId === undefined ? gates[0] : gates.find(({ id }) => id === gateId)
  const clock = useAccessClock()
  return first && clock ? <WithGates gates={gates} gateId={first.id} clock={clock} close={close} /> : null
}
