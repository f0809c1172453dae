import { ButtonLink } from '../../ui/button.tsx'
import { CLASSES } from './site-links.ts'

/** An open door drawn in one line: the arches of the mark, and nobody behind them. */
export function NotFound() {
  return (
    <div className="wrap grid min-h-[70vh] items-center gap-10 py-16 lg:grid-cols-2">
      <div>
        <p className="text-[0.9375rem] font-medium text-sage-deep">404</p>
        <h1 className="display-page mt-3">
          This page is <em>somewhere else</em>
        </h1>
        <p className="lede mt-5 max-w-[38ch]">
          Page not found. It may have moved, or the address may have a small mistake in it.
        </p>
        <div className="mt-8 flex flex-wrap gap-3">
          <ButtonLink to="/">Back to Home</ButtonLink>
          <ButtonLink to={CLASSES} look="secondary">
            See classes
          </ButtonLink>
        </div>
      </div>
      <svg viewBox="0 0 400 340" aria-hidden="true" className="mx-auto w-full max-w-[440px] text-ink">
        <g fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round">
          <path d="M70 310V160a130 130 0 0 1 260 0v150" />
          <path d="M130 310V176a70 70 0 0 1 140 0v134" />
          <path d="M200 310l70-24V170" className="text-line-strong" stroke="currentColor" />
          <circle cx="214" cy="236" r="4" />
          <path d="M20 310h360" />
        </g>
      </svg>
    </div>
  )
}
