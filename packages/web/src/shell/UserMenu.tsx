// The user at the foot of the rail, with what belongs to them: colours, language, sign out.

import { type MantineColorScheme, Menu, UnstyledButton, useMantineColorScheme } from '@mantine/core'
import { useSessions, useSpace } from '../client/session.tsx'
import { Initials } from '../kit/Initials.tsx'
import { icons } from '../kit/icons.tsx'
import { type Language, languages, useSpeech } from '../words/words.tsx'

function Choices() {
  const { language, speak, words } = useSpeech()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const chosen = (is: boolean) => (is ? <icons.check size={16} /> : <span className="menu-space" />)
  return (
    <>
      <Menu.Label>{words.frame.theme}</Menu.Label>
      {Object.entries(words.frame.themes).map(([scheme, name]) => (
        <Menu.Item
          key={scheme}
          role="menuitemradio"
          aria-checked={colorScheme === scheme}
          leftSection={chosen(colorScheme === scheme)}
          onClick={() => setColorScheme(scheme as MantineColorScheme)}
        >
          {name}
        </Menu.Item>
      ))}
      <Menu.Label>{words.frame.language}</Menu.Label>
      {Object.entries(languages).map(([code, name]) => (
        <Menu.Item
          key={code}
          lang={code}
          role="menuitemradio"
          aria-checked={language === code}
          leftSection={chosen(language === code)}
          onClick={() => void speak(code as Language)}
        >
          {name}
        </Menu.Item>
      ))}
    </>
  )
}

export function UserMenu() {
  const { words } = useSpeech()
  const { signOut } = useSessions()
  const { session, space } = useSpace()
  const { name } = session.user
  return (
    <Menu position="top-end" width={232}>
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
        <Choices />
        <Menu.Divider />
        <Menu.Item leftSection={<icons.signOut size={16} />} onClick={() => void signOut()}>
          {words.frame.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
