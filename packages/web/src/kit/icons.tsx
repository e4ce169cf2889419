// Every icon of the dashboard: Tabler's outlines, and our own gate.

import {
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
  IconPin,
  IconPlugConnectedX,
  IconPlus,
  IconPower,
  IconPrinter,
  IconQrcode,
  IconSearch,
  IconSettings,
  IconShare,
  IconTrash,
  IconUpload,
  IconUser,
  IconUsers,
  IconX,
} from '@tabler/icons-react'
import { firstIcons, type IconProps, outline } from './firstIcons.tsx'

export const icons = {
  ...firstIcons,
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
  export: outline(IconDownload),
  failed: outline(IconCircleX),
  find: outline(IconSearch),
  gateway: outline(IconAntenna),
  history: outline(IconHistory),
  import: outline(IconUpload),
  activity: outline(IconListDetails),
  key: outline(IconKey),
  link: outline(IconLink),
  lock: outline(IconLock),
  mail: outline(IconMail),
  members: outline(IconUsers),
  minus: outline(IconMinus),
  next: outline(IconChevronRight),
  night: outline(IconMoon),
  noGateway: outline(IconPlugConnectedX),
  notCalled: outline(IconPhoneOff),
  off: outline(IconPower),
  opened: outline(IconCircleCheck),
  openedUp: outline(IconChevronUp),
  pin: outline(IconPin),
  press: outline(IconHandClick),
  previous: outline(IconChevronLeft),
  print: outline(IconPrinter),
  probably: outline(IconCircleDashedCheck),
  qr: outline(IconQrcode),
  remove: outline(IconTrash),
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
