// The link that exports a list: the browser downloads the file while the cloud writes it.

import { icons } from '../kit/icons.tsx'
import { useWords } from '../words/words.tsx'
import '../kit/Button.css'

/** `href`: the address of the file. */
export function ExportLink({ href }: { readonly href: string }) {
  const { history } = useWords()
  return (
    <span className="export icon-on-phones">
      <a className="button button-outlined" href={href} download>
        <icons.export size={20} />
        <span className="button-words">{history.export}</span>
      </a>
    </span>
  )
}
