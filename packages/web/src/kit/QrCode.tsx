// A text as a QR code, for the camera of a phone.

import { useEffect, useState } from 'react'
import { type QrPath, qrPathOf } from './qrPath.ts'
import { Skeleton } from './states.tsx'
import './QrCode.css'

/** `label` describes the target, for a screen reader. */
export function QrCode({ label, text }: { readonly label: string; readonly text: string }) {
  const [code, setCode] = useState<QrPath>()
  useEffect(() => {
    let isShown = true
    void qrPathOf(text).then(made => isShown && setCode(made))
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
