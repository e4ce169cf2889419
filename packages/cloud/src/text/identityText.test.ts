import { languages } from '@callgate/contract/language'
import { expect, it } from 'vitest'
import { sayPerson } from './identityText.ts'

it('says in each language that a name is not kept, and leaves every other name unchanged', () => {
  for (const word of ['deleted_member', 'not_kept'])
    expect(new Set(languages.map(language => sayPerson(word, language))).size).toBe(languages.length)
  expect(sayPerson('user:not_kept', 'en')).toBe('Name no longer kept')
  expect(sayPerson('user:ada@example.com', 'ro')).toBe('user:ada@example.com')
})
