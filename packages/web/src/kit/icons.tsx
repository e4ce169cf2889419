// Every icon of the dashboard: Tabler's outlines, and our own gate and mark.

import {
  IconAlertTriangle,
  IconCheck,
  IconDots,
  IconLogout,
  IconSelector,
  IconWifiOff,
  IconWorld,
} from '@tabler/icons-react'

/** Width and height, in pixels. */
interface IconProps {
  readonly size?: number
}

type Outline = typeof IconCheck

/** Tabler's stroke at our two sizes: 1.75, and 2 at 16 pixels. */
const outline = (Icon: Outline) =>
  function OutlineIcon({ size = 20 }: IconProps) {
    return <Icon size={size} stroke={size <= 16 ? 2 : 1.75} aria-hidden="true" />
  }

export const icons = {
  check: outline(IconCheck),
  language: outline(IconWorld),
  alert: outline(IconAlertTriangle),
  dots: outline(IconDots),
  offline: outline(IconWifiOff),
  selector: outline(IconSelector),
  signOut: outline(IconLogout),
  gate: GateIcon,
} as const

/** A barrier that stands open. */
function GateIcon({ size = 20 }: IconProps) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d="M3.5 20h5M6 20v-7.5M7.9 9.8L21 4.5M12.4 8l.9 2.1M17 6.1l.9 2.1" />
      <circle cx="6" cy="10.5" r="2" />
    </svg>
  )
}

/** The mark: a ring whose leaf stands open. */
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
