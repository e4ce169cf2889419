// The photo of a gate on its page: choose one, replace it, or remove it.

import { photoLimits } from '@callgate/contract/photo/jpeg'
import { useRef, useState } from 'react'

import { useChange, useRead } from '../client/reading.tsx'
import { AskDialog } from '../confirm/AskDialog.tsx'
import { useSending } from '../confirm/useSending.ts'
import { Button } from '../kit/Button.tsx'
import { icons } from '../kit/icons.tsx'
import { Trouble } from '../kit/Trouble.tsx'
import { useWords } from '../words/words.tsx'
import { GatePicture } from './GatePicture.tsx'
import { gatePhotoTexts } from './gatePhotoTexts.ts'
import { photoOf } from './photoFile.ts'

/** What every browser reads; a phone then gives a JPEG of its own format. */
const kinds = 'image/jpeg,image/png,image/webp'

const size = { width: photoLimits.width, height: photoLimits.height }

function RemovePhoto({
  close,
  etag,
  gateId,
}: {
  close: () => void
  etag: string | undefined
  gateId: string
}) {
  const says = gatePhotoTexts(useWords())
  const remove = useChange('setGatePhoto')
  return (
    <AskDialog
      title={says.removeTitle}
      does={says.remove}
      doing={says.removing}
      means={[]}
      isDanger
      go={() => remove({ params: { gateId }, body: { jpeg: null }, ifMatch: etag })}
      close={close}
    >
      <p>{says.removeText}</p>
    </AskDialog>
  )
}

export function GatePhoto({ gateId }: { readonly gateId: string }) {
  const says = gatePhotoTexts(useWords())
  const params = { gateId }
  const { etag, readAgain, value } = useRead('getGatePhoto', { params })
  const set = useChange('setGatePhoto')
  const { asksWho, failure, forget, isBusy, send } = useSending()
  const [isUnreadable, setUnreadable] = useState(false)
  const [isAsked, setAsked] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  if (!value) return null
  const { photo } = value
  async function take(file: File | undefined) {
    if (!file) return
    forget()
    const jpeg = await photoOf(file)
    setUnreadable(jpeg === undefined)
    if (jpeg === undefined) return
    const result = await send(() => set({ params, body: { jpeg }, ifMatch: etag }))
    if (result && !result.ok) readAgain()
  }
  return (
    <section className="card gate-photo-card">
      <h2>{says.title}</h2>
      {photo && <GatePicture className="gate-picture" {...params} hash={photo.hash} {...size} />}
      <p className="small quiet">{photo ? says.shown : says.none}</p>
      <div className="profile-foot">
        <Button
          icon={<icons.import size={18} />}
          busy={isBusy ? says.sending : undefined}
          onClick={() => input.current?.click()}
        >
          {photo ? says.replace : says.choose}
        </Button>
        {photo && (
          <Button look="quiet" onClick={() => setAsked(true)}>
            {says.remove}
          </Button>
        )}
      </div>
      <input
        ref={input}
        type="file"
        accept={kinds}
        hidden
        aria-label={says.choose}
        onChange={event => {
          const { files } = event.target
          void take(files?.[0])
          // The same file can be chosen again.
          event.target.value = ''
        }}
      />
      {isUnreadable && (
        <p role="alert" className="small gate-failure">
          {says.unreadable}
        </p>
      )}
      <Trouble
        form={{ failure }}
        title={says.notSaved}
        own={{ validation_error: says.notTaken, precondition_failed: says.changed }}
      />
      {isAsked && <RemovePhoto gateId={gateId} etag={etag} close={() => setAsked(false)} />}
      {asksWho}
    </section>
  )
}
