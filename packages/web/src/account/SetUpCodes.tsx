// Setting up an authenticator app: its key as a QR code and as text, and a code that shows that the app has it.

import type { AppAnswerOf } from '@callgate/contract/app/appOperations'
import { useState } from 'react'
import type { Failure } from '../client/client.ts'
import { useChange } from '../client/reading.tsx'
import { useSession, useSessions } from '../client/session.tsx'
import { useConfirmation } from '../confirm/Confirm.tsx'
import { Banner } from '../kit/Banner.tsx'
import { CopyButton } from '../kit/CopyButton.tsx'
import { Dialog } from '../kit/Dialog.tsx'
import { Field } from '../kit/Field.tsx'
import { QrCode } from '../kit/QrCode.tsx'
import { useWords } from '../words/words.tsx'
import { sayFailure } from './accountWords.ts'

export type StartedCodes = AppAnswerOf<'startTotp'>['body']

const sixDigits = /^\d{6}$/
const bare = (code: string) => code.replace(/\s/g, '')

/** `secret` in groups of four, as people read and type it. */
const grouped = (secret: string) => (secret.match(/.{1,4}/g) ?? []).join(' ')

function Key({ of: started }: { readonly of: StartedCodes }) {
  const says = useWords().account.codes
  return (
    <div className="account-key">
      <QrCode text={started.uri} label={says.qr} />
      <div className="account-key-text">
        <p className="small quiet">{says.byHand}</p>
        <p className="mono">{grouped(started.secret)}</p>
        <CopyButton label={says.copyKey} text={started.secret} />
        <a className="link small" href={started.uri}>
          {says.sameDevice}
        </a>
      </div>
    </div>
  )
}

/** `done` is given the recovery codes. */
export function SetUpCodes(props: {
  readonly started: StartedCodes
  readonly close: () => void
  readonly done: (recoveryCodes: readonly string[]) => void
}) {
  const { close, done, started } = props
  const words = useWords()
  const says = words.account.codes
  const session = useSession()
  const { begin } = useSessions()
  const enable = useChange('enableTotp')
  const { confirmed, dialog } = useConfirmation()
  const [code, setCode] = useState('')
  const [isSent, setSent] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure>()
  const isWrong = failure?.code === 'validation_error'

  async function go() {
    setSent(true)
    setFailure(undefined)
    if (!sixDigits.test(bare(code))) return
    setBusy(true)
    const result = await confirmed(() => enable({ body: { code: bare(code) } }))
    setBusy(false)
    if (!result?.ok) return setFailure(result)
    begin({ ...session, csrfToken: result.body.csrfToken })
    done(result.body.recoveryCodes)
  }

  if (dialog) return dialog
  return (
    <Dialog
      title={says.title}
      does={says.enable}
      busy={isBusy ? says.enabling : undefined}
      close={close}
      go={() => void go()}
    >
      <p>{says.steps}</p>
      <Key of={started} />
      <Field
        label={says.code}
        value={code}
        change={value => {
          setCode(value)
          setFailure(undefined)
        }}
        check={value => (sixDigits.test(bare(value)) ? undefined : says.codeMissing)}
        refused={isWrong ? says.wrongCode : undefined}
        isSent={isSent}
        hint={says.others}
        input={{ autoComplete: 'one-time-code', inputMode: 'numeric', 'data-autofocus': true }}
      />
      <div role="alert">
        {failure && !isWrong && (
          <Banner tone="shut" title={words.account.notDone}>
            {sayFailure(failure, words, { conflict: says.changed })}
          </Banner>
        )}
      </div>
    </Dialog>
  )
}
