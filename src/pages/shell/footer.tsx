import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { BookLink } from '#accounts/web/book-now.tsx'
import { EmailLink, PhoneLink, Postcode, useFacts } from '#content/web/facts.tsx'
import { legalLines } from '#facts/rules.ts'
import { Mark } from '#ui/mark.tsx'
import { CLASSES, FOOTER_LINKS, LEGAL_LINKS } from './site-links.ts'
import { useHasVisualisations } from './visualisations.ts'

const SERVICES = [
  { to: `${CLASSES}#one-on-one`, label: 'One-on-one sessions' },
  { to: `${CLASSES}#duo`, label: 'Duo sessions' },
  { to: '/pricing', label: 'Class pass packages' },
]

const link = 'inline-block py-1.5 max-sm:py-2.5 text-ink-soft underline-offset-4 hover:text-ink hover:underline'

export function Footer() {
  const { name, address, social, legal } = useFacts()
  return (
    <footer className="mt-auto border-t border-line bg-paper pt-[clamp(56px,7vw,96px)] pb-9 text-base">
      <div className="wrap">
        <div className="grid grid-cols-2 gap-x-8 gap-y-12 sm:grid-cols-3 lg:grid-cols-[2fr_1fr_1.2fr_1.4fr]">
          <div className="col-span-2 sm:col-span-3 lg:col-span-1">
            <Link to="/" className="inline-flex items-center gap-3 lg:-mt-2.5">
              <Mark />
              <span className="font-serif text-[1.625rem]/none tracking-[-0.01em]">{name}</span>
            </Link>
            <p className="mt-4 max-w-[19.1em] text-ink-soft">
              One-on-one and duo reformer Pilates in {address.town}, {address.county}.
            </p>
            {social && (
              <a href={social.url} rel="noopener" target="_blank" className={`${link} mt-3`}>
                {social.name}
              </a>
            )}
          </div>
          <Column title="Explore">
            {FOOTER_LINKS.map(({ to, label }) => (
              <li key={to}>
                <Link to={to} className={link}>
                  {label}
                </Link>
              </li>
            ))}
            <li>
              <BookLink variant="text" className={link}>
                Book Now
              </BookLink>
            </li>
          </Column>
          <Column title="Services">
            {SERVICES.map(({ to, label }) => (
              <li key={label}>
                <Link to={to} className={link}>
                  {label}
                </Link>
              </li>
            ))}
          </Column>
          <Column title="Visit" wide>
            <li className="text-ink-soft">
              <span className="block py-1.5">{address.street}</span>
              <span className="block py-1.5">
                {address.town} <Postcode>{address.postcode}</Postcode>
              </span>
            </li>
            <li>
              <PhoneLink className={link} />
            </li>
            <li>
              <EmailLink className={`${link} wrap-anywhere`} />
            </li>
          </Column>
        </div>
        <div className="mt-14 flex flex-col gap-3 border-t border-line pt-6 text-caption text-ink-mute sm:flex-row sm:items-baseline sm:justify-between">
          <p className="flex flex-wrap gap-x-6">
            © 2024 {name} {useHasVisualisations() && <span>Pictures are visualisations.</span>}
            {legalLines({ name, legal }).map((line) => (
              <span key={line}>{line}</span>
            ))}
          </p>
          <ul className="flex flex-wrap gap-x-6 gap-y-1">
            {LEGAL_LINKS.map(({ to, label }) => (
              <li key={to}>
                <Link
                  to={to}
                  className="inline-block py-1 max-sm:py-2.5 underline-offset-4 hover:text-ink hover:underline"
                >
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      </div>
    </footer>
  )
}

function Column({ title, wide = false, children }: { title: string; wide?: boolean; children: ReactNode }) {
  return (
    <div className={wide ? 'col-span-2 sm:col-span-1' : ''}>
      <h2 className="mb-2.5 text-small font-medium">{title}</h2>
      <ul>{children}</ul>
    </div>
  )
}
