// The dialog of a visitor's link for pages of a first visit: it is loaded when it is first shown.

import { lazy, Suspense } from 'react'

const VisitorDialog = lazy(async () => ({ default: (await import('./VisitorDialog.tsx')).VisitorDialog }))

export function LateVisitor(props: { readonly gateId: string; readonly close: () => void }) {
  return (
    <Suspense fallback={null}>
      <VisitorDialog {...props} />
    </Suspense>
  )
}
