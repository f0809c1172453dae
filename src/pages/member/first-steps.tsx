import { ArchTick } from '#ui/arch-tick.tsx'
import { ArrowLink, ButtonLink } from '#ui/button.tsx'

/**
 * What comes before the first class, each with its state, for who never booked: a first booking needs the other two. The
 * next of them has the page's filled button.
 */
export function FirstSteps({ hasHealth, hasPass }: { hasHealth: boolean; hasPass: boolean }) {
  const steps = [
    { title: 'Health information', isDone: hasHealth, to: '/health', action: 'Tell us about your health' },
    { title: 'Class pass', isDone: hasPass, to: '/pricing', action: 'Choose a pass' },
    { title: 'First booking', isDone: false, to: '/booking', action: 'Choose a time' },
  ]
  const next = steps.findIndex(({ isDone }) => !isDone)
  return (
    <section aria-labelledby="first-steps" className="mt-8 rounded-card bg-linen px-5 py-5 sm:px-7">
      <h2 id="first-steps" className="text-[1.0625rem] font-medium">
        Three steps to your first class
      </h2>
      <ol className="mt-3 grid gap-x-8 sm:grid-cols-3">
        {steps.map(({ title, isDone, to, action }, i) => (
          <li key={title} className="grid grid-cols-[32px_minmax(0,1fr)] gap-x-3 border-t border-line py-3">
            {isDone ? (
              <ArchTick size={34} className="-ml-1 text-ok" />
            ) : (
              <span
                aria-hidden
                className="mt-0.5 grid h-7 w-6.5 place-items-center rounded-t-full border border-line-strong text-[0.9375rem] text-ink-soft"
              >
                {i + 1}
              </span>
            )}
            <div>
              <p className="flex flex-wrap justify-between gap-x-3">
                {title}{' '}
                <span className={`text-[0.9375rem] ${isDone ? 'text-ok' : 'text-ink-mute'}`}>
                  {isDone ? 'Done' : 'To do'}
                </span>
              </p>
              {i === next ? (
                <ButtonLink to={to} small className="mt-1.5">
                  {action}
                </ButtonLink>
              ) : (
                !isDone && <ArrowLink to={to}>{action}</ArrowLink>
              )}
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}
