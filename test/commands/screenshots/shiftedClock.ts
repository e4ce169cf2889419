// Loaded before a program: shifts its wall clock by CALLGATE_CLOCK_SHIFT_MS.

const shiftMs = Number(process.env['CALLGATE_CLOCK_SHIFT_MS'])
const RealDate = Date

globalThis.Date = new Proxy(RealDate, {
  construct: (_, given, self) =>
    Reflect.construct(RealDate, given.length === 0 ? [RealDate.now() + shiftMs] : given, self),
  get: (target, name, self) =>
    name === 'now' ? () => RealDate.now() + shiftMs : Reflect.get(target, name, self),
})
