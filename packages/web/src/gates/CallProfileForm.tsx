// The form of how a gate takes a call: the behaviour of its module, and two times.

import { limits } from '@callgate/contract/limits'
import { useCall } from '../client/connection.tsx'
import { useChange } from '../client/reading.tsx'
import { isWhole, secondsOf } from '../form/checks.ts'
import { FormDialog } from '../form/FormDialog.tsx'
import { FormField } from '../form/FormField.tsx'
import type { Fields } from '../form/fields.ts'
import { baseOf } from '../form/formState.ts'
import { useForm } from '../form/useForm.ts'
import { useWords, type Words } from '../words/words.tsx'
import type { ProfileBody } from './CallProfile.tsx'
import { gateFormTexts } from './gateFormTexts.ts'

type Profile = ProfileBody['profile']
type Mode = keyof Words['gate']['modeNames']

interface Values {
  readonly mode: Mode
  /** The typed texts. */
  readonly coolDownS: string
  readonly maxRingS: string
}

const valuesOfProfile = ({ coolDownMs, maxRingMs, mode }: Profile): Values => ({
  mode: mode as Mode,
  coolDownS: String(coolDownMs / 1_000),
  maxRingS: String(maxRingMs / 1_000),
})

/** Sends only the changed values. */
const bodyOf = ({ coolDownS, maxRingS, mode }: Partial<Values>) => ({
  ...(mode !== undefined && { mode }),
  ...(coolDownS !== undefined && { coolDownMs: Number(coolDownS) * 1_000 }),
  ...(maxRingS !== undefined && { maxRingMs: Number(maxRingS) * 1_000 }),
})

function fieldsOf({ form, gate }: Words): Fields<Values> {
  const { joinHint, joinS, ringHint, ringS } = gate.profile
  /** A whole number of seconds, within what the API takes as milliseconds. */
  const seconds = (name: 'coolDownMs' | 'maxRingMs', hint: (least: number, most: number) => string) => {
    const limit = secondsOf(limits.profile[name])
    const { least, most } = limit
    return {
      hint: hint(least, most),
      check: (text: string) => (isWhole(text, limit) ? undefined : form.between(least, most)),
      input: { inputMode: 'numeric' },
    } as const
  }
  return {
    mode: {},
    coolDownS: { label: joinS, ...seconds('coolDownMs', joinHint) },
    maxRingS: { label: ringS, ...seconds('maxRingMs', ringHint) },
  }
}

function ModeChoice(props: { readonly mode: Mode; readonly choose: (mode: Mode) => void }) {
  const says = useWords().gate
  return (
    <fieldset className="modes">
      <legend>{says.profile.mode}</legend>
      {(Object.entries(says.modeNames) as [Mode, string][]).map(([mode, name]) => (
        <label key={mode}>
          <input
            type="radio"
            name="mode"
            value={mode}
            checked={props.mode === mode}
            onChange={() => props.choose(mode)}
          />
          {name}
        </label>
      ))}
    </fieldset>
  )
}

export function CallProfileForm(props: {
  readonly gateId: string
  readonly read: { readonly profile: Profile; readonly etag: string | undefined }
  readonly close: () => void
}) {
  const { close, gateId, read } = props
  const words = useWords()
  const change = useChange('updateGateProfile')
  const call = useCall()
  const params = { gateId }
  const form = useForm({
    fields: fieldsOf(words),
    start: { values: valuesOfProfile(read.profile), etag: read.etag },
    send: ({ ifMatch, typed }) => change({ params, body: bodyOf(typed), ifMatch }),
    done: close,
    unchanged: close,
    edited: {
      id: gateId,
      readNow: () => baseOf(call('getGateProfile', { params }), ({ profile }) => valuesOfProfile(profile)),
    },
  })
  const { changedMeanwhile, noAnswer, notSaved } = gateFormTexts(words)
  return (
    <FormDialog
      form={form}
      title={words.gate.profile.title}
      does={words.frame.save}
      doing={words.frame.saving}
      trouble={{ title: notSaved, own: { network_error: noAnswer }, changedMeanwhile }}
      close={close}
    >
      <ModeChoice mode={form.values.mode} choose={mode => form.type({ mode })} />
      <FormField form={form} name="coolDownS" />
      <FormField form={form} name="maxRingS" />
    </FormDialog>
  )
}
