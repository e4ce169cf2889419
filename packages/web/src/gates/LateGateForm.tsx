// The form of a new gate for pages of a first visit: it is loaded when it is first shown.

import { lazy, Suspense } from 'react'

const GateForm = lazy(async () => ({ default: (await import('./GateForm.tsx')).GateForm }))

export function LateGateForm(props: { readonly close: () => void }) {
  return (
    <Suspense fallback={null}>
      <GateForm {...props} />
    </Suspense>
  )
}
