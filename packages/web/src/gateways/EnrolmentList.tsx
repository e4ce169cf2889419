// The gateways that are being added: unused codes, and gateways that wait for a confirmation.

import { useState } from 'react'
import { useRead } from '../client/reading.tsx'
import { Button } from '../kit/Button.tsx'
import { Enrolling } from './Enrolling.tsx'
import { useEnrolmentTexts } from './enrolmentTexts.ts'

const everyMs = 10_000

export const useEnrolments = () => useRead('listEnrolments', {}, { everyMs })

export function EnrolmentList() {
  const says = useEnrolmentTexts()
  const read = useEnrolments()
  const [shownId, setShownId] = useState<string>()
  const enrolments = read.value?.enrolments ?? []
  return (
    <>
      {enrolments.length > 0 && (
        <section className="card enrol-list" aria-label={says.list}>
          <h2>{says.list}</h2>
          <ul>
            {enrolments.map(({ id, name, state }) => (
              <li key={id}>
                <span>
                  <b>{name}</b> <span className="quiet">{says.states[state]}</span>
                </span>
                <Button look={state === 'pending' ? 'filled' : 'outlined'} onClick={() => setShownId(id)}>
                  {state === 'pending' ? says.look : says.show}
                </Button>
              </li>
            ))}
          </ul>
        </section>
      )}
      {shownId !== undefined && <Enrolling enrolmentId={shownId} close={() => setShownId(undefined)} />}
    </>
  )
}
