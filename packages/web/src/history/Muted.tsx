// Says that nobody is told of alerts by mail, so that silence is not taken for health. Its texts come with the page of the alerts.

import type { Reader } from '../alerts/alertWords.ts'
import { Banner } from '../kit/Banner.tsx'
import { mute as english } from '../words/en/mute.ts'
import { inLanguage } from '../words/inLanguage.ts'
import { mute as romanian } from '../words/ro/mute.ts'
import { timeOrDay } from '../words/time.ts'

const textsOf = inLanguage(english, romanian)

export function Muted(props: {
  /** Undefined also from a cloud of before the mute. */
  readonly mute: { readonly endsAt: string; readonly why: string } | null | undefined
  readonly reader: Reader
}) {
  const { mute, reader } = props
  if (!mute) return null
  const says = textsOf(reader.words)
  return (
    <Banner tone="look" title={says.until(timeOrDay(mute.endsAt, reader.nowMs, reader.times))}>
      {says.why(mute.why)}
    </Banner>
  )
}
