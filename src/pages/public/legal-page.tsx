import pages from 'virtual:legal-pages'
import { Outlet, useLocation } from 'react-router'
import { pageMeta } from '#content/seo.ts'
import type { MetaArguments } from '#content/site.ts'
import { formatLongDate } from '#foundation/dates.ts'
import { ButtonLink } from '#ui/button.tsx'
import { PageIntro } from './parts.tsx'

export const meta = (args: MetaArguments & { location: { pathname: string } }) => {
  const page = legalPageAt(args.location.pathname)
  return page && pageMeta(args, { ...page, path: `/${page.slug}` })
}

/** The layout of a file in `content/legal`, with up to two links. */
export default function LegalPage() {
  const page = legalPageAt(useLocation().pathname)
  if (!page) return <Outlet />
  return (
    <>
      <PageIntro
        crumb={page.title}
        title={page.title}
        lede={`In force since ${formatLongDate(page.since).replace(/^\S+ /, '')}`}
      />
      <div className="wrap grid gap-x-24 pb-section lg:grid-cols-[minmax(0,4fr)_minmax(0,7fr)]">
        <nav
          aria-labelledby="on-this-page"
          className="mb-12 self-start border-y border-line py-6 lg:sticky lg:top-32 lg:mb-0 lg:max-w-[22em] print:hidden"
        >
          <h2 id="on-this-page" className="mb-2 text-small text-ink-mute">
            On this page
          </h2>
          <ol className="grid text-base text-ink-soft sm:max-lg:grid-cols-2 sm:max-lg:gap-x-8">
            {page.sections.map(({ id, title }) => (
              <li key={id}>
                <a href={`#${id}`} className="inline-block py-1.5 underline-offset-4 hover:text-ink hover:underline">
                  {title}
                </a>
              </li>
            ))}
          </ol>
        </nav>
        <div>
          <div className="prose">
            <Outlet />
          </div>
          {page.book && (
            <div className="mt-14 flex flex-wrap gap-3 print:hidden">
              <ButtonLink to="/contact">Contact Us</ButtonLink>
              <ButtonLink to="/booking" variant="secondary">
                {page.book}
              </ButtonLink>
            </div>
          )}
        </div>
      </div>
    </>
  )
}

/** The legal page at a path. */
function legalPageAt(pathname: string) {
  return pages.find(({ slug }) => pathname === `/${slug}`)
}
