// The button: filled for the main action, outlined, soft, quiet, and danger for an action that ends something.

import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { Link } from 'wouter'
import './Button.css'

export type ButtonLook = 'filled' | 'outlined' | 'soft' | 'quiet' | 'danger'

interface Looks {
  readonly look?: ButtonLook
  /** 48 pixels high instead of 40. */
  readonly isBig?: boolean
  /** As wide as its container. */
  readonly isWide?: boolean
  readonly icon?: ReactNode
  readonly children?: ReactNode
}

const classOf = ({ isBig = false, isWide = false, look = 'outlined' }: Looks) =>
  ['button', `button-${look}`, isBig && 'button-big', isWide && 'button-wide'].filter(Boolean).join(' ')

interface ButtonProps extends Looks, Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'children'> {
  /** The text while it works, at the same width. Undefined: it does not work now. */
  readonly busy?: string | undefined
}

/** A button that does something. While it is busy a second press does nothing. */
export function Button({ busy, children, icon, isBig, isWide, look, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={classOf({ ...(look && { look }), ...(isBig && { isBig }), ...(isWide && { isWide }) })}
      aria-disabled={busy === undefined ? rest['aria-disabled'] : true}
      onClick={busy === undefined ? onClick : event => event.preventDefault()}
    >
      {icon}
      <span className="button-words">
        <span className={busy === undefined ? '' : 'button-hidden'}>{children}</span>
        {busy !== undefined && <span className="button-busy">{busy}</span>}
      </span>
    </button>
  )
}

/** A link to another page that looks like a button. */
export function ButtonLink({ children, href, icon, ...looks }: Looks & { readonly href: string }) {
  return (
    <Link href={href} className={classOf(looks)}>
      {icon}
      <span className="button-words">{children}</span>
    </Link>
  )
}

/** A link to another program of the device, such as `sms:`, that looks like a button. */
export function ButtonOut({ children, href, icon, ...looks }: Looks & { readonly href: string }) {
  return (
    <a href={href} className={classOf(looks)}>
      {icon}
      <span className="button-words">{children}</span>
    </a>
  )
}

/** A button that is only an icon; `label` describes its action. */
export function IconButton({
  children,
  label,
  ...rest
}: Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'aria-label'> & { readonly label: string }) {
  return (
    <button
      type="button"
      title={label}
      {...rest}
      className="button button-outlined button-icon"
      aria-label={label}
    >
      {children}
    </button>
  )
}
