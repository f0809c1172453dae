import clock from '@lucide/icons/icons/clock'
import ticket from '@lucide/icons/icons/ticket'
import user from '@lucide/icons/icons/user'
import users from '@lucide/icons/icons/users'
import type { ReactNode } from 'react'
import { usePicture } from '#content/web/shown-pictures.ts'
import { formatPrice } from '#foundation/money.ts'
import { studio } from '#studio.ts'
import { ArrowLink } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { Picture } from '#ui/picture.tsx'
import type { PictureSource } from '#ui/picture-source.ts'
import { CLASSES } from '../shell/site-links.ts'
import { SectionHead } from './parts.tsx'
import { useSinglePrice } from './single-price.ts'

const { minutes, credit } = studio.session

export function HomeClassTypes() {
  return (
    <section className="bg-linen py-section">
      <div className="wrap">
        <SectionHead title="Two ways to practise">
          <p className="lede max-w-[25.5em]">Come on your own, or bring someone you like spending time with.</p>
        </SectionHead>
        <div className="grid gap-[clamp(20px,2.4vw,36px)] md:grid-cols-2">
          <TypeCard
            picture={usePicture('oneOnOne')}
            title="One-on-one"
            people={
              <>
                <Icon of={user} strokeWidth={2} /> 1 person
              </>
            }
            to={`${CLASSES}#one-on-one`}
          >
            The whole studio and your teacher’s full attention. Best for a first visit, for coming back after an injury,
            or simply to make progress.
          </TypeCard>
          <TypeCard
            picture={usePicture('duo')}
            title="Duo"
            people={
              <>
                <Icon of={users} strokeWidth={2} /> 2 people at most
              </>
            }
            to={`${CLASSES}#duo`}
          >
            Two reformers, side by side. Share the session with a partner or friend and still be taught as an
            individual.
          </TypeCard>
        </div>
        <div className="mt-[clamp(20px,2.4vw,36px)] flex flex-col gap-5 items-start rounded-card bg-paper p-[clamp(22px,2.4vw,36px)] shadow-rest md:flex-row md:items-center md:gap-10">
          <Icon of={ticket} size={32} strokeWidth={1.25} className="flex-none text-sage" />
          <div className="flex-1">
            <h3 className="display-3">Class pass packages</h3>
            <p className="mt-2 max-w-[38.3em] text-ink-soft">
              A pass holds several sessions at a lower price than one at a time. Every credit pays for any class on the
              calendar. {credit}
            </p>
          </div>
          <ArrowLink to="/pricing">See prices</ArrowLink>
        </div>
      </div>
    </section>
  )
}

function TypeCard(card: { picture: PictureSource; title: string; people: ReactNode; to: string; children: ReactNode }) {
  return (
    <article className="group rise flex flex-col overflow-hidden rounded-card bg-paper shadow-rest transition-shadow duration-400 ease-calm hover:shadow-lift">
      <div className="aspect-[4/3] overflow-hidden bg-sand">
        <Picture
          of={card.picture}
          sizes="(min-width: 768px) 46vw, 92vw"
          className="h-full w-full object-cover transition-transform duration-[1.1s] ease-calm group-hover:scale-[1.025]"
        />
      </div>
      <div className="flex flex-1 flex-col gap-3.5 p-[clamp(22px,2.4vw,36px)]">
        <h3 className="display-3">{card.title}</h3>
        <p className="text-ink-soft">{card.children}</p>
        <p className="flex flex-wrap gap-x-6 gap-y-2 text-small text-ink-soft [&_span]:inline-flex [&_span]:items-center [&_span]:gap-2 [&_svg]:size-[18px] [&_svg]:stroke-[1.5] [&_svg]:text-sage">
          <span>
            <Icon of={clock} strokeWidth={2} /> {minutes} minutes
          </span>
          <span>{card.people}</span>
        </p>
        <div className="mt-auto flex items-center justify-between gap-4 border-t border-line pt-[18px]">
          <p className="figure text-[1.75rem]/none">
            {formatPrice(useSinglePrice())} <span className="font-sans text-small text-ink-mute">per person</span>
          </p>
          <ArrowLink to={card.to}>
            View times<span className="sr-only">: {card.title}</span>
          </ArrowLink>
        </div>
      </div>
    </article>
  )
}
