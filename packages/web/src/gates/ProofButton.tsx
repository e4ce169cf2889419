// The button that saves the proof of an opening as a file, and the explanation of its check.

import { useCall } from '../client/connection.tsx'
import { useSending } from '../confirm/useSending.ts'
import { Button } from '../kit/Button.tsx'
import { icons } from '../kit/icons.tsx'
import { saveFile } from '../kit/saveFile.ts'
import { useWords } from '../words/words.tsx'

export function ProofButton({ openingId }: { readonly openingId: string }) {
  const { frame, gate: says } = useWords()
  const call = useCall()
  const { failure, isBusy, send } = useSending()
  async function save() {
    const read = await send(() => call('getProof', { params: { openingId } }))
    if (read?.ok) saveFile(read.body.fileName, read.body.text)
  }
  return (
    <>
      <Button
        look="soft"
        icon={<icons.export size={18} />}
        onClick={() => void save()}
        busy={isBusy ? frame.reading : undefined}
      >
        {says.proof}
      </Button>
      <p className="small" role="alert">
        {failure && frame.notRead(says.proofWhat)}
      </p>
    </>
  )
}

/** One sentence: what the file is, and how anybody checks it. */
export function ProofSays() {
  const { proofSays } = useWords().gate
  const [before, after] = proofSays
  return (
    <p className="small quiet">
      {before} <code className="mono">callgate proof verify FILE</code> {after}
    </p>
  )
}
