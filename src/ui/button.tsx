import { ArrowRight, LoaderCircle } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { Link, type LinkProps } from 'react-router'

type Look = {
  look?: 'primary' | 'secondary' | 'light' | 'quiet' | 'danger'
  small?: boolean
}

/** The classes of a button, for the rare element that is neither of the two below. */
export function buttonClass({ look = 'primary', small }: Look, extra = ''): string {
  return `btn btn-${look} ${small ? 'btn-small' : ''} ${extra}`
}

/** `busy` keeps label and width, shows that work is under way and ignores further clicks. */
export function Button({
  look,
  small,
  busy = false,
  className,
  children,
  type = 'button',
  onClick,
  ...rest
}: ComponentProps<'button'> & Look & { busy?: boolean }) {
  return (
    <button
      {...rest}
      type={type}
      aria-busy={busy || undefined}
      onClick={(event) => (busy ? event.preventDefault() : onClick?.(event))}
      className={buttonClass({ look, small }, `relative ${className ?? ''}`)}
    >
      {busy && (
        <span className="absolute left-3 grid place-items-center">
          <LoaderCircle aria-hidden className="spin" strokeWidth={1.5} />
        </span>
      )}
      {children}
    </button>
  )
}

export function ButtonLink({ look, small, className, ...rest }: LinkProps & Look) {
  return <Link prefetch="intent" {...rest} className={buttonClass({ look, small }, className)} />
}

/** A text link with an arrow that moves. */
export function ArrowLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} prefetch="intent" className="link-arrow">
      {children} <ArrowRight aria-hidden strokeWidth={1.5} />
    </Link>
  )
}
