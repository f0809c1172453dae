import type { ComponentType, ReactNode } from 'react'

/** The page's own frame around what a mailed link leads to. */
export type MailFrame = ComponentType<{ title: string; lede: string; heard?: boolean; children: ReactNode }>

/** Instead of what a mailed link promised, once it is used up or too old: why, and the ways on. */
export function DeadLink({ frame: Frame, why, children }: { frame: MailFrame; why: ReactNode; children: ReactNode }) {
  return (
    <Frame title="This link no longer works" lede="The links in our emails work once, and for a limited time.">
      <div role="alert" className="grid gap-5 rounded-row bg-linen px-6 py-6">
        <p>{why}</p>
        {children}
      </div>
    </Frame>
  )
}
