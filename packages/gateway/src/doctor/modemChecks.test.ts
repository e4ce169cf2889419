import { describe, expect, it } from 'vitest'
import { modemChecks, type SeenModem } from './modemChecks.ts'

const good: SeenModem = {
  state: 'ready',
  trouble: null,
  model: 'SIM800L',
  firmware: '1418B04SIM800L24',
  lacks: [],
  operator: 'Net',
  registration: 'home',
  signalDbm: -71,
  voltageMv: 4_000,
  lowestInCallMv: 3_820,
}
const words = { hasPin: false, isDaemon: true }
const of = (seen: Partial<SeenModem>, name: string, said = words) =>
  modemChecks({ ...good, ...seen }, said).find(check => check.name === name)

describe('the checks of a modem', () => {
  it('are all ok for a working modem', () => {
    const checks = modemChecks(good, words)
    expect(checks.map(({ name }) => name)).toEqual([
      'modem',
      'SIM card',
      'PIN',
      'network',
      'operator',
      'signal',
      'voltage',
      'caller number',
    ])
    expect(checks.filter(({ state }) => state !== 'ok')).toEqual([])
  })

  it.each([
    ['modem', { state: 'lost', trouble: 'silent' }, 'fail', /No modem answers/],
    ['modem', { state: 'lost', trouble: 'port_busy' }, 'fail', /Another program/],
    ['modem', { state: 'starting', model: null }, 'fail', /not answered whole/],
    ['modem', { lacks: ['call_causes'] }, 'warn', /why a call ended/],
    ['SIM card', { state: 'sim_error', trouble: 'sim_missing' }, 'fail', /no SIM card/],
    ['SIM card', { state: 'sim_error', trouble: 'sim_puk' }, 'fail', /PUK/],
    ['PIN', { state: 'sim_error', trouble: 'pin_refused' }, 'fail', /refused/],
    ['PIN', { state: 'sim_error', trouble: 'pin_tries' }, 'fail', /too few tries/],
    ['PIN', { state: 'sim_error', trouble: 'sim_missing' }, 'unknown', /cannot be asked/],
    ['network', { state: 'no_network', registration: 'searching' }, 'fail', /looking for a network/],
    ['network', { state: 'no_network', registration: 'denied' }, 'fail', /turns the SIM card away/],
    ['network', { state: 'no_network', registration: 'none' }, 'fail', /in no network/],
    ['network', { registration: 'roaming' }, 'warn', /roaming/],
    ['network', { trouble: 'data_only', registration: 'none' }, 'fail', /data alone/],
    ['operator', { operator: null }, 'unknown', /yet/],
    ['signal', { signalDbm: null }, 'unknown', /yet/],
    ['signal', { signalDbm: -95 }, 'warn', /poor/],
    ['signal', { signalDbm: -105 }, 'fail', /too weak/],
    ['voltage', { voltageMv: 3_400 }, 'fail', /3\.40 V without a call is too low/],
    ['voltage', { voltageMv: 4_600 }, 'warn', /high/],
    ['voltage', { trouble: 'brownout' }, 'fail', /broke down in the last call/],
    ['voltage', { voltageMv: null }, 'unknown', /has not told it \(AT\+CBC\)/],
    ['voltage', {}, 'ok', /^4\.00 V without a call; lowest in the last call that was measured: 3\.82 V$/],
    ['voltage', { lowestInCallMv: 3_600 }, 'ok', /3\.60 V$/],
    ['voltage', { lowestInCallMv: 3_599 }, 'warn', /3\.60 V, with little to spare/],
    ['voltage', { lowestInCallMv: 3_500 }, 'warn', /3\.50 V, with little/],
    ['voltage', { lowestInCallMv: 3_499 }, 'fail', /measured: 3\.50 V, too low/],
    ['voltage', { voltageMv: 3_400, lowestInCallMv: 3_300 }, 'fail', /3\.40 V without a call is too low/],
    ['voltage', { lowestInCallMv: null }, 'ok', /known after the first one$/],
    ['voltage', { lowestInCallMv: null, model: 'A7670E' }, 'ok', /this model is not asked/],
    ['caller number', { trouble: 'caller_id_hidden' }, 'fail', /never shows the number/],
    ['caller number', { lacks: ['caller_id'] }, 'unknown', /does not tell/],
    ['messages', { trouble: 'messages_full' }, 'warn', /stores no more/],
  ] as const)('say of the %s with %j: %s', (name, seen, state, says) => {
    const found = of(seen, name)
    expect(found).toMatchObject({ state, says: expect.stringMatching(says) })
    if (state === 'fail' || state === 'warn') expect(found?.advice).toMatch(/\w{3}/)
  })

  it('leave a PIN to the daemon, and name what is missing where there is none', () => {
    const locked = { state: 'sim_error', trouble: 'pin_missing' } as const
    expect(of(locked, 'PIN', { hasPin: true, isDaemon: false })).toMatchObject({ state: 'unknown' })
    expect(of(locked, 'PIN', { hasPin: false, isDaemon: false })).toMatchObject({
      state: 'fail',
      advice: expect.stringContaining('simPin'),
    })
    expect(of(locked, 'network')).toMatchObject({ state: 'unknown' })
  })
})
