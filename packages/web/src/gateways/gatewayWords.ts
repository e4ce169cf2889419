// The texts of the page of the gateways, as pure functions of the read data.

import type { GatewayHistory } from '@callgate/contract/app/gateway'
import type { ModemLackWord } from '@callgate/contract/call/modemLack'
import type { ModemTroubleWord } from '@callgate/contract/call/modemTrouble'
import type { GatewayView } from '@callgate/contract/rest/gatewayView'
import type { Reader } from '../gates/gateWords.ts'
import type { BadgeLook } from '../kit/Badge.tsx'
import { simTexts } from '../words/simTexts.ts'
import { dbm, share, timeOrDay, volts } from '../words/time.ts'
import type { Words } from '../words/words.tsx'
import { type CallEnd, gapsOf, onlineStates, spanOf } from './overTime.ts'
import type { Warning } from './warnings.ts'

/** The badge of a gateway. */
export function badgeOf({ now }: Pick<GatewayView, 'now'>, { words }: Reader): BadgeLook {
  const word = words.gateways.states[now.state]
  if (now.state === 'online') return { tone: 'open', icon: 'opened', word }
  if (now.state === 'new') return { tone: 'look', icon: 'uncalibrated', word }
  if (now.state === 'revoked') return { tone: 'quiet', icon: 'off', word }
  return { tone: 'shut', icon: 'noGateway', word }
}

/** The state of the SIM card by the state of the modem; nothing before the modem is set up. */
export function simOf(state: string): 'ready' | 'broken' | 'notKnown' {
  if (state === 'sim_error') return 'broken'
  return ['ready', 'calling', 'no_network'].includes(state) ? 'ready' : 'notKnown'
}

/** `12 d 4 h`. */
export function sayDuration(seconds: number, { words }: Reader): string {
  const { duration } = words.gateways
  const minutes = Math.round(seconds / 60)
  const hours = Math.floor(minutes / 60)
  if (hours >= 24) return duration.days(Math.floor(hours / 24), hours % 24)
  if (hours > 0) return duration.hours(hours, minutes % 60)
  return seconds >= 60 ? duration.minutes(minutes) : duration.seconds(Math.round(seconds))
}

/** An online gateway beats every 10 s: an older time comes from a wrong clock. */
const mostAgoS = 60

/** `heard 4 s ago`. */
export function sayHeard({ now }: Pick<GatewayView, 'now'>, { nowMs, words }: Reader): string {
  const ago = Math.round((nowMs - Date.parse(now.lastHeardAt ?? '')) / 1000)
  const { heardAgo, heardNow } = words.gateways
  return ago > 0 && ago <= mostAgoS ? heardAgo(ago) : heardNow
}

const hasTroubleWords = (word: string, words: Words): word is ModemTroubleWord =>
  Object.hasOwn(words.gateways.troubles, word)

/** A version without what the build adds: `1.4.2`. */
export const shortVersion = (version: string) => version.replace(/\+.*/, '')

/** What is said of a SIM card: whether it works, as the modem says it; with a warning, that it may end. */
export function simState({ now }: Pick<GatewayView, 'now'>, { words }: Reader, isWarned = false): BadgeLook {
  const { states } = simTexts(words)
  const modem = now.state === 'online' ? now.modem : null
  const sim = modem ? simOf(modem.state) : 'notKnown'
  if (sim === 'broken') return { tone: 'shut', icon: 'alert', word: states.broken }
  if (!modem || sim === 'notKnown') return { tone: 'quiet', icon: 'uncalibrated', word: states.notKnown }
  const hasNetwork = modem.state !== 'no_network' && ['home', 'roaming'].includes(modem.registration)
  if (!hasNetwork) return { tone: 'shut', icon: 'noGateway', word: states.noNetwork }
  return isWarned
    ? { tone: 'look', icon: 'alert', word: states.worksYet }
    : { tone: 'open', icon: 'opened', word: states.works }
}

type ModemView = NonNullable<GatewayView['now']['modem']>

/** `SIM7600G-H, LE20B04SIM7600G22`. */
export function sayModem(modem: ModemView | null): string {
  return [modem?.model ?? '–', modem?.firmware].filter(Boolean).join(', ')
}

const hasLackWords = (word: string, words: Words): word is ModemLackWord =>
  Object.hasOwn(words.gateways.lacks, word)

/** What the modem cannot do, a sentence each; in English for an unknown word. */
export function sayLacks(lacks: ModemView['lacks'], words: Words): string {
  return lacks
    .map(({ says, word }) => (hasLackWords(word, words) ? words.gateways.lacks[word] : says))
    .join(' ')
}

