import type { ReactNode } from 'react'

/** A browser navigation, not a page: the server ends the session and leads home. What was typed and kept here goes too. */
export function LogoutLink({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <a href="/api/logout" className={className} onClick={() => sessionStorage.clear()}>
      {children}
    </a>
  )
}
