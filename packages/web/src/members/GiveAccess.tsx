// The button that gives access to one more gate.

import type { Gate } from '@callgate/contract/rest/gate'
import { Menu } from '@mantine/core'
import { Button } from '../kit/Button.tsx'
import { icons } from '../kit/icons.tsx'
import { useWords } from '../words/words.tsx'

export function GiveAccess(props: {
  /** The gates to which the member has no access yet. */
  readonly gates: readonly Gate[]
  readonly isFirst: boolean
  readonly give: (gateId: string) => void
}) {
  const { gates, give, isFirst } = props
  const says = useWords().member.access
  if (gates.length === 0) return <p className="small quiet">{isFirst ? says.noGates : says.all}</p>
  return (
    <Menu width="target">
      <Menu.Target>
        <Button look={isFirst ? 'filled' : 'outlined'} isWide isBig icon={<icons.add size={20} />}>
          {isFirst ? says.give : says.another}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {gates.map(({ id, name }) => (
          <Menu.Item key={id} onClick={() => give(id)}>
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
