// Types every block of the pages of `deploy` in one clean Debian, which is also the machine of whoever makes packages.

import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { blocksOf } from './blocks.ts'
import type { CleanRoot } from './cleanRoot.ts'
import { own, typingInto } from './machine.ts'
import { type Page, pages, stepOf } from './steps.ts'
import { say, typeBlock, typeText } from './typing.ts'

/** The root gets a clone, this Node, and npm from its registry. */
function giveCheckout({ folder }: CleanRoot, top: string): void {
  execFileSync('git', ['clone', '--quiet', top, join(folder, 'root/callgate')])
  const place = join(folder, own, 'bin')
  mkdirSync(place, { recursive: true })
  execFileSync('cp', [process.execPath, join(place, 'node')])
  const packed = execFileSync('npm', ['pack', '--silent', 'npm@11', '--pack-destination', place], {
    encoding: 'utf8',
  })
  execFileSync('tar', ['-xzf', join(place, packed.trim()), '-C', place])
  for (const name of ['npm', 'npx'])
    execFileSync('ln', ['-s', `../bin/package/bin/${name}-cli.js`, join(place, name)])
  // Where this machine has an authority of its own between itself and the registry, the checkout trusts that as well.
  const trusted = process.env['NODE_EXTRA_CA_CERTS']
  writeFileSync(join(folder, own, 'authorities.pem'), trusted === undefined ? '' : readFileSync(trusted))
}

/** The commands by which a checkout in the root reaches npm's registry. */
const builderOf = (proxy: string) =>
  `export NODE_EXTRA_CA_CERTS=${own}/authorities.pem https_proxy=${proxy} http_proxy=${proxy}`

async function walkPage(root: CleanRoot, page: Page, builder: string): Promise<number> {
  if (page.has !== undefined) await root.run(page.has)
  writeFileSync(join(root.folder, own, 'builder'), `PATH=${own}/bin:$PATH\n${builder}\n`)
  const places = {
    machine: typingInto(root, { who: `machine-${page.path.replaceAll('/', '-')}`, home: '~' }),
    checkout: typingInto(root, {
      who: `checkout-${page.path.replaceAll('/', '-')}`,
      home: '~/callgate',
      before: builder,
      programs: `${own}/bin:`,
    }),
  }
  let seconds = 0
  for (const block of blocksOf(readFileSync(page.path, 'utf8'))) {
    const step = stepOf(page, block)
    if (block.language !== 'sh' && step === undefined) continue
    if (step?.without !== undefined) say(`${page.path}:${block.line}  left out: ${step.without}`)
    else {
      const machine = places[step?.place ?? 'machine']
      seconds += (await typeBlock(machine, block, { begins: '', ...step, page: page.path })).seconds
    }
  }
  for (const { command, typed = command } of page.said ?? [])
    seconds += (await typeText(places.machine, { where: `${page.path}, "${command}"`, text: typed })).seconds
  return seconds
}

/** Types the pages. Returns the minutes of each. */
export async function walkPages(
  root: CleanRoot,
  { proxy, top }: { readonly proxy: string; readonly top: string },
): Promise<readonly { readonly path: string; readonly seconds: number }[]> {
  giveCheckout(root, top)
  const walked: { path: string; seconds: number }[] = []
  for (const page of pages)
    walked.push({ path: page.path, seconds: await walkPage(root, page, builderOf(proxy)) })
  return walked
}
