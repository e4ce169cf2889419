// The choice of the dashboard's language.

import { icons } from '../kit/icons.tsx'
import { type Language, languages, useSpeech } from '../words/words.tsx'
import './shell.css'

/** A native list: it works by keyboard, screen reader and phone as people know it. */
export function LanguageChoice() {
  const { language, speak, words } = useSpeech()
  return (
    <label className="choice">
      <icons.language size={16} />
      <span className="heard">{words.frame.language}</span>
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
