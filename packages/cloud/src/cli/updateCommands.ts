// The operator's commands on updates of gateways: what they do and print.

import { type GatewayUpdate, type UpdateHours, updateAppOperations } from '@callgate/contract/app/update'
import { updateHandlers } from '../update/updateHandlers.ts'
import { type CommandWork, refuse, type Said } from './commandWork.ts'
import { isRefused, operatorIn } from './operator.ts'

const { allowUpdate, disallowUpdate, listUpdates, setUpdateHours } = updateAppOperations

function textOf({ allowed, askedAt, canUpdate, last, offered, version }: GatewayUpdate): string {
  const rows: readonly (readonly [string, string])[] = [
    ['version', version ?? 'not heard yet'],
    ['offered', offered ? `${offered.version}${offered.notes === null ? '' : `: ${offered.notes}`}` : '-'],
    ['allowed', allowed ? `${allowed.version}, since ${allowed.at}` : '-'],
    ['asked', askedAt ?? '-'],
    [
      'last update',
      last ? `${last.version}, ${last.state}${last.why === null ? '' : `: ${last.why}`} (${last.at})` : '-',
    ],
    ...(canUpdate ? [] : [['note', 'its program takes no update from the cloud'] as const]),
  ]
  return rows.map(([name, value]) => `${name.padEnd(12)}  ${value}`).join('\n')
}

const sayHours = (hours: UpdateHours | null) =>
  hours
    ? `Gateways of this Space update themselves between ${hours.from} and ${hours.to}, by its clock.`
    : 'Gateways of this Space never update themselves: an owner allows each update.'

export const updateWork = {
  /** Shows what is known; with `--allow` or `--disallow` first changes what is allowed. */
  async gateway(parts, options): Promise<Said> {
    const operator = await operatorIn(parts, options)
    if (isRefused(operator)) return operator
    const does = updateHandlers(parts)
    const { allow: version, disallow, gateway: gatewayId = '' } = options
    if (version !== undefined && disallow) return refuse('Give --allow or --disallow, not both.')
    const params = { gatewayId }
    const changed =
      version !== undefined
        ? await operator.call(allowUpdate, does.allowUpdate, { params, body: { version } })
        : disallow
          ? await operator.call(disallowUpdate, does.disallowUpdate, { params })
          : undefined
    if (changed && !changed.ok) return changed
    const read = await operator.call(listUpdates, does.listUpdates, {})
    if (!read.ok) return read
    const update = read.body.updates.find(one => one.gatewayId === gatewayId)
    if (!update) return refuse('There is no gateway with this id; see "callgate gateway list".')
    return { ok: true, json: { update }, text: textOf(update) }
  },

  /** Shows or sets the hours of a Space. */
  async space(parts, options): Promise<Said> {
    const operator = await operatorIn(parts, options)
    if (isRefused(operator)) return operator
    const does = updateHandlers(parts)
    const { from, off, to } = options
    if (off && (from !== undefined || to !== undefined)) return refuse('Give --off, or --from and --to.')
    const isShown = !off && from === undefined && to === undefined
    const read = isShown
      ? await operator.call(listUpdates, does.listUpdates, {})
      : await operator.call(setUpdateHours, does.setUpdateHours, {
          body: { hours: off ? null : { from, to } },
        })
    if (!read.ok) return read
    const { hours } = read.body
    return { ok: true, json: { spaceId: operator.spaceId, hours }, text: sayHours(hours) }
  },
} satisfies Record<string, CommandWork>
