import type { ComponentProps } from 'react'
import { Link } from 'react-router'

/** What articles and legal pages are made of, where it is not plain HTML: links inside the site do not reload it. */
export function useMDXComponents() {
  return { a: TextLink }
}

function TextLink({ href = '', children }: ComponentProps<'a'>) {
  if (href.startsWith('/')) return <Link to={href}>{children}</Link>
  return (
    <a href={href} rel={href.startsWith('http') ? 'noopener' : undefined}>
      {children}
    </a>
  )
}
