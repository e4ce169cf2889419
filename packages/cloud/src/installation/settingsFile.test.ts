// Reading and changing the file of settings.

import { expect, it } from 'vitest'
import { changeSettings, readSettings, valueFault } from './settingsFile.ts'

it('reads the variables as systemd gives them to the service', () => {
  const lines = [
    '# SECRET=none',
    '; SECRET=none',
    '',
    'APP_URL=https://gates.example.com',
    '  SMTP_URL=smtp://a:p$HOME`id`$(id)@mail.example.com  ',
    'MAIL_FROM=Lake view <gates@example.com>',
    `SECURITY_CONTACT="it's $HOME"`,
    `TRUST_PROXY='loopback'`,
    'MQTT_HOST=',
    'MQTT_PORT=8883#1',
    'LOG_LEVEL=a=b',
  ]
  expect(readSettings(lines.join('\n'))).toEqual({
    ok: true,
    variables: {
      APP_URL: 'https://gates.example.com',
      SMTP_URL: 'smtp://a:p$HOME`id`$(id)@mail.example.com',
      MAIL_FROM: 'Lake view <gates@example.com>',
      SECURITY_CONTACT: "it's $HOME",
      TRUST_PROXY: 'loopback',
      MQTT_HOST: '',
      MQTT_PORT: '8883#1',
      LOG_LEVEL: 'a=b',
    },
  })
})

it.each([
  ['APP_URL', 'a line is NAME=VALUE'],
  ['export APP_URL=a', 'a name has letters, digits and _ alone, and no space before the ='],
  ['SMTP_URL=a\\b', 'SMTP_URL: write the value without a backslash'],
  ['SMTP_URL="a" b', 'SMTP_URL: quotes stand around the whole value, or nowhere'],
  ['SMTP_URL="a"b"', 'SMTP_URL: quotes stand around the whole value, or nowhere'],
])('refuses %s, which systemd may read differently', (line, why) => {
  expect(readSettings(`# Ours\n${line}\n`)).toEqual({ ok: false, message: `line 2: ${why}` })
})

it('changes, adds and removes variables, and keeps everything else', () => {
  const before = '# Ours\nAPP_URL=https://old.example.com\nLOG_LEVEL=warn\n\nMQTT_URL=mqtts://a:b@c\n'
  const after = changeSettings(before, {
    APP_URL: 'https://new.example.com',
    MQTT_URL: undefined,
    MAIL_FROM: 'Lake view <gates@example.com>',
    TRUST_PROXY: undefined,
  })
  expect(after).toBe(
    '# Ours\nAPP_URL=https://new.example.com\nLOG_LEVEL=warn\nMAIL_FROM="Lake view <gates@example.com>"\n',
  )
})

it('writes each value in the form in which it is read again', () => {
  for (const value of ['a', 'Lake view <a@b.c>', '"Lake view" <a@b.c>', "it's", 'a#b', '$HOME', ';', ' a ']) {
    expect(valueFault(value)).toBeUndefined()
    expect(readSettings(changeSettings('', { NAME: value }))).toEqual({
      ok: true,
      variables: { NAME: value },
    })
  }
  for (const value of ['a\nb', 'a\\b', `"'`]) expect(valueFault(value)).toMatch(/^must /)
})
