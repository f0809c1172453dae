import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { SIGNED_IN } from '#accounts/session-rules.ts'
import type { PublicFacts } from '#facts/contract.ts'
import { phoneLink } from '#facts/rules.ts'
import { studio } from '#studio.ts'
import { buttonClass } from '#ui/button.tsx'
import { Mark } from '#ui/mark.tsx'
import showNextClass from './show-next-class.ts?script'

/**
 * The HTML of the page that phones keep for when there is no connection. It is public and needs no other file.
 *
 * @param css the style sheet of all pages
 */
export function offlinePage(facts: PublicFacts, css: string): string {
  return `<!DOCTYPE html>${renderToStaticMarkup(<OfflinePage facts={facts} css={css} />)}`
}

function OfflinePage({ facts: { name, address, phone, visit }, css }: { facts: PublicFacts; css: string }) {
  return (
    <html lang="en-GB">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" content="#FBF8F3" />
        <title>{`No connection | ${name}`}</title>
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="manifest" href="/site.webmanifest" />
        <style>{css}</style>
      </head>
      <body>
        <header className="wrap flex h-[68px] items-center gap-3">
          <Mark />
          <span className="font-serif text-[min(1.625rem,8.2vw)]/none tracking-[-0.01em]">{name}</span>
        </header>
        <main className="wrap pt-6 pb-16 *:max-w-2xl">
          <h1 id="title" className="font-serif text-[2rem]/[1.05] tracking-[-0.01em] sm:text-5xl">
            You are offline
          </h1>
          <p id="words" className="mt-3 text-ink-soft">
            You can see everything else once you are back online.
          </p>
          <section id="next" aria-labelledby="next-class" hidden className="mt-6 rounded-card bg-sage-tint px-5 py-5">
            <h2 id="next-class" className="text-small text-ink-soft">
              Your next class
            </h2>
            <p id="class" className="title mt-1 wrap-anywhere" />
            <p id="day" className="mt-1" />
            <p id="time" className="figure mt-2 text-[2rem]" />
            <p id="saved" className="mt-2 text-caption text-ink-soft" />
          </section>
          <dl className="mt-6 border-t border-line">
            <Fact term="Address">
              {address.street}, {address.town}, {address.county}{' '}
              <span className="whitespace-nowrap">{address.postcode}</span>
            </Fact>
            <Fact term="Door">{visit.door}</Fact>
            <Fact term="Parking">{visit.parking}</Fact>
            <Fact term="Phone">
              <a className="link inline-flex min-h-11 items-center" href={phoneLink(phone)}>
                {phone}
              </a>
            </Fact>
          </dl>
          <button id="again" type="button" className={buttonClass({ variant: 'secondary' }, 'mt-6')}>
            Try again
          </button>
        </main>
        <script data-key={SIGNED_IN} data-time-zone={studio.timeZone}>
          {showNextClass}
        </script>
      </body>
    </html>
  )
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="border-b border-line py-4">
      <dt className="text-small text-ink-mute">{term}</dt>
      <dd className="mt-0.5 wrap-anywhere">{children}</dd>
    </div>
  )
}
