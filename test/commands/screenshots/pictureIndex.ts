// The pictures of a folder side by side, as a page; and which of them differ from those of another run.

import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { html } from '@callgate/cloud/text/html'

export const picturesIn = async (folder: string) =>
  (await readdir(folder)).filter(name => name.endsWith('.png')).sort()

/** The pictures by what they show: the name up to the language. */
export function picturesByScene(names: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const scenes = new Map<string, string[]>()
  for (const name of names) {
    const scene = name.replace(/(-[a-z]{2})?-\d+(-.*)?\.png$|\.png$/, '')
    scenes.set(scene, [...(scenes.get(scene) ?? []), name])
  }
  return scenes
}

/** Writes `index.html`, with a row for each scene. */
export async function writeIndex(folder: string): Promise<void> {
  const rows = [...picturesByScene(await picturesIn(folder))].map(([scene, names]) => {
    const pictures = names.map(
      name =>
        html`<figure><a href="${name}"><img src="${name}" alt="" loading="lazy" height="420"></a><figcaption>${name.slice(scene.length + 1, -4)}</figcaption></figure>\n`,
    )
    return html`<section id="${scene}"><h2><a href="#${scene}">${scene}</a></h2><div>\n${pictures}</div></section>\n`
  })
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Pictures</title>
<style>
body { margin: 24px; background: #f4f5f2; color: #131a17; font: 14px/1.4 system-ui, sans-serif }
section > div { display: flex; gap: 16px; overflow-x: auto; align-items: flex-start; padding-bottom: 12px }
figure { margin: 0; flex: none } img { border: 1px solid #dee2dd } h2 a { color: inherit; text-decoration: none }
</style></head><body><h1>Pictures</h1>
${rows}</body></html>
`
  await writeFile(join(folder, 'index.html'), page.text)
}

/** The pictures that are in both folders and not the same, byte for byte. */
export async function differences(folder: string, other: string): Promise<readonly string[]> {
  const others = new Set(await picturesIn(other))
  const differing: string[] = []
  for (const name of await picturesIn(folder)) {
    if (!others.has(name)) continue
    const [one, two] = await Promise.all([folder, other].map(from => readFile(join(from, name))))
    if (one && two && !one.equals(two)) differing.push(name)
  }
  return differing
}
