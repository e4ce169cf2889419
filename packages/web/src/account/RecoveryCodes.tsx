// The recovery codes, which are shown only once, to be copied or printed and then stored.

import { useSession } from '../client/session.tsx'
import { Button } from '../kit/Button.tsx'
import { CopyButton } from '../kit/CopyButton.tsx'
import { icons } from '../kit/icons.tsx'
import { ShownOnce } from '../kit/ShownOnce.tsx'
import { useWords } from '../words/words.tsx'
import '../kit/printSheet.css'

export function RecoveryCodes({
  close,
  codes,
}: {
  readonly codes: readonly string[]
  readonly close: () => void
}) {
  const says = useWords().account.recovery
  const { email } = useSession().user
  return (
    <ShownOnce title={says.title} does={says.done} stored={says.stored} close={close}>
      <p>{says.once}</p>
      <div className="print-sheet">
        <p className="account-printed">{says.of(email)}</p>
        <ul className="account-codes mono" aria-label={says.list}>
          {codes.map(code => (
            <li key={code}>{code}</li>
          ))}
        </ul>
      </div>
      <div className="account-actions">
        <CopyButton label={says.copy} text={codes.join('\n')} />
        <Button look="soft" icon={<icons.print size={18} />} onClick={() => print()}>
          {says.print}
        </Button>
      </div>
    </ShownOnce>
  )
}
