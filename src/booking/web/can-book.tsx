import { CircleAlert, CircleCheck, LoaderCircle } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { useHealth } from '../../health/web/health.ts'

// What the dialogs of a class say of it, and of what booking it needs.

/** One of a class's facts with its label above. */
export function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-[0.875rem] text-ink-mute">{term}</dt>
      <dd className="text-[1.0625rem]/[1.35]">{children}</dd>
    </div>
  )
}

/** What would pay; `credits` is undefined until they are known. */
export function PaidWith({ credits }: { credits: number | undefined }) {
  if (credits === undefined) return '…'
  if (credits > 0) return `Your class pass (${credits} ${credits === 1 ? 'credit' : 'credits'} left)`
  return (
    <>
      No credits left.{' '}
      <Link className="link" to="/pricing" replace>
        Buy a pass
      </Link>
    </>
  )
}

/** The state of the health information, and the way to complete it. */
export function HealthLine({ health }: { health: ReturnType<typeof useHealth> }) {
  if (health.isPending) {
    return (
      <p role="status" className="mt-5 flex items-center gap-2.5 text-ink-mute">
        <LoaderCircle aria-hidden size={20} strokeWidth={1.5} className="spin" /> Checking your health information
      </p>
    )
  }
  if (health.isComplete) {
    return (
      <p className="mt-5 flex items-center gap-2.5 text-ok">
        <CircleCheck aria-hidden size={20} strokeWidth={1.5} /> Health information complete
      </p>
    )
  }
  return (
    <div className="mt-5 flex gap-2.5 rounded-row bg-warn-tint px-4 py-3 text-warn">
      <CircleAlert aria-hidden size={20} strokeWidth={1.5} className="mt-1 flex-none" />
      <p>
        Health information required.{' '}
        <Link className="font-medium underline underline-offset-4" to="/health" replace>
          Complete health questionnaire
        </Link>
      </p>
    </div>
  )
}
