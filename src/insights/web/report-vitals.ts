import { onCLS, onINP, onLCP } from 'web-vitals'
import type { VitalsReport } from '../contract-vitals.ts'

/** Reports how fast this page was, once, when the visitor leaves or hides it. Without ids and cookies. */
export function reportVitals(page: string): void {
  const metrics = new Map<string, number>()
  const keep = ({ name, value }: { name: string; value: number }) => void metrics.set(name, value)
  onLCP(keep)
  onINP(keep)
  onCLS(keep)
  addEventListener(
    'visibilitychange',
    () => {
      if (document.visibilityState !== 'hidden' || !metrics.has('LCP')) return
      const report = { page, metrics: [...metrics].map(([name, value]) => ({ name, value })) }
      navigator.sendBeacon(
        '/api/vitals',
        new Blob([JSON.stringify(report satisfies Loose)], { type: 'application/json' }),
      )
      metrics.clear()
    },
    { capture: true },
  )
}

/** The library names its metrics as strings. */
type Loose = { page: string; metrics: { name: string; value: VitalsReport['metrics'][number]['value'] }[] }
