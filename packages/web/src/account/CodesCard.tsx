// The codes of an authenticator app: setting them up, making new recovery codes, and removing them.

import type { AppAnswerOf } from '@callgate/contract/app/appOperations'
import { useState } from 'react'
import type { Failure } from '../client/client.ts'
import { useCall } from '../client/connection.tsx'
import { useChange } from '../client/reading.tsx'
import { AskDialog } from '../confirm/AskDialog.tsx'
import { useSending } from '../confirm/useSending.ts'
import { Banner } from '../kit/Banner.tsx'
import { Button } from '../kit/Button.tsx'
import { Card } from '../kit/Card.tsx'
import { Trouble } from '../kit/Trouble.tsx'
import { shortDate } from '../words/time.ts'
import { useWords } from '../words/words.tsx'
import { sayFailure, useAccountReader } from './accountWords.ts'
import { RecoveryCodes } from './RecoveryCodes.tsx'
import { SetUpCodes, type StartedCodes } from './SetUpCodes.tsx'

export type Security = AppAnswerOf<'getSecurity'>['body']

function CodesOff({ show }: { readonly show: (recoveryCodes: readonly string[]) => void }) {
  const words = useWords()
  const says = words.account.codes
  const call = useCall()
  const { asksWho, failure, isBusy, send } = useSending()
  const [started, setStarted] = useState<StartedCodes>()
  async function begin() {
    const result = await send(() => call('startTotp', {}))
    if (result?.ok) setStarted(result.body)
  }
  return (
    <>
      <p className="quiet">{says.off}</p>
      <Trouble
        form={{ failure }}
        title={words.account.notDone}
        sayFailure={of => sayFailure(of, words, { conflict: says.changed })}
      />
      <div className="account-actions">
        <Button busy={isBusy ? says.starting : undefined} onClick={() => void begin()}>
          {says.setUp}
        </Button>
      </div>
      {asksWho}
      {started && (
        <SetUpCodes
          started={started}
          close={() => setStarted(undefined)}
          done={recoveryCodes => {
            setStarted(undefined)
            show(recoveryCodes)
          }}
        />
      )}
    </>
  )
}

function CodesOn(props: {
  readonly since: string
  readonly left: number
  readonly show: (recoveryCodes: readonly string[]) => void
}) {
  const { left, show, since } = props
  const { times, words } = useAccountReader()
  const says = words.account.codes
  const renew = useChange('renewRecoveryCodes')
  const disable = useChange('disableTotp')
  const [asked, setAsked] = useState<'renew' | 'disable'>()
  const ask = {
    sayFailure: (failure: Failure) => sayFailure(failure, words, { conflict: says.changed }),
    close: () => setAsked(undefined),
  }
  async function renewed() {
    const result = await renew({})
    if (result.ok) show(result.body.recoveryCodes)
    return result
  }
  return (
    <>
      <p>{says.since(shortDate(since, times))}</p>
      {left < 4 ? <Banner tone="look">{says.left(left)}</Banner> : <p className="quiet">{says.left(left)}</p>}
      <div className="account-actions">
        <Button onClick={() => setAsked('renew')}>{says.renew}</Button>
        <Button look="danger" onClick={() => setAsked('disable')}>
          {says.disable}
        </Button>
      </div>
      {asked === 'renew' && (
        <AskDialog
          {...ask}
          title={says.renewTitle}
          does={says.renewDoes}
          doing={says.renewing}
          means={says.renewMeans}
          go={renewed}
        />
      )}
      {asked === 'disable' && (
        <AskDialog
          {...ask}
          title={says.disableTitle}
          does={says.disable}
          doing={says.disabling}
          means={says.disableMeans}
          isDanger
          go={() => disable({})}
        />
      )}
    </>
  )
}

export function CodesCard({ security }: { readonly security: Security }) {
  const says = useWords().account.codes
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[]>()
  const { recoveryCodesLeft, totpEnabledAt } = security
  return (
    <Card title={says.title}>
      {totpEnabledAt === null ? (
        <CodesOff show={setRecoveryCodes} />
      ) : (
        <CodesOn since={totpEnabledAt} left={recoveryCodesLeft} show={setRecoveryCodes} />
      )}
      {recoveryCodes && <RecoveryCodes codes={recoveryCodes} close={() => setRecoveryCodes(undefined)} />}
    </Card>
  )
}