/** What is wrong, then what to do. */
export function sayWarning(warning: Warning, { nowMs, times, words }: Reader): readonly [string, string] {
  const says = words.gateways
  const when = (at: string) => timeOrDay(at, nowMs, times)
  const cut = (calls: readonly string[]) => calls.map(at => ` ${says.cutCall(when(at))}`).join('')
  switch (warning.is) {
    case 'cut_off':
      return [says.cutOffUntil(when(warning.until)), says.ifStolen]
    case 'offline':
      return [warning.since === null ? says.neverHeard : says.lastHeard(when(warning.since)), says.lookAtIt]
    case 'too_old':
      return [says.tooOld(warning.version), says.tooOldWhat]
    case 'new':
      return [says.neverHeard, says.startIt]
    case 'trouble': {
      const known = hasTroubleWords(warning.word, words) ? says.troubles[warning.word] : undefined
      return [known?.[0] ?? warning.says, `${known?.[1] ?? ''}${cut(warning.calls)}`]
    }
    case 'supply':
      return [
        says.supplyLow,
        `${says.supplyLowWhat(`${volts(warning.mV, times.locale)} V`, when(warning.at))}${cut(warning.calls)}`,
      ]
    case 'signal':
      return [says.signalWeak, says.signalWeakWhat]
    case 'number':
      return [says.numberMissing, says.numberMissingWhat]
  }
}

/** The online share of the time, and the gaps. */
export function sayOnline(
  history: GatewayHistory,
  reader: Reader,
): { readonly share: string; readonly gaps: string } {
  const { onlineTotalS, sinceS } = history
  const { figures } = reader.words.gateways
  // Added just now, or not heard in the current stretch.
  if (onlineStates(history).every(state => state === null)) return { share: '–', gaps: figures.notKnown }
  const gaps = gapsOf(history).length
  const missingS = Math.max(0, sinceS - onlineTotalS)
  const online = sinceS === 0 ? 0 : Math.min(1, onlineTotalS / sinceS)
  return {
    // A share just below the whole is not shown as the whole.
    share: share(gaps > 0 ? Math.min(online, 0.999) : 1, reader.times.locale),
    gaps: gaps === 0 ? figures.noGap : figures.gaps(gaps, sayDuration(missingS, reader)),
  }
}

/** The number of gaps that are named; the figures give the total. */
const gapsSaid = 5

/** The text of the chart of the online times. */
export function sayGaps(history: GatewayHistory, reader: Reader): string {
  const says = reader.words.gateways.charts
  if (onlineStates(history).every(state => state === null)) return says.nothing
  const online = sayOnline(history, reader)
  const when = (ms: number) => timeOrDay(new Date(ms).toISOString(), reader.nowMs, reader.times)
  const gaps = gapsOf(history)
    .slice(-gapsSaid)
    .map(({ fromMs, toMs }) => says.gapText(when(fromMs), when(toMs)))
  return [says.onlineText(online.share, online.gaps), ...gaps].join(' ')
}

/** The text of the chart of the registration. */
export function sayNetwork({ registration }: GatewayHistory, { times, words }: Reader): string {
  const { charts, registrations } = words.gateways
  const known = registration.filter(word => word !== null)
  if (known.length === 0) return charts.nothing
  const parts = [...new Set(known)].map(word => {
    const part = known.filter(other => other === word).length / known.length
    return charts.part(registrations[word], share(part, times.locale))
  })
  return charts.networkText(parts.join(', '))
}

/** The text of the chart of the signal. */
export function saySignal(values: readonly (number | null)[], says: Words['gateways']['charts']): string {
  const span = spanOf(values)
  return span ? says.signalText(dbm(span.low), dbm(span.high), dbm(span.last)) : says.nothing
}

/** The text of the chart of the supply. `dips`: the text for each. */
export function saySupply(
  values: readonly (number | null)[],
  dips: readonly string[],
  { times, words }: Reader,
): string {
  const { charts } = words.gateways
  const span = spanOf(values)
  if (!span) return charts.nothing
  const said = charts.supplyText(`${volts(span.low, times.locale)} V`, `${volts(span.high, times.locale)} V`)
  return dips.length === 0 ? said : `${said} ${charts.dipsText(dips.join('; '))}`
}

/** `15 ended well, 1 is unknown`. */
export function sayCalls(counts: Readonly<Record<CallEnd, number>>, { words }: Reader): string {
  const { charts } = words.gateways
  const said = (['well', 'didNot', 'unknown', 'running'] as const)
    .filter(end => counts[end] > 0)
    .map(end => charts[end](counts[end]))
  return said.length === 0 ? charts.noCalls : said.join(', ')
}
