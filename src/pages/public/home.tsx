import arrowRight from '@lucide/icons/icons/arrow-right'
import leaf from '@lucide/icons/icons/leaf'
import sprout from '@lucide/icons/icons/sprout'
import user from '@lucide/icons/icons/user'
import wind from '@lucide/icons/icons/wind'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type LoaderFunctionArgs, useLoaderData } from 'react-router'
import { useSession } from '#accounts/web/session.ts'
import { hourOfRoom } from '#content/hour-of-room.ts'
import { pageMeta } from '#content/seo.ts'
import type { MetaArguments } from '#content/site.ts'
import { exerciseGym } from '#content/structured-data.ts'
import { useFacts } from '#content/web/facts.tsx'
import { lightAt, type RoomLight, roomIn } from '#content/web/room-at-hour.ts'
import { pictureIn, usePicture } from '#content/web/shown-pictures.ts'
import { studio } from '#studio.ts'
import { nextFreePlace } from '#timetable/web/free-places.ts'
import { ArrowLink, Button, ButtonLink } from '#ui/button.tsx'
import italic from '#ui/fonts/instrument-serif-italic.woff2?url'
import { Icon } from '#ui/icon.tsx'
import { Mark } from '#ui/mark.tsx'
import { Picture } from '#ui/picture.tsx'
import { preloadPicture } from '#ui/picture-source.ts'
import { loadQueries } from '../shell/queries.tsx'
import { visitContext } from '../shell/visit.ts'
import { HomeClassTypes } from './home-class-types.tsx'
import { HERO, HomeHero } from './home-hero.tsx'
import { Philosophy } from './parts.tsx'
import { singlePrice } from './single-price.ts'

export const loader = async ({ context }: LoaderFunctionArgs) => {
  const { now } = context.get(visitContext)
  const page = await loadQueries((queries) =>
    Promise.all([queries.fetchQuery(nextFreePlace(now)), queries.fetchQuery(singlePrice)]),
  )
  return { ...page, light: lightAt(hourOfRoom(now, studio.timeZone)) }
}

/** The light that this tab rendered first: it must not change while the visitor looks. */
let seen: RoomLight | undefined
export const clientLoader = () => ({ light: seen })

export const meta = (args: MetaArguments) => [
  ...pageMeta(args, ({ address, instructor }) => ({
    title: `Reformer Pilates in ${address.town}`,
    description: `One-on-one and duo reformer Pilates with ${instructor.name} in ${address.town}, ${address.county}. ${studio.session.minutes} minutes, two people at most.`,
    path: '/',
    data: (site) => [exerciseGym(site)],
  })),
]

export const links = () => [
  { rel: 'preload', as: 'font', type: 'font/woff2', crossOrigin: 'anonymous', href: italic } as const,
]

export default function Home() {
  const queries = useQueryClient()
  const { light } = useLoaderData<{ light?: RoomLight }>()
  const hero = usePicture('hero')
  // The owner's picture is the same at every hour.
  const room = hero.isOwn ? { wide: hero, portrait: hero.narrow ?? hero } : roomIn(light)
  preloadPicture(room.wide, HERO.wide.sizes, HERO.wide.media)
  preloadPicture(room.portrait, HERO.narrow.sizes, HERO.narrow.media)
  const { user, isProbablySignedIn } = useSession()
  useEffect(() => {
    seen = light
  }, [light])
  useEffect(() => {
    if (isProbablySignedIn)
      void import('#booking/web/next-class-note.tsx').then((note) => note.prefetchUpcomingBookings(queries))
  }, [isProbablySignedIn, queries])
  return (
    <>
      <HomeHero user={user} room={room} />
      <HomeBenefits />
      <HomeCloseUp />
      <Philosophy title="What this studio is about" />
      <HomeClassTypes />
      <HomeGallery />
      <HomeNews />
      <HomeEvening />
    </>
  )
}

const BENEFITS = [
  {
    icon: sprout,
    title: 'Strength from the centre',
    text: 'Springs ask for steady, deep work, and never more than you choose.',
  },
  {
    icon: wind,
    title: 'Room to move',
    text: 'Long, supported movement for a body that sits too much.',
  },
  {
    icon: user,
    title: 'A plan that is yours',
    text: 'Each session starts with how you feel today and builds on the last.',
  },
  {
    icon: leaf,
    title: 'Time to yourself',
    text: 'A calm room, one teacher, at most one other person. Only breath and attention.',
  },
]

