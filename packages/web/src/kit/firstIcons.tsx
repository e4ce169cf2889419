// The icons of the pages without a session, how every icon is drawn, and our mark.

import {
  IconAlertCircle,
  IconEye,
  IconEyeOff,
  IconSelector,
  IconWifiOff,
  IconWorld,
} from '@tabler/icons-react'

export interface IconProps {
  /** Width and height, in pixels. */
  readonly size?: number
  /** On the grid of 24; otherwise by the size. */
  readonly stroke?: number
}

type Outline = typeof IconEye

/** Tabler's stroke at our two sizes: 1.75, and 2 at 16 pixels. */
export const outline = (Icon: Outline) =>
  function OutlineIcon({ size = 20, stroke = size <= 16 ? 2 : 1.75 }: IconProps) {
    return <Icon size={size} stroke={stroke} aria-hidden="true" />
  }

export const firstIcons = {
  error: outline(IconAlertCircle),
  look: outline(IconEye),
  lookAway: outline(IconEyeOff),
  language: outline(IconWorld),
  offline: outline(IconWifiOff),
  selector: outline(IconSelector),
} as const

/** The mark: a ring with an open leaf. */
export function Mark({ size = 32 }: IconProps) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 32 32"
      fill="none"
      strokeWidth={4.2}
      strokeLinecap="round"
      aria-hidden="true"
    >
      <path stroke="var(--ink)" d="M21.9 23.5A10.8 10.8 0 1 1 21.6 9.4" />
      <path stroke="var(--call)" d="M21.9 23.5L29.2 11.6" />
    </svg>
  )
}
