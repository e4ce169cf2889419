// The foot of a list that comes in pages: how much is shown, and the button for more.

import { Button } from '../kit/Button.tsx'
import { count } from '../words/time.ts'
import { useWords } from '../words/words.tsx'

export function More(props: {
  readonly shown: number
  /** The total; undefined where it is unknown. */
  readonly total?: number | undefined
  readonly read: { readonly hasMore: boolean; readonly isReadingMore: boolean; readMore(): void }
}) {
  const { frame, history, locale } = useWords()
  const { read, shown, total } = props
  const number = (value: number) => count(value, locale)
  // Where all are shown, a single number is enough.
  const isPart = read.hasMore && total !== undefined && total > shown
  return (
    <div className="records-foot">
      <span className="small quiet">
        {isPart ? history.shownOf(number(shown), number(total)) : history.shown(number(shown))}
      </span>
      {read.hasMore && (
        <Button onClick={read.readMore} busy={read.isReadingMore ? frame.reading : undefined}>
          {history.showMore}
        </Button>
      )}
    </div>
  )
}
