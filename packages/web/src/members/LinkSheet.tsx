// The link as a QR code, on the screen and on paper.

import { Modal } from '@mantine/core'
import { Button } from '../kit/Button.tsx'
import { icons } from '../kit/icons.tsx'
import { QrCode } from '../kit/QrCode.tsx'
import { useWords } from '../words/words.tsx'
import '../kit/printSheet.css'
import './LinkSheet.css'

export function LinkSheet(props: {
  readonly link: string
  readonly name: string
  readonly gates: readonly string[]
  readonly close: () => void
}) {
  const { close, gates, link, name } = props
  const words = useWords()
  const says = words.member.link
  return (
    <Modal
      opened
      onClose={close}
      title={says.qrTitle(name)}
      closeButtonProps={{ 'aria-label': words.frame.close }}
    >
      <div className="link-sheet print-sheet">
        <h2 className="link-sheet-name">{name}</h2>
        <QrCode text={link} label={says.qrLabel} />
        <p className="quiet">{says.qrHint}</p>
        {gates.length > 0 && (
          <p>
            {says.opensGates}: {new Intl.ListFormat(words.locale).format(gates)}.
          </p>
        )}
        <p className="mono link-sheet-link">{link}</p>
      </div>
      <div className="dialog-foot">
        <Button onClick={close}>{words.frame.close}</Button>
        <Button look="filled" icon={<icons.print size={18} />} onClick={() => print()}>
          {says.print}
        </Button>
      </div>
    </Modal>
  )
}
