// The seeds of a test, which `pnpm hunt`, or a person who replays a finding, sets by the environment.

/** `7:2500` → seed 7, 2,500 cases. The variable `name` has one such pair; without it the `usual` ones are taken. */
export function seedsOf(name: string, usual: readonly string[]): readonly (readonly [number, number])[] {
  const given = process.env[name]
  return (given === undefined ? usual : [given]).map(pair => {
    const [, seed, count] = /^([1-9]\d{0,8}):([1-9]\d{0,8})$/.exec(pair) ?? []
    if (!seed || !count) throw new Error(`${name} must be SEED:COUNT, such as 7:2500, not ${pair}.`)
    return [Number(seed), Number(count)]
  })
}
