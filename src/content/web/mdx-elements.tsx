import type { ComponentProps } from 'react'
import { Link } from 'react-router'

/** MDX elements that are not plain HTML: internal links do not reload the page. */
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
