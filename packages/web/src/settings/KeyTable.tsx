// The table of the API keys: a row for each; on a phone a card.

import type { ApiKeyView } from '@callgate/contract/app/apiKey'
import { Menu } from '@mantine/core'
import { useState } from 'react'
import { IconButton } from '../kit/Button.tsx'
import { CardTable } from '../kit/CardTable.tsx'
import { icons } from '../kit/icons.tsx'
import { Unfold } from '../kit/Unfold.tsx'
import { type Reader, sayUsed } from '../members/memberWords.ts'
import { keyTexts } from './keyTexts.ts'
import { isOver, opens, sayEnd, sayRequests, sayRights } from './keyWords.ts'
import { UseBars } from './UseBars.tsx'

/** In words; the names that programs use are unfolded. */
function Rights({ reader, value }: { readonly value: ApiKeyView; readonly reader: Reader }) {
  const [isUnfolded, unfold] = useState(false)
  const { scopes } = value
  const says = keyTexts(reader.words)
  return (
    <>
      <Unfold className="key-rights" isUnfolded={isUnfolded} unfold={unfold}>
        <span className="key-said">
          {scopes.includes(opens) && <span className="key-scope key-scope-opens">{says.scopes[opens]}</span>}
          <span>{sayRights(scopes, reader)}</span>
        </span>
      </Unfold>
      {isUnfolded &&
        scopes.map(scope => (
          <span key={scope} className="key-scope mono">
            {scope}
          </span>
        ))}
    </>
  )
}

function Row(props: { readonly value: ApiKeyView; readonly reader: Reader; readonly revoke: () => void }) {
  const { reader, revoke, value } = props
  const { more, table, revoke: says, unused } = keyTexts(reader.words)
  const isEnded = isOver(value, reader.nowMs)
  return (
    <tr className={isEnded ? 'row-over' : ''}>
      <th scope="row">
        <span className="key-name">{value.name}</span>
        <span className="mono quiet">{value.shownPrefix}…</span>
      </th>
      <td className="key-may">
        <Rights value={value} reader={reader} />
        {value.gateIds && <span className="small quiet">{table.onGates(value.gateIds.length)}</span>}
      </td>
      <td className={value.lastUsedAt === null ? 'key-unused' : ''}>
        <UseBars uses={value.uses} says={sayRequests(value, reader)} />
        <span className="row-label small" aria-hidden="true">
          {' '}
          {sayRequests(value, reader)}
        </span>
      </td>
      <td className="key-when">
        {value.lastUsedAt === null ? (
          unused
        ) : (
          <>
            <span className="row-label">{table.last} </span>
            {sayUsed(value.lastUsedAt, reader)}
          </>
        )}
      </td>
      <td className={value.expiresAt === null ? 'key-when quiet' : 'key-when'}>
        {!isEnded && value.expiresAt !== null && <span className="row-label">{table.ends} </span>}
        {sayEnd(value, reader)}
      </td>
      <td className="row-button">
        {!isEnded && (
          <Menu position="bottom-end" width={180}>
            <Menu.Target>
              <IconButton label={more(value.name)}>
                <icons.dots />
              </IconButton>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item leftSection={<icons.off size={16} />} onClick={revoke}>
                {says.open}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
      </td>
    </tr>
  )
}

export function KeyTable(props: {
  readonly keys: readonly ApiKeyView[]
  readonly reader: Reader
  readonly revoke: (key: ApiKeyView) => void
}) {
  const { keys, reader, revoke } = props
  const { table } = keyTexts(reader.words)
  return (
    <CardTable className="key-table" heads={[table.key, table.may, table.uses, table.last, table.ends]}>
      {keys.map(key => (
        <Row key={key.id} value={key} reader={reader} revoke={() => revoke(key)} />
      ))}
    </CardTable>
  )
}
