// A dialog with something that is shown only once, such as a secret; it closes when a person confirms that it is stored.

import { Checkbox } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Dialog } from './Dialog.tsx'

interface ShownOnceProps {
  readonly title: ReactNode
  /** The name of the button that closes it. */
  readonly does: string
  /** The text of the tick box. */
  readonly stored: string
  readonly close: () => void
  readonly children: ReactNode
}

export function ShownOnce({ children, close, does, stored, title }: ShownOnceProps) {
  const [isStored, setStored] = useState(false)
  return (
    <Dialog title={title} does={does} isDisabled={!isStored} isHeld close={close} go={close}>
      {children}
      <Checkbox
        label={stored}
        checked={isStored}
        onChange={event => setStored(event.currentTarget.checked)}
      />
    </Dialog>
  )
}
