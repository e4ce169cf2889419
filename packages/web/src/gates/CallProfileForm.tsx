// The form of how a gate takes a call: what its module does, and two times.

import { useState } from 'react'
import type { Failure } from '../client/client.ts'
import { useCall, useChange } from '../client/reading.tsx'
import { Dialog } from '../kit/Dialog.tsx'
import { draftOf, rebased, valuesOf, withTyped } from '../kit/draft.ts'
import { Field } from '../kit/Field.tsx'
import { icons } from '../kit/icons.tsx'
import { useLastChange } from '../kit/lastChange.ts'
import { sayProblem } from '../words/problems.ts'
import { useWords, type Words } from '../words/words.tsx'
import type { ProfileBody } from './CallProfile.tsx'

type Profile = ProfileBody['profile']
type Mode = keyof Words['gate']['modeNames']

interface Values {
  readonly mode: Mode
  /** As they are typed. */
  readonly coolDownS: string
  readonly maxRingS: string
}

const valuesOfProfile = ({ coolDownMs, maxRingMs, mode }: Profile): Values => ({
  mode: mode as Mode,
  coolDownS: String(coolDownMs / 1_000),
  maxRingS: String(maxRingMs / 1_000),
})

const bounds = { coolDownS: [0, 60], maxRingS: [1, 45] } as const

/** What is wrong with a number of seconds. */
function checkSeconds(name: keyof typeof bounds, says: Words['gate']['profile']) {
  const [least, most] = bounds[name]
  return (value: string) =>
    /^\d{1,2}$/.test(value.trim()) && Number(value) >= least && Number(value) <= most
      ? undefined
      : says.between(least, most)
}

/** Only what was changed is sent. */
const bodyOf = ({ coolDownS, maxRingS, mode }: Partial<Values>) => ({
  ...(mode !== undefined && { mode }),
  ...(coolDownS !== undefined && { coolDownMs: Number(coolDownS) * 1_000 }),
  ...(maxRingS !== undefined && { maxRingMs: Number(maxRingS) * 1_000 }),
})

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
  const says = words.gate.profile
  const change = useChange('updateGateProfile')
  const call = useCall()
  const lastChange = useLastChange()
  const [draft, setDraft] = useState(() => draftOf(valuesOfProfile(read.profile)))
  const [etag, setEtag] = useState(read.etag)
  const [isBusy, setBusy] = useState(false)
  const [isSent, setSent] = useState(false)
  const [trouble, setTrouble] = useState<string>()
  const values = valuesOf(draft)
  const form = words.gates.form
  const sayFailure = (failure: Failure) => sayProblem(failure, words, { network_error: form.noAnswer })

  async function send() {
    setSent(true)
    const names = ['coolDownS', 'maxRingS'] as const
    if (names.some(name => checkSeconds(name, says)(values[name]) !== undefined)) return
    if (Object.keys(draft.typed).length === 0) return close()
    setBusy(true)
    const result = await change({ params: { gateId }, body: bodyOf(draft.typed), ifMatch: etag })
    if (result.ok) return close()
    const now =
      result.code === 'precondition_failed' && (await call('getGateProfile', { params: { gateId } }))
    setBusy(false)
    if (!now) return setTrouble(sayFailure(result))
    if (!now.ok) return setTrouble(sayFailure(now))
    setEtag(now.etag ?? undefined)
    setDraft(before => rebased(before, valuesOfProfile(now.body.profile)))
    setTrouble(form.changedMeanwhile((await lastChange(gateId)).who))
  }
  const secondsField = (name: 'coolDownS' | 'maxRingS') => ({
    value: values[name],
    change: (value: string) => setDraft(before => withTyped(before, { [name]: value })),
    check: checkSeconds(name, says),
    isSent,
    input: { inputMode: 'numeric' as const },
  })
  return (
    <Dialog
      title={says.title}
      does={words.frame.save}
      busy={isBusy ? words.frame.saving : undefined}
      isTyped={Object.keys(draft.typed).length > 0}
      close={close}
      go={() => void send()}
    >
      <ModeChoice mode={values.mode} choose={mode => setDraft(before => withTyped(before, { mode }))} />
      <Field label={says.joinS} hint={says.joinHint} {...secondsField('coolDownS')} />
      <Field label={says.ringS} hint={says.ringHint} {...secondsField('maxRingS')} />
      <div role="alert">
        {trouble !== undefined && (
          <p className="banner banner-shut dialog-banner">
            <icons.error size={20} />
            <span>
              <b>{form.notSaved}</b> {trouble}
            </span>
          </p>
        )}
      </div>
    </Dialog>
  )
}
