// Gate modules on the market, as their manuals describe them. Sources, and facts from memory: "Gate modules" in
// packages/modem/docs/sim800.md.

import type { FarEnd } from './core/farEnd.ts'

const busy = { token: 'BUSY', cause: 17 } as const
const noCarrier = { token: 'NO CARRIER', cause: 16 } as const
const opens = { reaction: 'reject', firesRelay: true } as const

/** A gate with `callers` acts for those numbers only. */
export const gateModels = {
  king_pigeon_rtu5024: {
    summary: 'King Pigeon RTU5024: rejects (from memory), pulses for 0.5 s, confirms by SMS; GON bit b=1',
    way: 'rings',
    module: { ...opens, pulseMs: 500, compares: 'last9', confirmation: { by: 'sms', afterMs: 6000 } },
    rejection: busy,
  },
  jablotron_gd04: {
    summary: 'Jablotron GD-04 DAVID: rejects, toggles with each call (TMX=0), compares the whole number',
    way: 'rings',
    module: { ...opens, relay: 'toggle' },
    rejection: busy,
  },
  tell_gate_control_20: {
    summary: 'Tell Gate Control 20: rejects; a hidden caller moves output 2, whoever it is',
    way: 'rings',
    module: { ...opens, compares: 'last9', hidden: { reaction: 'reject', firesRelay: true, output: 2 } },
    rejection: busy,
  },
  eldes_esim120: {
    summary: 'Eldes ESIM120: rejects a known caller, ignores any other; numbers stored without +',
    way: 'rings',
    module: { ...opens, compares: 'last9' },
    rejection: busy,
  },
  satel_gsm4: {
    summary: 'Satel GSM-4: rings for the programmed 15 s, disconnects, then opens; not if the caller hung up',
    way: 'rings',
    module: { ...opens, ringMs: 15_000 },
    rejection: busy,
  },
  satel_gsm4_voicemail: {
    summary: 'Satel GSM-4 whose SIM has a voicemail: the rejection diverts to it, the call is charged',
    way: 'rings',
    module: { ...opens, ringMs: 15_000 },
    rejection: busy,
    divertsRejected: { speaksMs: 20_000 },
  },
  videx_gsm_activate: {
    summary: 'Videx intercom (G.S.M. Activate): drops the call and pulses for 2 s',
    way: 'rings',
    module: { ...opens, pulseMs: 2000 },
    rejection: noCarrier,
  },
  advent_a302: {
    summary: 'Advent A3-02 as delivered: opens and rings on, to stay out of the voicemail',
    way: 'rings',
    module: { reaction: 'ring', firesRelay: true, pulseMs: 2000 },
    rejection: busy,
  },
  advent_a302_reject_open: {
    summary:
      'Advent A3-02 with REJECT OPEN: toggles; rings on when it activates, rejects when it deactivates',
    way: 'rings',
    module: { reaction: 'ring', firesRelay: true, relay: 'toggle', whenOn: opens },
    rejection: busy,
  },
  advent_a302_connect: {
    summary: 'Advent A3-02 with CONN: answers for 2 s to say what state its input is in',
    way: 'rings',
    module: { reaction: 'answer', holdMs: 2000, firesRelay: true, pulseMs: 2000 },
    rejection: busy,
  },
  estom_as1: {
    summary: 'Estom AS1 GSM and its like: a free call, told by its caller ID; rejects (from memory)',
    way: 'rings',
    module: opens,
    rejection: { token: 'NO CARRIER', cause: 21 },
  },
} as const satisfies Record<string, FarEnd>
