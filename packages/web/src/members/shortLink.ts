// The displayed form of a magic link: enough to recognise it, too little to use it.

/** `https://gates.example.com/g/k7Qd…` → `…/g/k7Qd••••••••`. */
export function shortLink(link: string): string {
  const [, begin = ''] = /\/g\/(.{0,4})/.exec(link) ?? []
  return `…/g/${begin}••••••••`
}
