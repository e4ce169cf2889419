// The dialog that imports members from a file: what it would change is shown first, and nothing is done before a yes.

import type { ImportPlan } from '@callgate/contract/app/memberFile'
import { Checkbox, FileInput } from '@mantine/core'
import { useState } from 'react'
import type { Failure } from '../client/client.ts'
import { useCall, useChange } from '../client/reading.tsx'
import { Dialog } from '../kit/Dialog.tsx'
import { icons } from '../kit/icons.tsx'
import { sayRefusals } from '../words/problems.ts'
import { count } from '../words/time.ts'
import { useWords } from '../words/words.tsx'
import { useFailureWords } from './useFailureWords.ts'

interface Chosen {
  readonly text: string
  readonly plan: ImportPlan
}

/** A file in another encoding has characters that UTF-8 does not know. */
const isReadable = (text: string) => !text.includes('\uFFFD')

/** What would change, or has changed: only what is not nothing. */
function Changes({ plan }: { readonly plan: ImportPlan }) {
  const words = useWords()
  const says = words.members.import
  const lines = (
    ['created', 'changed', 'unchanged', 'accessesAdded', 'accessesChanged', 'accessesRevoked'] as const
  ).filter(name => plan[name] > 0)
  return (
    <ul className="import-changes">
      {lines.map(name => (
        <li key={name} className={name === 'accessesRevoked' ? 'import-ends' : ''}>
          {says.counts[name](count(plan[name], words.locale))}
        </li>
      ))}
      {lines.length === 0 && <li>{says.nothing}</li>}
    </ul>
  )
}

/** The column that a refusal is about, by the name that the file has for it. */
const columnBefore = (field: string) => (field === '' ? '' : `${field.split(/[.[]/, 1)[0]}: `)

function Faults({ faults }: { readonly faults: ImportPlan['faults'] }) {
  const words = useWords()
  const says = words.members.import
  return (
    <div className="banner banner-shut dialog-banner" role="alert">
      <icons.error size={20} />
      <span>
        <b>{says.faulty}</b>
        <ul className="import-faults">
          {faults.map(({ line, message, refusals }) => (
            <li key={`${line} ${message}`}>
              {line !== null && `${says.line(line)}: `}
              {sayRefusals(refusals, words, columnBefore) ?? message}
            </li>
          ))}
        </ul>
      </span>
    </div>
  )
}

function useImport() {
  const call = useCall()
  const change = useChange('importMembers')
  const words = useWords().members.import
  const sayFailure = useFailureWords()
  const [chosen, setChosen] = useState<Chosen>()
  const [trouble, setTrouble] = useState<string>()
  const [isBusy, setBusy] = useState(false)

  function take(text: string, result: { ok: true; body: ImportPlan } | Failure) {
    setBusy(false)
    if (result.ok) setChosen({ text, plan: result.body })
    else setTrouble(sayFailure(result))
  }
  async function choose(file: File | null): Promise<void> {
    setChosen(undefined)
    setTrouble(undefined)
    if (!file) return
    const text = await file.text()
    if (!isReadable(text)) return setTrouble(words.notUtf8)
    setBusy(true)
    take(text, await call('importMembers', { body: { file: text, isDryRun: true, sendsMails: false } }))
  }
  async function send(sendsMails: boolean): Promise<void> {
    if (!chosen) return
    setTrouble(undefined)
    setBusy(true)
    const { text } = chosen
    take(text, await change({ body: { file: text, isDryRun: false, sendsMails } }))
  }
  return { plan: chosen?.plan, trouble, isBusy, choose, send }
}

/** What is to be sent, where mails would go. */
function Mails(props: {
  readonly plan: ImportPlan
  readonly isOn: boolean
  readonly set: (isOn: boolean) => void
}) {
  const words = useWords()
  const says = words.members.import
  const { isOn, plan, set } = props
  if (plan.mails === 0) return null
  return (
    <Checkbox
      label={says.sendMails(count(plan.mails, words.locale))}
      description={says.sendMailsWhy}
      checked={isOn}
      onChange={event => set(event.currentTarget.checked)}
    />
  )
}

export function ImportDialog({ close }: { readonly close: () => void }) {
  const words = useWords()
  const says = words.members.import
  const { choose, isBusy, plan, send, trouble } = useImport()
  const [sendsMails, setSendsMails] = useState(false)
  const isDone = plan?.isDone === true
  const canGo = plan !== undefined && plan.faults.length === 0
  return (
    <Dialog
      title={isDone ? says.done : says.title}
      does={isDone ? words.frame.close : says.does}
      busy={isBusy ? (plan ? says.importing : says.trying) : undefined}
      isDisabled={!canGo}
      close={close}
      go={() => (isDone ? close() : void send(sendsMails))}
    >
      {!isDone && (
        <>
          <p className="quiet">{says.how}</p>
          <FileInput
            label={says.file}
            placeholder={says.choose}
            accept=".csv,text/csv"
            disabled={isBusy}
            leftSection={<icons.import size={18} />}
            onChange={file => void choose(file)}
          />
        </>
      )}
      <div role="status">
        {plan && canGo && (
          <>
            <p>
              <b>{isDone ? says.hasChanged : says.wouldChange}</b>
            </p>
            <Changes plan={plan} />
          </>
        )}
      </div>
      {plan && canGo && !isDone && <Mails plan={plan} isOn={sendsMails} set={setSendsMails} />}
      {plan && !canGo && <Faults faults={plan.faults} />}
      {trouble !== undefined && (
        <p className="editor-wrong" role="alert">
          {trouble}
        </p>
      )}
    </Dialog>
  )
}
