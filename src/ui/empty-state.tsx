import type { ReactNode } from 'react'
import { Mark } from './mark.tsx'

/** Nothing here yet: one line, and at most one thing to do about it. `page`: the line is the whole page's heading. */
export function EmptyState({ title, page = false, children }: { title: string; page?: boolean; children?: ReactNode }) {
  const Title = page ? 'h1' : 'p'
  return (
    <div className="flex flex-col items-center gap-4 px-4 py-10 text-center">
      <Mark size={48} className="text-line-strong" />
      <Title className="title">{title}</Title>
      {children}
    </div>
  )
}
