// The API keys: the scopes, the use and the end of each.

import type { ApiKeyView } from '@callgate/contract/app/apiKey'
import { useState } from 'react'
import { useRead, useTogether } from '../client/reading.tsx'
import { Banner } from '../kit/Banner.tsx'
import { Button } from '../kit/Button.tsx'
import { icons } from '../kit/icons.tsx'
import { Empty, NotRead, Skeleton } from '../kit/states.tsx'
import type { Reader } from '../members/memberWords.ts'
import { useReader } from '../members/useMemberReader.ts'
import { KeyTable } from './KeyTable.tsx'
import { keyTexts } from './keyTexts.ts'
import { isOver } from './keyWords.ts'
import { NewKey } from './NewKey.tsx'
import { SandboxCard } from './NewSandbox.tsx'
import { RevokeKey } from './RevokeKey.tsx'
import { SettingsFrame } from './SettingsFrame.tsx'

const everyMs = 30_000

function Keys({ keys, reader }: { readonly keys: readonly ApiKeyView[]; readonly reader: Reader }) {
  const says = keyTexts(reader.words)
  const [revoking, setRevoking] = useState<ApiKeyView>()
  const [showsOver, setShowsOver] = useState(false)
  const over = keys.filter(key => isOver(key, reader.nowMs))
  const current = keys.filter(key => !over.includes(key))
  const shown = showsOver ? [...current, ...over] : current
  return (
    <>
      {current.length === 0 && <Empty title={says.none}>{says.noneWhy}</Empty>}
      {shown.length > 0 && <KeyTable keys={shown} reader={reader} revoke={setRevoking} />}
      {over.length > 0 && (
        <Button look="soft" aria-expanded={showsOver} onClick={() => setShowsOver(!showsOver)}>
          {showsOver ? says.hideOver : says.showOver(over.length)}
        </Button>
      )}
      {revoking && <RevokeKey of={revoking} reader={reader} close={() => setRevoking(undefined)} />}
    </>
  )
}

export function KeysPage() {
  const reader = useReader()
  const says = keyTexts(reader.words)
  const read = useRead('listApiKeys', {}, { everyMs })
  const readSpace = useRead('getSpace', {})
  const plan = readSpace.value?.space.now
  const isTogether = useTogether(read, readSpace)
  const [isMaking, setMaking] = useState(false)
  return (
    <SettingsFrame
      part="apiKeys"
      title={says.title}
      says={says.says}
      action={
        <Button look="filled" icon={<icons.add size={20} />} onClick={() => setMaking(true)}>
          {says.create}
        </Button>
      }
    >
      {isTogether ? (
        <>
          {plan?.hasApi === false && <Banner tone="look">{says.noPlan(plan.plan)}</Banner>}
          <NotRead what={says.what} of={read} />
          {read.value && <Keys keys={read.value.keys} reader={reader} />}
          <p className="small quiet">
            {says.stay}{' '}
            <a className="link" href="/docs">
              {says.documentation}
            </a>
          </p>
          <SandboxCard />
        </>
      ) : (
        <Skeleton bars={[44, 64, 64, 60, 220]} />
      )}
      {isMaking && <NewKey close={() => setMaking(false)} />}
    </SettingsFrame>
  )
}
