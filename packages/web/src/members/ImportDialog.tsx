// The dialog that imports members from a file: it shows the changes first, and does nothing before a confirmation.

import type { ImportPlan } from '@callgate/contract/app/memberFile'
import { Checkbox, FileInput } from '@mantine/core'
import { useState } from 'react'
import type { Failure } from '../client/client.ts'
import { useCall } from '../client/connection.tsx'
import { useChange, useRead } from '../client/reading.tsx'
import { Button } from '../kit/Button.tsx'
import { Dialog } from '../kit/Dialog.tsx'
import { icons } from '../kit/icons.tsx'
import { saveFile } from '../kit/saveFile.ts'
import { sayRefusals } from '../words/problems.ts'
import { count } from '../words/time.ts'
import { useWords, type Words } from '../words/words.tsx'
import { lateTexts } from './lateTexts.ts'
import { useFailureWords } from './useFailureWords.ts'

interface Chosen {
  readonly text: string
  readonly plan: ImportPlan
}

/** A file in another encoding contains invalid UTF-8. */
const isReadable = (text: string) => !text.includes('\uFFFD')

/** The planned or completed changes, without zero counts. */
function Changes({ plan }: { readonly plan: ImportPlan }) {
  const words = useWords()
  const says = lateTexts(words).import
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

/** The column of a refusal, by its name in the file. */
const columnBefore = (field: string) => (field === '' ? '' : `${field}: `)

/** The number of runs of lines that are named; there may be a thousand. */
const namedRuns = 8

/** `2–5, 9`, and the number of further lines. */
function runsOf(lines: readonly number[]): { readonly named: string; readonly more: number } {
  const runs: [number, number][] = []
  for (const line of lines) {
    const run = runs.at(-1)
    if (run && run[1] === line - 1) run[1] = line
    else runs.push([line, line])
  }
  const named = runs.slice(0, namedRuns).map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`))
  const more = runs.slice(namedRuns).reduce((sum, [from, to]) => sum + to - from + 1, 0)
  return { named: named.join(', '), more }
}

function sayLines(lines: readonly number[], words: Words): string {
  if (lines.length === 0) return ''
  const says = lateTexts(words).import
  const { more, named } = runsOf(lines)
  const where = lines.length === 1 ? says.line(named) : says.lines(named)
  return `${where}${more > 0 ? says.moreLines(count(more, words.locale)) : ''}: `
}

/** The first lines of a new file: the names of the columns, and an example of a member. */
function templateOf(words: Words, gate: string): string {
  const { columns, hours, name, yes } = lateTexts(words).import.template
  const cells = [name, 'ana@example.com', '', '', gate, hours, '', yes]
  const separator = words.locale.startsWith('ro') ? ';' : ','
  // The build joins words like `E-mail` by a sign that other programs may show.
  const cell = (text: string) => `"${text.replaceAll('\u2060', '').replaceAll('"', '""')}"`
  return `\uFEFF${[columns, cells].map(row => row.map(cell).join(separator)).join('\r\n')}\r\n`
}

function Faults({ faults }: { readonly faults: ImportPlan['faults'] }) {
  const words = useWords()
  const says = lateTexts(words).import
  return (
    <div className="banner banner-shut dialog-banner" role="alert">
      <icons.error size={20} />
      <span>
        <b>{says.faulty}</b>
        <ul className="import-faults">
          {faults.map(({ lines, message, refusals }) => (
            <li key={message}>
              {sayLines(lines, words)}
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
  const words = lateTexts(useWords()).import
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

/** What would be sent, where mails would be sent. */
function Mails(props: {
  readonly plan: ImportPlan
  readonly isOn: boolean
  readonly set: (isOn: boolean) => void
}) {
  const words = useWords()
  const says = lateTexts(words).import
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
  const says = lateTexts(words).import
  const { choose, isBusy, plan, send, trouble } = useImport()
  const gates = useRead('listGates', {})
  const gate = gates.value?.gates.find(({ isActive }) => isActive)?.name ?? says.template.gate
  const [sendsMails, setSendsMails] = useState(false)
  const isDone = plan?.isDone === true
  const canGo = plan !== undefined && plan.faults.length === 0
  return (
    <Dialog
      title={isDone ? says.done : says.title}
      does={isDone ? words.frame.close : says.does}
      busy={isBusy ? (plan ? says.importing : says.trying) : undefined}
      isDisabled={!canGo}
      isDone={isDone}
      close={close}
      go={() => (isDone ? close() : void send(sendsMails))}
    >
      {!isDone && (
        <>
          <p className="quiet">{says.how}</p>
          <Button
            icon={<icons.export size={20} />}
            onClick={() => saveFile(says.template.file, templateOf(words, gate))}
          >
            {says.template.save}
          </Button>
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
