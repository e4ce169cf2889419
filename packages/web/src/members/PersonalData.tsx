// The personal data of a member, for owners: all of it as a file, and its deletion.

import type { MemberView } from '@callgate/contract/app/appMember'
import { dashboardPaths } from '@callgate/contract/app/dashboardPaths'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { fileAddress } from '../client/client.ts'
import { useCall } from '../client/connection.tsx'
import { useReadAgain } from '../client/reading.tsx'
import { useSpace } from '../client/session.tsx'
import { AskDialog } from '../confirm/AskDialog.tsx'
import { ConfirmedExport } from '../confirm/ConfirmedExport.tsx'
import { Button } from '../kit/Button.tsx'
import { Card } from '../kit/Card.tsx'
import { hrefOf } from '../shell/navigation.ts'
import { useWords } from '../words/words.tsx'
import { lateTexts } from './lateTexts.ts'
import { useFailureWords } from './useFailureWords.ts'

interface Of {
  readonly member: MemberView
}

function EraseDialog({ close, member }: Of & { readonly close: () => void }) {
  const says = lateTexts(useWords()).data
  const { space } = useSpace()
  const [, goTo] = useLocation()
  const call = useCall()
  const readAgain = useReadAgain()
  const sayFailure = useFailureWords()
  async function go() {
    const result = await call('eraseMember', { params: { memberId: member.id } })
    if (!result.ok) return result
    // Otherwise this page would be read again for a member who no longer exists.
    goTo(hrefOf(dashboardPaths.members, { spaceId: space.id }))
    readAgain()
    return result
  }
  return (
    <AskDialog
      title={says.title(member.name)}
      does={says.erase}
      doing={says.erasing}
      means={says.means}
      isDanger
      sayFailure={sayFailure}
      go={go}
      close={close}
    />
  )
}

export function PersonalData({ member }: Of) {
  const says = lateTexts(useWords()).data
  const { space } = useSpace()
  const [isAsking, setAsking] = useState(false)
  if (space.role !== 'owner') return null
  const file = fileAddress('exportMemberData', {
    params: { spaceId: space.id, memberId: member.id },
    query: {},
  })
  return (
    <Card title={says.card}>
      <p className="small quiet">{says.why}</p>
      <div className="link-buttons">
        <ConfirmedExport href={file} />
        <Button look="danger" onClick={() => setAsking(true)}>
          {says.erase}
        </Button>
      </div>
      {isAsking && <EraseDialog member={member} close={() => setAsking(false)} />}
    </Card>
  )
}
