// A code while it is shown, only once: to be typed, scanned, or carried on a card, with the remaining time.

import type { AppAnswerOf } from '@callgate/contract/app/appOperations'
import { useState } from 'react'
import { nowMs, useNow } from '../clock.ts'
import { Button } from '../kit/Button.tsx'
import { CopyButton } from '../kit/CopyButton.tsx'
import { CopyText } from '../kit/CopyText.tsx'
import { icons } from '../kit/icons.tsx'
import { QrCode } from '../kit/QrCode.tsx'
import { saveFile } from '../kit/saveFile.ts'
import { useEnrolmentTexts } from './enrolmentTexts.ts'

type Started = AppAnswerOf<'startEnrolment'>['body']

/** `9:05`, or `23:59:05`. */
function clockOf(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000))
  const two = (value: number) => String(value).padStart(2, '0')
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60]
  const rest = two(seconds % 60)
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`
}

/** Counted from the moment of showing, because the browser's clock may differ from the cloud's. */
function Left({ enrolment: { createdAt, expiresAt } }: Started) {
  const says = useEnrolmentTexts()
  const [shownMs] = useState(nowMs)
  const goneMs = useNow(1_000) - shownMs
  return <p className="quiet">{says.left(clockOf(Date.parse(expiresAt) - Date.parse(createdAt) - goneMs))}</p>
}

export function CodeShown({ started }: { readonly started: Started }) {
  const says = useEnrolmentTexts()
  const { cardFile, cloudUrl, code, enrolment, installCommand, link } = started
  const command = `sudo callgate-gateway enrol ${code} --cloud ${cloudUrl}`
  if (enrolment.isForCard)
    return (
      <>
        <p>{says.card}</p>
        <Button icon={<icons.export size={20} />} onClick={() => saveFile('callgate-gateway.yaml', cardFile)}>
          {says.saveCard}
        </Button>
        <Left {...started} />
      </>
    )
  return (
    <>
      <div className="enrol-code">
        <p className="small quiet" id="enrol-code-name">
          {says.code}
        </p>
        <p className="mono enrol-code-text" aria-describedby="enrol-code-name">
          {code}
        </p>
        <CopyButton label={says.copyCode} text={code} />
        <Left {...started} />
      </div>
      <div>
        <p>{says.onPi}</p>
        <CopyText label={says.onPi} text={command} leastRows={3} />
      </div>
      {installCommand !== null && (
        <div>
          <p>{says.install}</p>
          <CopyText label={says.install} text={installCommand} leastRows={6} />
          <p className="small quiet">{says.installWhy}</p>
        </div>
      )}
      <div className="enrol-qr">
        <QrCode text={link} label={says.qr} />
        <p className="small quiet">{says.qrFor}</p>
      </div>
    </>
  )
}