function HomeBenefits() {
  return (
    <section className="wrap grid items-start gap-[clamp(32px,7vw,120px)] py-section md:grid-cols-[minmax(0,5.2fr)_minmax(0,6fr)] lg:items-center">
      <div className="rise aspect-[4/5.1] overflow-hidden rounded-[50%_50%_22px_22px/39.2%_39.2%_22px_22px] bg-sand">
        <Picture of={usePicture('gallery4')} sizes="(min-width: 1376px) 560px, (min-width: 768px) 42vw, 92vw" />
      </div>
      <div>
        <h2 className="display-2">
          Slow, precise work that <em>stays with you</em>
        </h2>
        <ul className="mt-[clamp(28px,3.4vw,52px)]">
          {BENEFITS.map(({ icon, title, text }) => (
            <li
              key={title}
              className="grid grid-cols-[44px_1fr] gap-x-4 gap-y-1.5 border-t border-line py-6 last:border-b"
            >
              <Icon of={icon} size={24} className="mt-1 text-sage" />
              <h3 className="title">{title}</h3>
              <p className="col-start-2 text-ink-soft">{text}</p>
            </li>
          ))}
        </ul>
        <p className="mt-9">
          <ArrowLink to="/about">More about the studio</ArrowLink>
        </p>
      </div>
    </section>
  )
}

function HomeCloseUp() {
  const picture = usePicture('closeUp')
  return (
    <figure className="relative grid items-center bg-sand lg:min-h-[min(56.25vw,820px)]">
      <Picture
        of={picture}
        sizes="(min-width: 1024px) 100vw, (min-width: 640px) 134vw, 196vw"
        className="order-1 aspect-[4/4.4] w-full object-cover object-[44%] sm:aspect-[4/3] sm:object-[60%] lg:absolute lg:inset-0 lg:h-full lg:object-bottom"
      />
      {/* The left half of ours is a plain wall. */}
      {picture.isOwn && (
        <div className="absolute inset-0 hidden bg-linear-to-r from-paper/88 via-paper/72 via-45% to-paper/0 to-80% lg:block" />
      )}
      <figcaption className="wrap relative py-[clamp(36px,4.4vw,68px)]">
        <p className="display-2">
          A strap, a spring <em className="block">and your own breath.</em>
        </p>
      </figcaption>
    </figure>
  )
}

/** Members go on from /auth to their dashboard. */
function HomeEvening() {
  return (
    <section className="relative overflow-hidden bg-sage-dark text-linen">
      <div className="wrap relative py-section">
        <Mark className="absolute right-gutter bottom-0 h-auto w-[26vw] max-w-[440px] translate-y-[9%] text-sage md:w-[36vw] [&_path]:[vector-effect:non-scaling-stroke]" />
        <h2 className="display-1 relative max-w-[6.4em]">
          The rest of the day <em>can wait.</em>
        </h2>
        <ButtonLink to="/auth" variant="light" className="relative mt-9 focus-visible:outline-paper">
          Get Started Today <Icon of={arrowRight} />
        </ButtonLink>
      </div>
    </section>
  )
}

/** A plain form, which needs no script: its reply is a page. */
function HomeNews() {
  return (
    <section aria-labelledby="news" className="wrap pb-section">
      <form
        method="post"
        action="/api/newsletter/form"
        className="grid items-end gap-x-12 gap-y-5 border-t border-line pt-8 lg:grid-cols-[minmax(0,1fr)_minmax(0,26rem)]"
      >
        <div>
          <h2 id="news" className="display-3">
            News from the studio
          </h2>
          <p className="mt-2 max-w-[36em] text-ink-soft">
            New articles and changes to the timetable, by email. We do not write often, and you can unsubscribe at any
            time.
          </p>
        </div>
        <div className="flex flex-wrap items-end gap-3">
          <label className="min-w-0 flex-1 basis-48">
            <span className="mb-1.5 block text-small font-medium">Email</span>
            <input type="email" name="email" autoComplete="email" required maxLength={254} className="input w-full" />
          </label>
          <Button type="submit" variant="secondary">
            Subscribe
          </Button>
        </div>
      </form>
    </section>
  )
}

/** Side by side and equally high; the widths follow the pictures. */
const SHOWN = [
  { place: 'gallery5', width: 'flex-[4]' },
  { place: 'gallery7', width: 'flex-[2.8]' },
  { place: 'gallery2', width: 'flex-[4]' },
] as const

function HomeGallery() {
  const { pictures } = useFacts()
  return (
    <div className="wrap py-section">
      <div className="flex h-[clamp(110px,27vw,380px)] gap-[clamp(8px,1.4vw,20px)]">
        {SHOWN.map(({ place, width }) => (
          <div key={place} className={`overflow-hidden rounded-row bg-sand ${width}`}>
            <Picture of={pictureIn(place, pictures)} sizes="(min-width: 1376px) 490px, 36vw" />
          </div>
        ))}
      </div>
      <p className="mt-7">
        <ArrowLink to="/about#gallery">See the studio</ArrowLink>
      </p>
    </div>
  )
}
