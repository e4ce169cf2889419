// The link as a card with a QR code: on the screen, on paper and as a picture, to be copied and shared.

import { Modal } from '@mantine/core'
import { useState } from 'react'
import { useSpace } from '../client/session.tsx'
import { Button } from '../kit/Button.tsx'
import { CopyButton } from '../kit/CopyButton.tsx'
import { useFocusBack } from '../kit/Dialog.tsx'
import { icons } from '../kit/icons.tsx'
import { QrCode } from '../kit/QrCode.tsx'
import { saveFile } from '../kit/saveFile.ts'
import { useWords } from '../words/words.tsx'
import { cardPicture } from './cardPicture.ts'
import { lateTexts } from './lateTexts.ts'
import { useShare } from './useShare.ts'
import '../kit/printSheet.css'
import './LinkSheet.css'

/** What the card says besides the code. */
interface Card {
  readonly space: string
  readonly name: string
  readonly link: string
  readonly lines: readonly string[]
}

/** Gives the card to another program of the device as a picture, or else saves it. */
function PictureButton({ card }: { readonly card: Card }) {
  const says = lateTexts(useWords()).sheet
  const [hasFailed, setFailed] = useState(false)
  async function give(): Promise<void> {
    const picture = await cardPicture(card)
    const files = [new File([picture], says.file, { type: picture.type })]
    if (typeof navigator.canShare !== 'function' || !navigator.canShare({ files }))
      return saveFile(says.file, picture)
    // The person has closed the sheet of the device, so there is no message.
    await navigator.share({ files }).catch(() => {})
  }
  return (
    <>
      <Button
        look="soft"
        icon={<icons.export size={18} />}
        onClick={() => void give().catch(() => setFailed(true))}
      >
        {says.picture}
      </Button>
      {hasFailed && (
        <p className="small quiet" role="alert">
          {says.pictureFailed}
        </p>
      )}
    </>
  )
}

function Foot({ close, link }: { readonly close: () => void; readonly link: string }) {
  const words = useWords()
  const share = useShare(link)
  const says = lateTexts(words).sheet
  return (
    <div className="dialog-foot">
      <Button onClick={close}>{words.frame.close}</Button>
      <Button look={share ? 'outlined' : 'filled'} icon={<icons.print size={18} />} onClick={() => print()}>
        {says.print}
      </Button>
      {share && (
        <Button look="filled" icon={<icons.share size={18} />} onClick={share}>
          {words.member.link.share}
        </Button>
      )}
    </div>
  )
}

/** `gates` are the names of the gates that the link opens; `says` is what else holds for it, such as its end. */
export function LinkSheet(props: {
  readonly link: string
  readonly name: string
  readonly gates: readonly string[]
  readonly says?: readonly string[]
  readonly close: () => void
}) {
  const { close, gates, link, name } = props
  const words = useWords()
  useFocusBack()
  const { space } = useSpace()
  const says = lateTexts(words).sheet
  const lines = [
    ...(gates.length > 0 ? [says.opens(new Intl.ListFormat(words.locale).format(gates))] : []),
    ...(props.says ?? []),
    says.look,
    says.scan,
  ]
  return (
    <Modal
      opened
      onClose={close}
      title={says.title(name)}
      closeButtonProps={{ 'aria-label': words.frame.close }}
    >
      <div className="link-sheet print-sheet">
        <p className="link-sheet-space quiet">{space.name}</p>
        <h2 className="link-sheet-name">{name}</h2>
        <QrCode text={link} label={says.code} />
        {lines.map(line => (
          <p
            key={line}
            className={line === says.scan ? 'quiet' : line === says.look ? 'link-sheet-look' : ''}
          >
            {line}
          </p>
        ))}
        <p className="mono link-sheet-link">{link}</p>
      </div>
      <div className="link-sheet-ways">
        <CopyButton label={words.member.link.copy} text={link} />
        <PictureButton card={{ space: space.name, name, link, lines }} />
      </div>
      <Foot close={close} link={link} />
    </Modal>
  )
}
