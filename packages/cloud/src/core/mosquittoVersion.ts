// The version of a Mosquitto: how it is read, and which versions are too old for the open internet.

/** The version that `deploy/broker` requires. */
export const oldestMosquitto = '2.0.22'

export interface MosquittoVersion {
  /** Such as 2.0.11. */
  readonly text: string
  readonly isOld: boolean
}

const numbersOf = (text: string) => text.split('.').map(Number)

/** Reads what Mosquitto says on `$SYS/broker/version`; undefined for any other text. */
export function readMosquittoVersion(said: string): MosquittoVersion | undefined {
  const text = /^mosquitto version (\d{1,4}\.\d{1,4}\.\d{1,4})\b/.exec(said)?.[1]
  if (text === undefined) return undefined
  const oldest = numbersOf(oldestMosquitto)
  const differs = numbersOf(text)
    .map((number, place) => number - (oldest[place] ?? 0))
    .find(difference => difference !== 0)
  return { text, isOld: (differs ?? 0) < 0 }
}
