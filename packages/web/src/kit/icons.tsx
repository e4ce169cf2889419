// Every icon of the dashboard: Tabler's outlines, and our own gate and mark.

import {
  IconAlertCircle,
  IconAlertTriangle,
  IconAntenna,
  IconBell,
  IconCalendarEvent,
  IconCalendarOff,
  IconCheck,
  IconChevronDown,
  IconChevronLeft,
  IconChevronRight,
  IconChevronUp,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleDashedCheck,
  IconCircleX,
  IconClock,
  IconCopy,
  IconDots,
  IconDownload,
  IconEye,
  IconHandClick,
  IconHistory,
  IconHourglassEmpty,
  IconKey,
  IconLink,
  IconListDetails,
  IconLock,
  IconLogout,
  IconMail,
  IconMinus,
  IconMoon,
  IconPencil,
  IconPhoneCall,
  IconPhoneOff,
  IconPhoneOutgoing,
  IconPlugConnectedX,
  IconPlus,
  IconPower,
  IconPrinter,
  IconQrcode,
  IconSearch,
  IconSelector,
  IconSettings,
  IconShare,
  IconTrash,
  IconUpload,
  IconUser,
  IconUsers,
  IconWifiOff,
  IconWorld,
  IconX,
} from '@tabler/icons-react'

interface IconProps {
  /** Width and height, in pixels. */
  readonly size?: number
  /** On the grid of 24; otherwise by the size. */
  readonly stroke?: number
}

type Outline = typeof IconCheck

/** Tabler's stroke at our two sizes: 1.75, and 2 at 16 pixels. */
const outline = (Icon: Outline) =>
  function OutlineIcon({ size = 20, stroke = size <= 16 ? 2 : 1.75 }: IconProps) {
    return <Icon size={size} stroke={stroke} aria-hidden="true" />
  }

export const icons = {
  gate: GateIcon,
  add: outline(IconPlus),
  back: outline(IconChevronLeft),
  alert: outline(IconAlertTriangle),
  bell: outline(IconBell),
  calendar: outline(IconCalendarEvent),
  calendarOff: outline(IconCalendarOff),
  call: outline(IconPhoneCall),
  check: outline(IconCheck),
  clock: outline(IconClock),
  closed: outline(IconChevronDown),
  copy: outline(IconCopy),
  cross: outline(IconX),
  dial: outline(IconPhoneOutgoing),
  dots: outline(IconDots),
  edit: outline(IconPencil),
  error: outline(IconAlertCircle),
  export: outline(IconDownload),
  failed: outline(IconCircleX),
  find: outline(IconSearch),
  gateway: outline(IconAntenna),
  history: outline(IconHistory),
  import: outline(IconUpload),
  activity: outline(IconListDetails),
  key: outline(IconKey),
  language: outline(IconWorld),
  link: outline(IconLink),
  lock: outline(IconLock),
  look: outline(IconEye),
  mail: outline(IconMail),
  members: outline(IconUsers),
  minus: outline(IconMinus),
  next: outline(IconChevronRight),
  night: outline(IconMoon),
  noGateway: outline(IconPlugConnectedX),
  notCalled: outline(IconPhoneOff),
  off: outline(IconPower),
  offline: outline(IconWifiOff),
  opened: outline(IconCircleCheck),
  openedUp: outline(IconChevronUp),
  press: outline(IconHandClick),
  previous: outline(IconChevronLeft),
  print: outline(IconPrinter),
  probably: outline(IconCircleDashedCheck),
  qr: outline(IconQrcode),
  remove: outline(IconTrash),
  selector: outline(IconSelector),
  settings: outline(IconSettings),
  share: outline(IconShare),
  signOut: outline(IconLogout),
  user: outline(IconUser),
  uncalibrated: outline(IconCircleDashed),
  usedUp: outline(IconHourglassEmpty),
} as const

/** An open barrier. */
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
