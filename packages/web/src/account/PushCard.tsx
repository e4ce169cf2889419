// Pushes: what this browser gets notifications about, and the other devices of the user that do.

import type { AppAnswerOf } from '@callgate/contract/app/appOperations'
import { useCallback, useEffect, useState } from 'react'
import type { Failure } from '../client/client.ts'
import {
  keepPushId,
  offerHomeScreen,
  ownPushId,
  pushAbility,
  subscribe,
  unsubscribe,
} from '../client/push.ts'
import { useChange, useRead } from '../client/reading.tsx'
import { useConfirmation } from '../confirm/useConfirmation.tsx'
import { useSending } from '../confirm/useSending.ts'
import { Banner } from '../kit/Banner.tsx'
import { Button } from '../kit/Button.tsx'
import { Card } from '../kit/Card.tsx'
import { NotRead, Skeleton } from '../kit/states.tsx'
import { Trouble } from '../kit/Trouble.tsx'
import { AlertSwitch } from '../settings/AlertSwitch.tsx'
import { shortDate } from '../words/time.ts'
import { sayFailure, useAccountReader } from './accountWords.ts'
import { pushTexts } from './pushTexts.ts'

type Push = AppAnswerOf<'getPush'>['body']
type Device = Push['devices'][number]
type Switch = 'alerts' | 'openings'

/** The id of this browser. `undefined` until it is known, null where it is not subscribed. */
function useOwnId() {
  const [id, setId] = useState<string | null>()
  const readAgain = useCallback(() => ownPushId().then(found => setId(found ?? null)), [])
  useEffect(() => {
    void readAgain()
  }, [readAgain])
  return { id, readAgain }
}

/** Switches what this browser is notified of; the first one subscribes it. */
function useSwitch(push: Push, device: Device | undefined, readAgain: () => Promise<void>) {
  const { words } = useAccountReader()
  const add = useChange('addPushDevice')
  const update = useChange('updatePushDevice')
  const { confirmed, dialog } = useConfirmation()
  const refused = { ok: false, code: 'push_refused', message: pushTexts(words).refused, extra: {} } as const
  async function change(name: Switch, isOn: boolean): Promise<Failure | undefined> {
    if (device) {
      const result = await update({ params: { deviceId: device.id }, body: { [name]: isOn } })
      return result.ok ? undefined : result
    }
    const subscription = await subscribe(push.publicKey)
    if (!subscription) return refused
    const body = { ...subscription, alerts: false, openings: false, [name]: isOn }
    const result = await confirmed(() => add({ body }))
    if (result?.ok) keepPushId(result.body.device.id)
    else unsubscribe()
    await readAgain()
    return result && !result.ok ? result : undefined
  }
  return { change, dialog }
}

function OwnSwitches(props: {
  readonly push: Push
  readonly device: Device | undefined
  readonly readAgain: () => Promise<void>
}) {
  const { device, push, readAgain } = props
  const says = pushTexts(useAccountReader().words)
  const { change, dialog } = useSwitch(push, device, readAgain)
  const shown = {
    alerts: [says.alerts, says.alertsWhy],
    openings: [says.openings, says.openingsWhy],
  } as const
  return (
    <>
      {(['alerts', 'openings'] as const).map(name => (
        <AlertSwitch
          key={name}
          label={shown[name][0]}
          description={shown[name][1]}
          isOn={device?.[name] ?? false}
          change={isOn => change(name, isOn)}
        />
      ))}
      {dialog}
    </>
  )
}

function OtherDevices({ devices }: { readonly devices: readonly Device[] }) {
  const { times, words } = useAccountReader()
  const says = pushTexts(words)
  const remove = useChange('removePushDevice')
  const { failure, isBusy, send } = useSending()
  const getsOf = ({ alerts, openings }: Device) =>
    says.gets[alerts ? (openings ? 'both' : 'alerts') : openings ? 'openings' : 'none']
  return (
    <>
      <h3 className="account-devices">{says.devices}</h3>
      <Trouble form={{ failure }} title={says.notRemoved} sayFailure={of => sayFailure(of, words)} />
      <ul className="account-rows" aria-label={says.devices}>
        {devices.map(device => (
          <li key={device.id}>
            <span className="account-row-names">
              <b>{says.device(device.browser)}</b>
              <span className="small quiet">
                {getsOf(device)} · {says.added(shortDate(device.createdAt, times))}
              </span>
            </span>
            <Button
              aria-label={says.removeOf(says.device(device.browser))}
              busy={isBusy ? says.remove : undefined}
              onClick={() => void send(() => remove({ params: { deviceId: device.id } }))}
            >
              {says.remove}
            </Button>
          </li>
        ))}
      </ul>
    </>
  )
}

export function PushCard() {
  const says = pushTexts(useAccountReader().words)
  const read = useRead('getPush', {})
  const ability = pushAbility()
  const { id, readAgain } = useOwnId()
  useEffect(() => {
    if (ability === 'add_to_home') offerHomeScreen()
  }, [ability])
  const push = read.value
  const isShown = push && id !== undefined
  const others = push?.devices.filter(device => device.id !== id) ?? []
  return (
    <Card title={says.title}>
      <p className="quiet">{says.says}</p>
      {ability !== 'can' && <Banner tone="look">{says.cannot[ability]}</Banner>}
      <NotRead what={says.what} of={read} />
      {!isShown && !read.failure && <Skeleton bars={[56, 57]} />}
      {isShown && ability === 'can' && (
        <OwnSwitches
          push={push}
          device={push.devices.find(device => device.id === id)}
          readAgain={readAgain}
        />
      )}
      {isShown && others.length > 0 && <OtherDevices devices={others} />}
    </Card>
  )
}
