// The question before a key is revoked; it names the consequences.

import type { ApiKeyView } from '@callgate/contract/app/apiKey'
import { useChange } from '../client/reading.tsx'
import { AskDialog } from '../confirm/AskDialog.tsx'
import { type Reader, sayUsed } from '../members/memberWords.ts'
import { sayProblem } from '../words/problems.ts'
import { keyTexts } from './keyTexts.ts'
import { sayRequests } from './keyWords.ts'

export function RevokeKey(props: {
  readonly of: ApiKeyView
  readonly reader: Reader
  readonly close: () => void
}) {
  const { close, of: key, reader } = props
  const keys = keyTexts(reader.words)
  const says = keys.revoke
  const revoke = useChange('revokeApiKey')
  const used =
    key.lastUsedAt === null
      ? says.unused
      : says.stops(sayRequests(key, reader), sayUsed(key.lastUsedAt, reader))
  const could = key.scopes.map(scope => keys.scopes[scope]).join(', ')
  return (
    <AskDialog
      title={says.title(key.name)}
      does={says.does}
      doing={says.doing}
      means={[says.refused(key.shownPrefix), used, says.could(could), says.forGood]}
      isDanger
      sayFailure={failure => sayProblem(failure, reader.words, { network_error: says.noAnswer })}
      go={() => revoke({ params: { apiKeyId: key.id } })}
      close={close}
    />
  )
}
