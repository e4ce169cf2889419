// The stored data of the own account, as a file.

import { fileAddress } from '../client/client.ts'
import { ConfirmedExport } from '../confirm/ConfirmedExport.tsx'
import { Card } from '../kit/Card.tsx'
import { useWords } from '../words/words.tsx'

export function OwnDataCard() {
  const says = useWords().account.data
  return (
    <Card title={says.title}>
      <p className="quiet">{says.why}</p>
      <div className="account-actions">
        <ConfirmedExport href={fileAddress('exportOwnData', {})} />
      </div>
    </Card>
  )
}
