// The link that exports a list: the browser takes the file from the cloud as it is written.

import { icons } from '../kit/icons.tsx'
import { useWords } from '../words/words.tsx'
import '../kit/Button.css'

/** `href`: where the file is read. */
export function ExportLink({ href }: { readonly href: string }) {
  const { history } = useWords()
  return (
    <a className="button button-outlined" href={href} download>
      <icons.export size={20} />
      {history.export}
    </a>
  )
}
