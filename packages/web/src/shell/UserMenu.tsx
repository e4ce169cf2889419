// The user at the foot of the rail, with their settings: colours, language, sign out.

import { dashboardPaths } from '@callgate/contract/app/dashboardPaths'
import { type MantineColorScheme, Menu, UnstyledButton, useMantineColorScheme } from '@mantine/core'
import { Link } from 'wouter'
import { useSessions, useSpace } from '../client/session.tsx'
import { Initials } from '../kit/Initials.tsx'
import { icons } from '../kit/icons.tsx'
import { useAskFirst } from '../kit/leaving.ts'
import { type Language, languages, useSpeech, useWords } from '../words/words.tsx'

/** The keys of the palette, as this device writes them. */
const findKeys = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘K' : 'Ctrl K'

function Choices() {
  const words = useWords()
  const { language, speak } = useSpeech()
  // To suppress transitions, Mantine writes a style as HTML, which the policy of the page refuses.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true })
  const checkIcon = <icons.check size={16} />
  return (
    <>
      <Menu.Label>{words.frame.theme}</Menu.Label>
      <Menu.RadioGroup value={colorScheme} onChange={scheme => setColorScheme(scheme as MantineColorScheme)}>
        {Object.entries(words.frame.themes).map(([scheme, name]) => (
          <Menu.RadioItem key={scheme} value={scheme} checkIcon={checkIcon}>
            {name}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
      <Menu.Label>{words.frame.language}</Menu.Label>
      <Menu.RadioGroup value={language} onChange={code => void speak(code as Language)}>
        {Object.entries(languages).map(([code, name]) => (
          <Menu.RadioItem key={code} lang={code} value={code} checkIcon={checkIcon}>
            {name}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </>
  )
}

/** The version of the cloud, as it has put it into the page. */
function Version() {
  const maker = document.querySelector<HTMLMetaElement>('meta[name=generator]')?.content
  return maker && <Menu.Label>{maker}</Menu.Label>
}

/** `find` opens the palette, which has keys as well. */
export function UserMenu({ find }: { readonly find: () => void }) {
  const words = useWords()
  const { signOut } = useSessions()
  const askFirst = useAskFirst()
  const { session, space } = useSpace()
  const { name } = session.user
  return (
    <Menu position="top-end" width={232} withinPortal={false}>
      <Menu.Target>
        <UnstyledButton className="user">
          <Initials name={name} />
          <span className="space-names">
            <b>{name}</b>
            <span className="small quiet">{words.frame.role[space.role]}</span>
          </span>
          <icons.dots size={20} />
          <span className="heard">{words.frame.menu}</span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<icons.find size={16} />}
          rightSection={<span className="small quiet">{findKeys}</span>}
          onClick={find}
        >
          {words.frame.find}
        </Menu.Item>
        <Menu.Item component={Link} href={dashboardPaths.account} leftSection={<icons.user size={16} />}>
          {words.account.open}
        </Menu.Item>
        <Menu.Divider />
        <Choices />
        <Menu.Divider />
        <Menu.Item leftSection={<icons.signOut size={16} />} onClick={() => askFirst(() => void signOut())}>
          {words.frame.signOut}
        </Menu.Item>
        <Version />
      </Menu.Dropdown>
    </Menu>
  )
}
