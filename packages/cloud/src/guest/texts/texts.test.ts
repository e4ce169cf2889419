import { languages } from '@callgate/contract/rest/member'
import { expect, it } from 'vitest'
import { texts } from './texts.ts'

/** Every sentence of a language, by its path. */
function sentences(value: unknown, place = ''): [string, string][] {
  if (typeof value === 'string') return [[place, value]]
  return Object.entries(value as object).flatMap(([key, one]) => sentences(one, `${place}.${key}`))
}

const english = new Map(sentences(texts.en))
const placesOf = (sentence: string) => (sentence.match(/\{\w+\}/g) ?? []).toSorted()

it.each(languages)('has every sentence in %s, with the placeholders of the English one', language => {
  const own = new Map(sentences(texts[language]))
  expect([...own.keys()].toSorted()).toEqual([...english.keys()].toSorted())
  for (const [place, sentence] of own) {
    expect(sentence.trim(), place).toBe(sentence)
    expect(sentence, place).not.toMatch(/!|\.\.|…/)
    expect(placesOf(sentence), place).toEqual(placesOf(english.get(place) ?? ''))
  }
})

it.each(languages.filter(language => language !== 'en'))('is translated into %s', language => {
  const same = sentences(texts[language]).filter(
    ([place, sentence]) =>
      sentence === english.get(place) && /\p{L}{4}/u.test(sentence.replace(/\{\w+\}/g, '')),
  )
  expect(same).toEqual([])
})
