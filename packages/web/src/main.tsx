// The program of the dashboard: it reads the chosen language, and shows the page of the address.

import { createRoot } from 'react-dom/client'
import './theme/fonts.css'
import './theme/tokens.css'
import './theme/base.css'
import { begin, Dashboard } from './Dashboard.tsx'
import { showChosenColours } from './theme/colours.ts'

const root = document.querySelector('#root')
showChosenColours()
// With the programs, not after the first text: a font that comes later moves what is there.
void document.fonts.load('1em "Inter Variable"')
// Not awaited: files of the page import this one, and would wait for it.
void begin().then(spoken => {
  if (root) createRoot(root).render(<Dashboard spoken={spoken} />)
})
