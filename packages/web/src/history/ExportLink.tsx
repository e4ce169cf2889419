// The link that exports a list: the browser downloads the file while the cloud writes it.

import { icons } from '../kit/icons.tsx'
import { useWords } from '../words/words.tsx'
import '../kit/Button.css'

/** `href`: the address of the file. */
export function ExportLink({ href }: { readonly href: string }) {
  const { history } = useWords()
  return (
    <a className="button button-outlined" href={href} download>
      <icons.export size={20} />
      {history.export}
    </a>
  )
}
