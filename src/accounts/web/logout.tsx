import type { ReactNode } from 'react'

/** Nothing of what was typed, chosen or begun stays in this browser. */
export function forgetVisit(): void {
  sessionStorage.clear()
  localStorage.clear()
}

/** A browser navigation, not a page: the server ends the session and leads home. What was typed and kept here goes too. */
export function LogoutLink({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <a href="/api/logout" className={className} onClick={forgetVisit}>
      {children}
    </a>
  )
}
