// Loaded before a program: shifts its wall clock by the milliseconds after `?ms=` in the address of this file.

const shiftMs = Number(new URL(import.meta.url).searchParams.get('ms'))
const RealDate = Date

globalThis.Date = new Proxy(RealDate, {
  construct: (_, given, self) =>
    Reflect.construct(RealDate, given.length === 0 ? [RealDate.now() + shiftMs] : given, self),
  get: (target, name, self) =>
    name === 'now' ? () => RealDate.now() + shiftMs : Reflect.get(target, name, self),
})
