import type { ReactNode } from 'react'
import { ButtonLink } from '../../ui/button.tsx'
import { PageIntro } from './parts.tsx'

export type Clause = { title: string; text: ReactNode }

/** A legal page: its sections, numbered where the text counts them, and two ways on. */
export function LegalPage({
  title,
  clauses,
  numbered = false,
  book,
}: {
  title: string
  clauses: readonly Clause[]
  numbered?: boolean
  /** What the button to the booking page says; without it there are no buttons. */
  book?: string
}) {
  return (
    <>
      <PageIntro crumb={title} title={title} />
      <div className="wrap pb-section">
        <div className="prose [&>section:first-child>h2]:mt-0">
          {clauses.map((clause, i) => (
            <section key={clause.title}>
              <h2>
                {numbered && `${i + 1}. `}
                {clause.title}
              </h2>
              {typeof clause.text === 'string' ? <p>{clause.text}</p> : clause.text}
            </section>
          ))}
        </div>
        {book && (
          <div className="mt-14 flex flex-wrap gap-3">
            <ButtonLink to="/contact">Contact Us</ButtonLink>
            <ButtonLink to="/booking" look="secondary">
              {book}
            </ButtonLink>
          </div>
        )}
      </div>
    </>
  )
}
