import { lazy, Suspense, useEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { User } from '#accounts/contract.ts'
import { MembersOnly } from '#accounts/web/members-only.tsx'
import { privateMeta } from '#content/seo.ts'
import type { MetaArguments } from '#content/site.ts'
import { readDraft } from '#health/web/draft.ts'
import { showSaved, useHealth } from '#health/web/health.ts'
import { HealthOverview } from '#health/web/overview.tsx'
import { creditsOf, usePasses } from '#passes/web/passes.ts'
import { YourData } from '#privacy/web/your-data.tsx'
import { Breadcrumb } from '#ui/breadcrumb.tsx'
import { usePreload } from '#ui/late.tsx'
import { ReadFailed } from '#ui/query-view.tsx'
import { PageSpinner, Spinner } from '#ui/spinner.tsx'
import { useResumeLinks } from '../resume/resume-card.tsx'

const loadWizard = () => import('#health/web/wizard.tsx')
const HealthWizard = lazy(loadWizard)

export const meta = (args: MetaArguments) =>
  privateMeta(args, 'Health Info', 'Your health questionnaire and emergency contact, which booking a class needs.')

export default function Health() {
  const health = useHealth()
  usePreload(loadWizard)
  return <MembersOnly>{(user) => <HealthPage user={user} health={health} />}</MembersOnly>
}

/** The state of a history entry: the overview, or a step of the form. */
type Shown = {
  step?: number
  /** The previous entry is the previous step, so Previous can go back. */
  afterPrevious?: boolean
  update?: boolean
}

/** Back to the class or pass that the member came for, if it is still available. A class needs a credit first. */
function nextAfterHealth(
  { visit, pass }: ReturnType<typeof useResumeLinks>,
  hasCredits: boolean,
): { to: string; label: string } {
  if (visit && !visit.isOver && !hasCredits && !pass) return { to: '/pricing', label: 'Choose a pass' }
  if (visit && !visit.isOver && hasCredits) return { to: visit.to, label: 'Continue your booking' }
  if (pass && !pass.isOver) return { to: pass.to, label: 'Continue to checkout' }
  return { to: '/booking', label: 'Book a Class' }
}

function HealthPage({ user, health }: { user: User; health: ReturnType<typeof useHealth> }) {
  const navigate = useNavigate()
  const shown: Shown = useLocation().state ?? {}
  const ways = useResumeLinks(user)
  // Needed only to choose the way back to a class.
  const passes = usePasses({ enabled: ways.visit !== undefined })
  const heading = useRef<HTMLHeadingElement>(null)
  const isShown = !health.isPending && !health.error
  useEffect(() => {
    if (isShown && showSaved()) heading.current?.focus({ preventScroll: true })
  }, [isShown])

  if (health.isPending) return <PageSpinner label="Loading your health information" />
  if (health.error) {
    return (
      <div className="grid min-h-[70vh] place-items-center">
        <ReadFailed
          page
          title="Your health information could not be loaded."
          error={health.error}
          onAgain={health.retry}
        />
      </div>
    )
  }
  const show = (state: Shown | null, replace = false) =>
    navigate('/health', { state, replace, preventScrollReset: true })
  const open = () => show({ step: readDraft(user.id)?.step ?? 0, update: health.isComplete })
  const overview = () => {
    scrollTo({ top: 0 })
    // The form's button that had the focus disappears.
    heading.current?.focus({ preventScroll: true })
    void show(null, true)
  }
  /** The overview, from the server; replacing the address alone would keep the step. */
  const reload = () => {
    history.replaceState(null, '')
    scrollTo({ top: 0 })
    location.reload()
  }
  const goTo = (step: number) => {
    if (step + 1 === shown.step && shown.afterPrevious) return navigate(-1)
    return show({ step, update: shown.update, afterPrevious: step - 1 === shown.step })
  }
  return (
    <div className="wrap pt-3 pb-section sm:pt-6 lg:pt-10">
      <Breadcrumb items={[{ label: 'Health Info' }]} />
      <h1
        ref={heading}
        tabIndex={-1}
        className="mt-2 font-serif text-[2.25rem]/[1.05] tracking-[-0.01em] sm:mt-5 sm:text-5xl"
      >
        Health information
      </h1>
      <p className="mt-2 mb-4 text-ink-soft sm:mb-8">
        Booking a class needs a completed questionnaire.{health.isComplete && ' Please keep yours up to date.'}
      </p>
      {shown.step === undefined ? (
        <>
          <HealthOverview
            questionnaire={health.questionnaire}
            contact={health.contact}
            isUnreadable={health.isUnreadable}
            next={nextAfterHealth(ways, passes.data === undefined || creditsOf(passes.data) > 0)}
            onOpen={open}
          />
          <YourData />
        </>
      ) : (
        <Suspense fallback={<Spinner label="Loading the questionnaire" />}>
          <HealthWizard
            userId={user.id}
            step={shown.step}
            onStep={goTo}
            questionnaire={health.questionnaire}
            contact={health.contact}
            update={shown.update ?? false}
            onSaved={reload}
            onLeave={overview}
          />
        </Suspense>
      )}
    </div>
  )
}
