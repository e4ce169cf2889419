// The program of the dashboard: reads which language is chosen, and shows the page of the address.

import { createRoot } from 'react-dom/client'
import './theme/fonts.css'
import './theme/mantine.css'
import './theme/tokens.css'
import './theme/base.css'
import { beginPage, Dashboard } from './Dashboard.tsx'
import { readWords } from './words/words.tsx'

const root = document.querySelector('#root')
// Both come over the line at the same time. Nothing can be shown without the words, so they go first.
const reading = readWords()
beginPage(location.pathname)
const spoken = await reading
if (root) createRoot(root).render(<Dashboard spoken={spoken} />)
