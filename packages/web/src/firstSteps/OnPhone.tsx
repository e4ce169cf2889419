// The address of the first steps as a QR code, so that a person at the gate can continue on the phone.

import { Modal } from '@mantine/core'
import { useState } from 'react'
import { Button } from '../kit/Button.tsx'
import { icons } from '../kit/icons.tsx'
import { QrCode } from '../kit/QrCode.tsx'
import { useWords } from '../words/words.tsx'

export function OnPhone() {
  const { firstSteps: says, frame } = useWords()
  const [isShown, setShown] = useState(false)
  return (
    <span className="step-on-phone">
      <Button icon={<icons.qr size={20} />} onClick={() => setShown(true)}>
        {says.onPhone}
      </Button>
      {isShown && (
        <Modal
          opened
          onClose={() => setShown(false)}
          title={says.onPhone}
          closeButtonProps={{ 'aria-label': frame.close }}
        >
          <div className="step-qr">
            <QrCode text={location.href} label={says.onPhoneCode} />
            <p className="quiet">{says.onPhoneHow}</p>
          </div>
        </Modal>
      )}
    </span>
  )
}
