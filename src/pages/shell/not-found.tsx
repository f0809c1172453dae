import { Breadcrumb } from '#ui/breadcrumb.tsx'
import { ButtonLink } from '#ui/button.tsx'
import { CLASSES } from './site-links.ts'

export function NotFound() {
  return (
    <div className="wrap grid min-h-[70vh] items-center gap-10 py-16 lg:grid-cols-2">
      <div>
        <Breadcrumb items={[{ label: 'Not found' }]} />
        <p className="mt-6 text-small font-medium text-sage-deep">404</p>
        <h1 className="display-page mt-3">
          This page is <em>somewhere else</em>
        </h1>
        <p className="lede mt-5 max-w-[24.2em]">
          Page not found. It may have moved, or the address may have a small mistake in it.
        </p>
        <div className="mt-8 flex flex-wrap gap-3">
          <ButtonLink to="/">Back to Home</ButtonLink>
          <ButtonLink to={CLASSES} variant="secondary">
            See classes
          </ButtonLink>
        </div>
      </div>
      <svg viewBox="0 0 400 340" aria-hidden="true" className="mx-auto w-full max-w-[440px] text-ink">
        <g fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round">
          <path d="M70 310V160a130 130 0 0 1 260 0v150" />
          <path d="M115 310V170a85 85 0 0 1 170 0v140" />
          <path d="M160 310V180a40 40 0 0 1 80 0v130" />
          <path d="M240 310l-34-12V164" />
          <path d="M20 310h360" />
        </g>
      </svg>
    </div>
  )
}
