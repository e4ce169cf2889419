// The foot of a list that comes in pages: how much is shown, and the button for more.

import { Button } from '../kit/Button.tsx'
import { count } from '../words/time.ts'
import { useWords } from '../words/words.tsx'

export function More(props: {
  readonly shown: number
  readonly read: { readonly hasMore: boolean; readonly isReadingMore: boolean; readMore(): void }
}) {
  const { frame, history, locale } = useWords()
  const { read, shown } = props
  return (
    <div className="records-foot">
      <span className="small quiet">{history.shown(count(shown, locale))}</span>
      {read.hasMore && (
        <Button onClick={read.readMore} busy={read.isReadingMore ? frame.reading : undefined}>
          {history.showMore}
        </Button>
      )}
    </div>
  )
}
