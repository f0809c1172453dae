import arrowRight from '@lucide/icons/icons/arrow-right'
import type { ComponentProps, ReactNode } from 'react'
import { Link, type LinkProps } from 'react-router'
import { Icon } from './icon.tsx'
import { Mark } from './mark.tsx'

type ButtonStyle = {
  variant?: 'primary' | 'secondary' | 'light' | 'quiet' | 'danger'
  small?: boolean
}

/** The classes of a button, for elements that are neither `Button` nor `ButtonLink`. */
export function buttonClass({ variant = 'primary', small }: ButtonStyle, extra = ''): string {
  return `btn btn-${variant} ${small ? 'btn-small' : ''} ${extra}`
}

type Busy = {
  busy?: boolean | undefined
  /** What a click starts, a mutation without arguments; busy while it runs. */
  runs?: { isPending: boolean; mutate: () => void }
}

/** `busy` keeps the label and width, shows progress and ignores clicks. */
export function Button({
  variant,
  small,
  runs,
  busy = runs?.isPending ?? false,
  className,
  children,
  type = 'button',
  onClick = () => runs?.mutate(),
  ...rest
}: ComponentProps<'button'> & ButtonStyle & Busy) {
  return (
    <button
      {...rest}
      type={type}
      aria-busy={busy || undefined}
      onClick={(event) => (busy ? event.preventDefault() : onClick(event))}
      className={buttonClass({ variant, small }, `relative ${className ?? ''}`)}
    >
      {busy && (
        <span className="absolute left-3 grid place-items-center">
          <Mark className="mark-drawing" />
        </span>
      )}
      {children}
    </button>
  )
}

export function ButtonLink({ variant, small, className, ...rest }: LinkProps & ButtonStyle) {
  return <Link prefetch="intent" {...rest} className={buttonClass({ variant, small }, className)} />
}

/** A link within a sentence. */
export function TextLink(props: LinkProps) {
  return <Link {...props} className="link" />
}

/** A link on a line of its own, as high as a touch target. */
export function LineLink({ className = '', ...rest }: LinkProps) {
  return <Link {...rest} className={`link inline-flex min-h-11 items-center ${className}`} />
}

export function ArrowLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} prefetch="intent" className="link-arrow">
      {children} <Icon of={arrowRight} />
    </Link>
  )
}
