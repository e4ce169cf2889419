// The frame of every guest page: head, header with the choice of languages, status, style and script.

import { type Language, languages } from '@callgate/contract/rest/member'
import type { Contact } from '../space/spaces.ts'
import { fill } from '../text/fill.ts'
import { type Html, html, trusted } from '../text/html.ts'
import { script, style } from './assets.ts'
import { icon, mark } from './icons.ts'
import { ring, smallRing } from './ring.ts'
import { type NetworkTexts, type Said, type Texts, texts } from './texts/texts.ts'

/** The facts that the pages of one link share. */
export interface Setting {
  readonly language: Language
  readonly text: Texts
  /** The link's path, without a trailing slash. */
  readonly home: string
  readonly spaceName: string
  /** The IANA name of the Space's time zone. */
  readonly timezone: string
  readonly contact: Contact
  /** The time that schedules see, in milliseconds since the epoch: in a sandbox, that of its own clock. */
  readonly nowMs: number
  /** The real time, by which calls are dated. */
  readonly realMs: number
}

/** The meaning of a page's colours: the gate takes the call, check it, it stays shut, the press was denied. */
export type Tone = 'open' | 'look' | 'shut' | 'denied'

export interface Sheet {
  readonly language: Language
  /** Undefined where there is no link, or where it is not alive. */
  readonly setting?: Setting
  /** The path below the link to which the choice of languages returns. */
  readonly at?: string
  readonly tone?: Tone | undefined
  /** The title of the tab; otherwise that of every guest page, which link previews show. */
  readonly title?: string
  /** Read by a screen reader when the page replaces another. */
  readonly say: string
  readonly main: Html
  /** Without a script, the browser reloads the page after this time. */
  readonly refreshAfterS?: number | undefined
  /** Shown when there is no network. */
  readonly covers?: Html
}

/** Fills the placeholders of a sentence with HTML. */
export function fillHtml(sentence: string, values: Readonly<Record<string, Html>>): Html {
  const parts = sentence.split(/\{(\w+)\}/)
  return html`${parts.map((part, place) => (place % 2 === 0 ? part : (values[part] ?? part)))}`
}

function picker({ at = '', language, setting }: Sheet): Html {
  const { language: label } = texts[language]
  const choices = languages.map(
    code =>
      html`<button name="language" value="${code}" lang="${code}"${code === language ? html` aria-current="true"` : undefined}>${texts[code].name}</button>`,
  )
  const form = setting
    ? html`<form class="langs" method="post" action="${setting.home}/language"><input type="hidden" name="at" value="${at}">${choices}</form>`
    : html`<form class="langs">${choices}</form>`
  return html`<details><summary>${icon('world')}${language}<span class="hidden">: ${label}, ${texts[language].name}</span></summary>${form}</details>`
}

function links({ home }: Setting): Html {
  return html`<link rel="manifest" href="${home}/manifest.webmanifest">
<link rel="icon" href="/g/icon.svg"><link rel="apple-touch-icon" href="/g/icon-192.png">
`
}

export function page(sheet: Sheet): Html {
  const { covers, language, main, refreshAfterS, say, setting, tone = '' } = sheet
  const { title = texts[language].title } = sheet
  const refresh =
    refreshAfterS === undefined
      ? undefined
      : html`<noscript><meta http-equiv="refresh" content="${refreshAfterS}"></noscript>
`
  return html`<!doctype html>
<html lang="${language}" data-page="${tone}"${setting ? html` data-worker="1"` : undefined}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${title}">
${refresh}<title>${title}</title>
${setting && links(setting)}<style>${trusted(style)}</style>
</head>
<body>
<header>${mark}${setting?.spaceName}${picker(sheet)}</header>
<p id="say" class="hidden" role="status">${say}</p>
${main}
${covers}<script>${trusted(script)}</script>
</body>
</html>
`
}

/** The button to the Space's contact; nothing where it has none. `words` has a placeholder for the name. */
export function contactButton({ contact }: Setting, words: string): Html | undefined {
  const { contactName: name, contactPhone } = contact
  if (name === null || contactPhone === null) return undefined
  const number = contactPhone.replace(/[^+0-9]/g, '')
  return html`<a class="b" href="tel:${number}"><span>${icon('phone')} ${fill(words, { name })}</span></a>`
}

/** A headline with the text under it. */
export function saidHtml([headline, body]: Said, level: 'h1' | 'h2' = 'h2'): Html {
  const head = level === 'h1' ? html`<h1>${headline}</h1>` : html`<h2>${headline}</h2>`
  return html`${head}<p>${body}</p>`
}

function cover(
  kind: 'offline' | 'lost',
  { button, said, since, state }: NetworkTexts,
  { first, more }: { readonly first?: Html; readonly more?: Html | undefined },
): Html {
  const [headline, body] = said
  return html`<template id="${kind}"><main tabindex="-1" class="cover" data-say="${headline}"><h1></h1><p class="where"></p>
<div class="ring">${ring}<div class="count">${icon('wifiOff', 48)}<strong>${state}</strong><span>${since}</span></div></div>
<h2>${headline}</h2>${first}<p>${body}</p><div class="foot">
<button type="button" class="b act${kind === 'offline' ? ' fill' : ''}">${button}</button>${more}</div></main></template>
`
}

/** The texts for a press that could not be sent, or of which nobody knows whether it was. */
export function covers(setting: Setting): Html {
  const { text } = setting
  const more = contactButton(setting, text.call)
  const first = html`<p class="turn">${text.unsure[0]}.</p>`
  return html`${cover('offline', text.offline, { more })}${cover('lost', text.lost, { first })}`
}

/** A page with only a message: a dead link, a fault. With a time, the browser reloads it after that. */
export function messagePage(
  language: Language,
  said: Said,
  {
    againS,
    icon: inside = 'alert',
  }: { readonly againS?: number; readonly icon?: 'alert' | 'linkOff' | 'wifiOff' } = {},
): Html {
  const [headline] = said
  const again = againS === undefined ? undefined : html` data-again="${againS}"`
  const main = html`<main tabindex="-1" data-say="${headline}"${again}><div class="middle">${smallRing(icon(inside, 40))}${saidHtml(said, 'h1')}</div></main>`
  return page({ language, tone: 'denied', say: headline, main, refreshAfterS: againS })
}

/** The page for an unknown address. It is the same for all of them, and names none. */
export function noPage(language: Language): Html {
  const { noPage: said, toStart } = texts[language]
  const [headline] = said
  const main = html`<main tabindex="-1" data-say="${headline}"><div class="middle">${smallRing(icon('alert', 40))}${saidHtml(said, 'h1')}</div>
<div class="foot"><a class="b fill" href="/">${toStart}</a></div></main>`
  return page({ language, tone: 'denied', title: headline, say: headline, main })
}

/** The page that the service worker shows without a connection. It belongs to no link, so it names nothing. */
export function offlinePage(language: Language): Html {
  const { offline } = texts[language]
  const [headline] = offline.said
  const main = html`<main tabindex="-1" data-say="${headline}"><div class="middle">${smallRing(icon('wifiOff', 40))}<h1>${offline.state}</h1><p>${offline.said[1]}</p></div>
<div class="foot"><a class="b fill" href="">${offline.button}</a></div></main>`
  return page({ language, tone: 'denied', say: offline.state, main })
}
