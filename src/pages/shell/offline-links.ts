import { useEffect } from 'react'
import { toast } from '#ui/toast.ts'

/** Without a connection a link inside the site says so and leaves the page, and what was typed on it, as it is. */
export function useOfflineLinks(): void {
  useEffect(() => {
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null
      if (navigator.onLine || link?.origin !== location.origin || link.hash) return
      event.preventDefault()
      event.stopPropagation()
      toast({ title: 'You are offline', description: 'Please check your connection and try again.', tone: 'error' })
    }
    document.addEventListener('click', onClick, true)
    return () => document.removeEventListener('click', onClick, true)
  }, [])
}
