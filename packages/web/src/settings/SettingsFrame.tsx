// The frame of the settings: their parts beside the shown one.

import { dashboardPaths } from '@callgate/contract/app/dashboardPaths'
import { NativeSelect } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { Link, useLocation } from 'wouter'
import { useSpace } from '../client/session.tsx'
import { Page } from '../kit/Page.tsx'
import { useIsPhone } from '../kit/phone.ts'
import { hrefOf } from '../shell/navigation.ts'
import { useWords, type Words } from '../words/words.tsx'
import './settings.css'

type Part = keyof Words['settings']['part']

const parts: readonly { readonly name: Part; readonly isForOwners?: true }[] = [
  { name: 'settings' },
  { name: 'users', isForOwners: true },
  { name: 'alertChoices' },
  { name: 'accessTemplates' },
  { name: 'apiKeys' },
  { name: 'webhooks' },
  { name: 'plan' },
]

/** The parts as tabs: a column on a desk, else one row, which shows the chosen one. A phone has no room for a row: a list. */
function Parts({ shown }: { readonly shown: Part }) {
  const { settings } = useWords()
  const { space } = useSpace()
  const [, go] = useLocation()
  const isPhone = useIsPhone()
  const offered = parts.filter(({ isForOwners = false }) => !isForOwners || space.role === 'owner')
  const hrefOfPart = (name: Part) => hrefOf(dashboardPaths[name], { spaceId: space.id })
  const chosen = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    chosen.current?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [])
  if (isPhone)
    return (
      <NativeSelect
        aria-label={settings.parts}
        value={shown}
        onChange={event => go(hrefOfPart(event.currentTarget.value as Part))}
        data={offered.map(({ name }) => ({ value: name, label: settings.part[name] }))}
      />
    )
  return (
    <nav className="settings-parts" aria-label={settings.parts}>
      {offered.map(({ name }) => (
        <Link
          key={name}
          ref={name === shown ? chosen : undefined}
          className="settings-part"
          href={hrefOfPart(name)}
          aria-current={name === shown ? 'page' : undefined}
        >
          {settings.part[name]}
        </Link>
      ))}
    </nav>
  )
}

/** `action` is the action of this part. */
export function SettingsFrame(props: {
  readonly part: Part
  readonly title: string
  readonly says: string
  readonly action?: ReactNode
  readonly children: ReactNode
}) {
  const { frame } = useWords()
  const isPhone = useIsPhone()
  return (
    <Page title={frame.pages.settings}>
      <div className="settings">
        <Parts shown={props.part} />
        <section className="settings-shown" aria-labelledby="settings-title">
          <div className="settings-head">
            <div>
              {/* On a phone the list above shows it. */}
              <h2 id="settings-title" className={isPhone ? 'heard' : ''}>
                {props.title}
              </h2>
              <p className="quiet">{props.says}</p>
            </div>
            {props.action}
          </div>
          {props.children}
        </section>
      </div>
    </Page>
  )
}
