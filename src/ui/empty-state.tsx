import type { ReactNode } from 'react'
import { Mark } from './mark.tsx'

/** Nothing here yet: one line, and at most one thing to do about it. */
export function EmptyState({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="flex flex-col items-center gap-4 px-4 py-10 text-center">
      <Mark size={48} className="text-line-strong" />
      <p className="title">{title}</p>
      {children}
    </div>
  )
}
