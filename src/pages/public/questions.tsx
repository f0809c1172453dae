import plus from '@lucide/icons/icons/plus'
import { Icon } from '#ui/icon.tsx'
import { SectionHead } from './parts.tsx'

export type Question = { question: string; answer: string }

/** Questions that open without script. Pass the same list to `faqPage` in the page's `meta` for search engines. */
export function Questions({ title, items }: { title: string; items: readonly Question[] }) {
  return (
    <section className="wrap py-section">
      <SectionHead title={title} />
      <div className="border-t border-line">
        {items.map(({ question, answer }) => (
          <details key={question} className="group border-b border-line">
            <summary className="flex min-h-16 cursor-pointer list-none items-center justify-between gap-6 py-5 [&::-webkit-details-marker]:hidden">
              <h3 className="title">{question}</h3>
              <Icon
                of={plus}
                aria-hidden
                size={20}
                strokeWidth={1.5}
                className="flex-none text-sage group-open:[&>path:last-child]:invisible"
              />
            </summary>
            <p className="max-w-[38.3em] pb-7 text-ink-soft">{answer}</p>
          </details>
        ))}
      </div>
    </section>
  )
}
