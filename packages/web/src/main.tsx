// The program of the dashboard: reads which language is chosen, and shows the page of the address.

import { createRoot } from 'react-dom/client'
import './theme/fonts.css'
import './theme/mantine.css'
import './theme/tokens.css'
import './theme/base.css'
import { Dashboard } from './Dashboard.tsx'
import { readWords } from './words/words.tsx'

const root = document.querySelector('#root')
const spoken = await readWords()
if (root) createRoot(root).render(<Dashboard spoken={spoken} />)
