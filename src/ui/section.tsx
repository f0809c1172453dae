import type { ReactNode } from 'react'

/** A titled section, which is also a landmark. */
export function Section({
  title,
  level: Heading = 'h2',
  gap = 'mb-4',
  className,
  children,
}: {
  title: string
  level?: 'h2' | 'h3'
  /** Classes of the title: the space below it. */
  gap?: string
  className?: string
  children: ReactNode
}) {
  return (
    <section aria-label={title} className={className}>
      <Heading className={`title ${gap}`}>{title}</Heading>
      {children}
    </section>
  )
}
