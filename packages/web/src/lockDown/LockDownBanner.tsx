// The banner above every page while all gates are locked: since when, by whom, and its end.

import type { LockDown } from '@callgate/contract/app/lockDown'
import { useState } from 'react'
import { useChange } from '../client/reading.tsx'
import { useSessions, useSpace } from '../client/session.tsx'
import { nowMs } from '../clock.ts'
import { AskDialog } from '../confirm/AskDialog.tsx'
import { Banner } from '../kit/Banner.tsx'
import { Button } from '../kit/Button.tsx'
import { timeOrDay } from '../words/time.ts'
import { useWords } from '../words/words.tsx'
import { lockDownTexts } from './lockDownTexts.ts'

export function LockDownBanner({ lockDown: { by, since } }: { readonly lockDown: LockDown }) {
  const words = useWords()
  const says = lockDownTexts(words)
  const { ask } = useSessions()
  const { space } = useSpace()
  const end = useChange('endLockDown')
  const [isAsking, setAsking] = useState(false)
  const at = timeOrDay(since, nowMs(), { locale: words.locale, zone: space.timezone })
  return (
    <>
      <Banner
        tone="shut"
        title={says.banner}
        action={<Button onClick={() => setAsking(true)}>{says.end}</Button>}
      >
        {says.bannerWhy(at, by)}
      </Banner>
      {isAsking && (
        <AskDialog
          title={says.endTitle}
          does={says.end}
          doing={says.ending}
          means={[]}
          go={() => end({})}
          done={() => void ask()}
          close={() => setAsking(false)}
        >
          <p>{says.endText}</p>
        </AskDialog>
      )}
    </>
  )
}
