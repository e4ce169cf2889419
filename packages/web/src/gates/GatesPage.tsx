// The gates of the Space.

import { useRead } from '../client/reading.tsx'
import { Page } from '../kit/Page.tsx'
import { NotRead, Skeleton } from '../kit/states.tsx'
import { useWords } from '../words/words.tsx'

export function GatesPage() {
  const words = useWords().frame
  const gates = useRead('listGates', {})
  return (
    <Page title={words.pages.gates}>
      {gates.value ? (
        <ul>
          {gates.value.gates.map(({ id, name }) => (
            <li key={id}>{name}</li>
          ))}
        </ul>
      ) : gates.failure ? (
        <NotRead what={words.pages.gates} readAgain={gates.readAgain} isReading={gates.isReading} />
      ) : (
        <Skeleton bars={[200, 180]} />
      )}
    </Page>
  )
}
