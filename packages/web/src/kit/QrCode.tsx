// A text as a QR code, for the camera of a phone.

import { useEffect, useState } from 'react'
import { Skeleton } from './states.tsx'
import './QrCode.css'

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

/** `label` describes the target, for a screen reader. */
export function QrCode({ label, text }: { readonly label: string; readonly text: string }) {
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
    <svg className="qr" viewBox={`0 0 ${code.size} ${code.size}`} role="img" aria-label={label}>
      <path d={code.path} />
    </svg>
  )
}
