// The program of the dashboard: it reads the chosen language, and shows the page of the address.

import { createRoot } from 'react-dom/client'
import './theme/fonts.css'
import './theme/mantine.css'
import './theme/tokens.css'
import './theme/base.css'
import { beginPage, Dashboard } from './Dashboard.tsx'
import { readWords } from './words/words.tsx'

const root = document.querySelector('#root')
// Both are loaded at the same time. Nothing can be shown without the texts, so they are requested first.
const reading = readWords()
beginPage(location.pathname)
const spoken = await reading
if (root) createRoot(root).render(<Dashboard spoken={spoken} />)
