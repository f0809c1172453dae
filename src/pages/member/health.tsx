import { lazy, Suspense, useState } from 'react'
import { MembersOnly } from '../../accounts/web/members-only.tsx'
import { privateMeta } from '../../content/seo.ts'
import { sentenceOf } from '../../foundation/call.ts'
import { useHealth } from '../../health/web/health.ts'
import { HealthOverview } from '../../health/web/overview.tsx'
import { Breadcrumb } from '../../ui/breadcrumb.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PageSpinner, Spinner } from '../../ui/spinner.tsx'

const HealthWizard = lazy(() => import('../../health/web/wizard.tsx'))

export const meta = () => privateMeta('Health Info')

export default function Health() {
  return <MembersOnly>{() => <HealthPage />}</MembersOnly>
}

function HealthPage() {
  const health = useHealth()
  const [open, setOpen] = useState(false)
  const [update, setUpdate] = useState(false)

  if (health.isPending) return <PageSpinner label="Loading your health information" />
  if (health.error) {
    return (
      <div className="grid min-h-[70vh] place-items-center">
        <EmptyState title={sentenceOf(health.error, 'Your health information could not be loaded.')}>
          <Button look="secondary" onClick={() => health.retry()}>
            Try again
          </Button>
        </EmptyState>
      </div>
    )
  }
  const show = (form: boolean) => {
    setUpdate(health.isComplete)
    setOpen(form)
    scrollTo({ top: 0 })
  }
  return (
    <div className="wrap max-w-[960px] pt-6 pb-section lg:pt-10">
      <Breadcrumb items={[{ label: 'Health Info' }]} />
      <h1 className="mt-5 font-serif text-[2.5rem]/[1.05] tracking-[-0.01em] sm:text-5xl">Health information</h1>
      <p className="mt-2 mb-8 text-ink-soft">Booking a class needs a completed questionnaire.</p>
      {open ? (
        <Suspense fallback={<Spinner label="Loading the questionnaire" />}>
          <HealthWizard
            questionnaire={health.questionnaire}
            contact={health.contact}
            update={update}
            onSaved={() => show(false)}
            onLeave={() => show(false)}
          />
        </Suspense>
      ) : (
        <HealthOverview questionnaire={health.questionnaire} contact={health.contact} onOpen={() => show(true)} />
      )}
    </div>
  )
}
