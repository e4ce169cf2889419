// The page of the gates before there is one: how a gate opens, and the three steps to the first opening.

import { dashboardPaths } from '@callgate/contract/app/dashboardPaths'
import { useRead } from '../client/reading.tsx'
import { useSpace } from '../client/session.tsx'
import { Button, ButtonLink } from '../kit/Button.tsx'
import { icons } from '../kit/icons.tsx'
import { Ring } from '../kit/Ring.tsx'
import { hrefOf } from '../shell/navigation.ts'
import { useWords } from '../words/words.tsx'
import { emptyGatesTexts } from './emptyGatesTexts.ts'
import { PretendGateway } from './PretendGateway.tsx'
import './EmptyGates.css'

const pictures = [icons.press, icons.gateway, icons.call, icons.gate] as const

/** `add` opens the form of a new gate. */
export function EmptyGates({ add }: { readonly add: () => void }) {
  const words = useWords()
  const says = emptyGatesTexts(words)
  const { space } = useSpace()
  const gateways = useRead('listGateways', {})
  const hasGateway = gateways.value?.gateways.some(({ now }) => now.state !== 'revoked') ?? false
  const current = hasGateway ? 1 : 0
  return (
    <>
      <section className="card empty-picture">
        <h2>{says.title}</h2>
        <p className="quiet">{says.text}</p>
        <ol>
          {says.parts.map(([name, what], place) => {
            const Picture = pictures[place] ?? icons.gate
            return (
              <li key={name}>
                <Ring lit={place + 1} tone={place === 3 ? 'open' : 'call'} size={104}>
                  <span className="empty-icon">
                    <Picture size={38} />
                  </span>
                </Ring>
                <b>{name}</b>
                <span className="small quiet">{what}</span>
              </li>
            )
          })}
        </ol>
      </section>
      <ol className="empty-steps">
        {says.steps.map(([name, what], place) => (
          <li key={name} className={place === current ? 'card' : 'card empty-later'}>
            <span className={place === current ? 'empty-number empty-now' : 'empty-number'}>
              {place < current ? <icons.check size={18} /> : place + 1}
            </span>
            <div>
              <h2>{name}</h2>
              <p className="small quiet">{what}</p>
              {place === 0 && current === 0 && (
                <ButtonLink
                  look="filled"
                  isWide
                  href={hrefOf(dashboardPaths.firstSteps, { spaceId: space.id })}
                >
                  {says.connect}
                </ButtonLink>
              )}
              {place === 1 && (
                <Button look={current === 1 ? 'filled' : 'outlined'} isWide onClick={add}>
                  {words.gates.add}
                </Button>
              )}
            </div>
          </li>
        ))}
      </ol>
      <PretendGateway />
    </>
  )
}
