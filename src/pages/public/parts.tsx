import arrowRight from '@lucide/icons/icons/arrow-right'
import type { ReactNode } from 'react'
import { BookLink } from '#accounts/web/book-now.tsx'
import { useFacts } from '#content/web/facts.tsx'
import { usePicture } from '#content/web/shown-pictures.ts'
import { whoTeaches } from '#facts/rules.ts'
import { Breadcrumb } from '#ui/breadcrumb.tsx'
import { Icon } from '#ui/icon.tsx'
import { Picture } from '#ui/picture.tsx'

/** On a wide screen a one-line title with the lede beside it, so that what follows is on the first screen. */
const SHORT =
  'xl:grid xl:grid-cols-[auto_minmax(0,1fr)] xl:items-end xl:gap-x-12 xl:pt-6 xl:pb-8 xl:[&>nav]:col-span-2 xl:[&>h1]:mt-4 xl:[&>h1]:max-w-none xl:[&>p]:text-body/relaxed'

type Intro = { crumb: string; title: ReactNode; lede?: ReactNode; isShort?: boolean }

export function PageIntro({ crumb, title, lede, isShort = false }: Intro) {
  return (
    <div className={`wrap pt-6 pb-[clamp(32px,4vw,64px)] lg:pt-10 ${isShort ? SHORT : ''}`}>
      <Breadcrumb items={[{ label: crumb }]} />
      <h1 className="display-page mt-6 max-w-[8.3em]">{title}</h1>
      {lede && <p className="lede mt-5 max-w-[29.3em]">{lede}</p>}
    </div>
  )
}

export function SectionHead({ title, children }: { title: ReactNode; children?: ReactNode }) {
  return (
    <div className="mb-[clamp(36px,4.4vw,68px)] flex flex-col items-start justify-between gap-5 lg:flex-row lg:items-end lg:gap-8">
      <h2 className="display-2 max-w-[7.4em]">{title}</h2>
      {children}
    </div>
  )
}

const Teaching = () =>
  `${whoTeaches(useFacts())} teaches every session, in a calm room where you can hear yourself breathe.`

const PHILOSOPHY = [
  {
    title: 'Personalisation',
    text: 'Every session is planned for the person on the carriage: your body, your history, the day you have had.',
  },
  {
    title: 'Tranquil expertise',
    text: <Teaching />,
  },
  {
    title: 'Affordable intimacy',
    text: 'Two people at most, at a price that lets you come every week. Passes bring it down further.',
  },
]

export function Philosophy({ title }: { title: ReactNode }) {
  return (
    <section className="wrap py-section">
      <SectionHead title={title} />
      <ol className="grid border-t border-line md:grid-cols-3 md:divide-x md:divide-line">
        {PHILOSOPHY.map((card, i) => (
          <li
            key={card.title}
            className="border-b border-line py-8 md:border-b-0 md:px-8 md:py-2 md:pt-9 md:first:pl-0 md:last:pr-0"
          >
            <p aria-hidden className="figure text-2xl text-sage">
              {i + 1}
            </p>
            <h3 className="display-3 mt-4">{card.title}</h3>
            <p className="mt-3 max-w-[23em] text-ink-soft">{card.text}</p>
          </li>
        ))}
      </ol>
    </section>
  )
}

export function ClosingBand({ title, children, action }: { title: ReactNode; children: ReactNode; action: ReactNode }) {
  const picture = usePicture('closing')
  return (
    <section className="wrap pb-section">
      <div className="relative grid min-h-[440px] items-start overflow-hidden rounded-card bg-sand md:items-center lg:min-h-[min(560px,76vw)]">
        <Picture
          of={picture}
          narrow={picture.narrow && { of: picture.narrow, media: '(max-width: 767.98px)', sizes: '100vw' }}
          alt={picture.isOwn ? picture.alt : ''}
          sizes="max(92vw, 1100px)"
          className="absolute inset-0 h-full w-full object-cover object-center"
        />
        <div className="absolute inset-0 bg-linear-to-b from-paper/93 from-0% via-paper/78 via-62% to-paper/0 to-94% md:bg-linear-to-r md:from-paper/92 md:via-paper/78 md:via-34% md:to-66%" />
        <div className="relative max-w-[760px] p-[clamp(28px,4vw,64px)]">
          <h2 className="display-2">{title}</h2>
          <p className="lede mt-4 max-w-[24.2em]">{children}</p>
          <div className="mt-7 flex flex-wrap gap-3">{action}</div>
        </div>
      </div>
    </section>
  )
}

export function BookAClass({ variant = 'primary' }: { variant?: 'primary' | 'secondary' | 'light' }) {
  return (
    <BookLink variant={variant}>
      Book a Class <Icon of={arrowRight} />
    </BookLink>
  )
}
