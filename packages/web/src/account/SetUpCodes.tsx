// Setting up an authenticator app: its key as a QR code and as text, and a code that proves that the app has the key.

import type { AppAnswerOf } from '@callgate/contract/app/appOperations'
import { useChange } from '../client/reading.tsx'
import { useSession, useSessions } from '../client/session.tsx'
import { FormDialog } from '../form/FormDialog.tsx'
import { FormField } from '../form/FormField.tsx'
import { useForm } from '../form/useForm.ts'
import { CopyButton } from '../kit/CopyButton.tsx'
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

/** `done` receives the recovery codes. */
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
  const form = useForm({
    start: { values: { code: '' }, etag: undefined },
    fields: {
      code: {
        label: says.code,
        hint: says.others,
        check: value => (sixDigits.test(bare(value)) ? undefined : says.codeMissing),
        input: { autoComplete: 'one-time-code', inputMode: 'numeric', 'data-autofocus': true },
      },
    },
    refusals: { validation_error: ['code', says.wrongCode] },
    held: [],
    send: ({ values }) => enable({ body: { code: bare(values.code) } }),
    done({ body }) {
      begin({ ...session, csrfToken: body.csrfToken })
      done(body.recoveryCodes)
    },
  })
  return (
    <FormDialog
      form={form}
      title={says.title}
      does={says.enable}
      doing={says.enabling}
      trouble={{
        title: words.account.notDone,
        sayFailure: failure => sayFailure(failure, words, { conflict: says.changed }),
      }}
      close={close}
    >
      <p>{says.steps}</p>
      <Key of={started} />
      <FormField form={form} name="code" />
    </FormDialog>
  )
}
