// The link as a QR code, on the screen and on paper.

import { Modal } from '@mantine/core'
import { useEffect, useState } from 'react'
import { Button } from '../kit/Button.tsx'
import { icons } from '../kit/icons.tsx'
import { Skeleton } from '../kit/states.tsx'
import { useWords } from '../words/words.tsx'
import './LinkSheet.css'

/** Empty modules around the code, as ISO/IEC 18004 asks. */
const quietZone = 4

interface Code {
  readonly size: number
  /** A path of one square for each dark module. */
  readonly path: string
}

/** The library is loaded when the first code is shown. */
async function codeOf(text: string): Promise<Code> {
  const { generate } = await import('lean-qr')
  const code = generate(text)
  const places = Array.from({ length: code.size }, (_, place) => place)
  const squares = places.flatMap(y =>
    places.filter(x => code.get(x, y)).map(x => `M${x + quietZone} ${y + quietZone}h1v1h-1z`),
  )
  return { size: code.size + 2 * quietZone, path: squares.join('') }
}

function QrCode({ text }: { readonly text: string }) {
  const says = useWords().member.link
  const [code, setCode] = useState<Code>()
  useEffect(() => {
    let isShown = true
    void codeOf(text).then(made => isShown && setCode(made))
    return () => {
      isShown = false
    }
  }, [text])
  if (!code) return <Skeleton bars={[240]} />
  return (
    <svg className="qr" viewBox={`0 0 ${code.size} ${code.size}`} role="img" aria-label={says.qrLabel}>
      <path d={code.path} />
    </svg>
  )
}

/** Of this dialog only what `link-sheet` holds is printed. */
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
      <div className="link-sheet">
        <h2 className="link-sheet-name">{name}</h2>
        <QrCode text={link} />
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
