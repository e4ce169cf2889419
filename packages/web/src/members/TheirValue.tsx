// Another person's value in a field that was typed here as well, and a button that adopts it.

import { useWords } from '../words/words.tsx'
import { lateTexts } from './lateTexts.ts'

export function TheirValue({ take, value }: { readonly value: string; readonly take: () => void }) {
  const says = lateTexts(useWords()).meanwhile
  return (
    <p className="their small">
      <span>{value === '' ? says.theyCleared : says.theySet(value)}</span>{' '}
      <button type="button" className="link" onClick={take}>
        {says.takeTheirs}
      </button>
    </p>
  )
}
