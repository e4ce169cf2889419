// The program of the page that shows every part in each of its states: for tests and pictures, never served to users.

import { MantineProvider } from '@mantine/core'
import { createRoot } from 'react-dom/client'
import '../theme/fonts.css'
import '../theme/tokens.css'
import '../theme/base.css'
import '../theme/mantine.css'
import { AskedLeaving } from '../kit/AskedLeaving.tsx'
import { LeavingDialog } from '../kit/LeavingDialog.tsx'
import { theme } from '../theme/theme.ts'
import { readWords, Speaking } from '../words/words.tsx'
import { KitPage } from './KitPage.tsx'

const root = document.querySelector('#root')
const spoken = await readWords('en')
if (root)
  createRoot(root).render(
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <Speaking spoken={spoken}>
        <AskedLeaving>
          <KitPage />
          <LeavingDialog />
        </AskedLeaving>
      </Speaking>
    </MantineProvider>,
  )
