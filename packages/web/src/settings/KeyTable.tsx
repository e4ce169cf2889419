// The table of the API keys: a row for each; on a phone a card.

import type { ApiKeyView } from '@callgate/contract/app/apiKey'
import { Menu } from '@mantine/core'
import { IconButton } from '../kit/Button.tsx'
import { icons } from '../kit/icons.tsx'
import { type Reader, sayUsed } from '../members/memberWords.ts'
import { isOver, sayEnd, sayRequests } from './keyWords.ts'
import { UseBars } from './UseBars.tsx'

function Row(props: { readonly value: ApiKeyView; readonly reader: Reader; readonly revoke: () => void }) {
  const { reader, revoke, value } = props
  const { more, table, revoke: says } = reader.words.keys
  const isEnded = isOver(value, reader.nowMs)
  return (
    <tr className={isEnded ? 'key-over' : ''}>
      <th scope="row">
        <span className="key-name">{value.name}</span>
        <span className="mono quiet">{value.shownPrefix}…</span>
      </th>
      <td className="key-may">
        {value.scopes.map(scope => (
          <span key={scope} className={scope === 'gates:open' ? 'key-scope key-scope-opens' : 'key-scope'}>
            {scope}
          </span>
        ))}
      </td>
      <td>
        <UseBars uses={value.uses} says={sayRequests(value, reader)} />
      </td>
      <td className="key-when">
        <span className="key-label">{table.last} </span>
        {sayUsed(value.lastUsedAt, reader)}
      </td>
      <td className={value.expiresAt === null ? 'key-when quiet' : 'key-when'}>
        {!isEnded && <span className="key-label">{table.ends} </span>}
        {sayEnd(value, reader)}
      </td>
      <td className="key-more">
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
  const { table } = reader.words.keys
  return (
    <div className="card key-card">
      <table className="key-table">
        <thead>
          <tr>
            <th scope="col">{table.key}</th>
            <th scope="col">{table.may}</th>
            <th scope="col">{table.uses}</th>
            <th scope="col">{table.last}</th>
            <th scope="col">{table.ends}</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {keys.map(key => (
            <Row key={key.id} value={key} reader={reader} revoke={() => revoke(key)} />
          ))}
        </tbody>
      </table>
    </div>
  )
}
