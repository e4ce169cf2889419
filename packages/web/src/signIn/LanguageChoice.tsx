// The choice of the dashboard's language.

import { firstIcons } from '../kit/firstIcons.tsx'
import { type Language, languages, useSpeech } from '../words/words.tsx'

/** A native list: it works by keyboard, screen reader and phone as people know it. */
export function LanguageChoice() {
  const { first, language, speak } = useSpeech()
  return (
    <label className="choice">
      <firstIcons.language size={16} />
      <span className="heard">{first.frame.language}</span>
      <select value={language} onChange={event => void speak(event.currentTarget.value as Language)}>
        {Object.entries(languages).map(([code, name]) => (
          <option key={code} value={code} lang={code}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}
