import arrowRight from '@lucide/icons/icons/arrow-right'
import clock from '@lucide/icons/icons/clock'
import mapPin from '@lucide/icons/icons/map-pin'
import ticket from '@lucide/icons/icons/ticket'
import users from '@lucide/icons/icons/users'
import { lazy, type ReactNode, Suspense } from 'react'
import { Link } from 'react-router'
import type { CurrentUser } from '#accounts/contract.ts'
import { BookLink } from '#accounts/web/book-now.tsx'
import { Postcode, useFacts } from '#content/web/facts.tsx'
import type { Room } from '#content/web/room-at-hour.ts'
import { whoTeaches } from '#facts/rules.ts'
import { formatDay } from '#foundation/dates.ts'
import { studio } from '#studio.ts'
import { bookingOf, type FreePlace, firstDayOf, useNextFreePlace } from '#timetable/web/free-places.ts'
import { ButtonLink, TextLink } from '#ui/button.tsx'
import { Icon, type IconData } from '#ui/icon.tsx'
import { Picture } from '#ui/picture.tsx'
import { CLASSES, CONTACT } from '../shell/site-links.ts'
import { BookAClass } from './parts.tsx'

const NextClass = lazy(() => import('#booking/web/next-class-note.tsx'))

/** The page preloads these with the same sizes, or a phone fetches two widths. */
export const HERO = {
  wide: { media: '(min-width: 640px)', sizes: '(min-width: 1520px) 1376px, 92vw' },
  narrow: { media: '(max-width: 639.98px)', sizes: 'calc(100vw - 24px)' },
}

type Line = { icon: IconData; title: string; text: ReactNode; to?: string }

const Where = () => {
  const { street, postcode } = useFacts().address
  return (
    <>
      {`${street}, `}
      <Postcode>{postcode}</Postcode>
    </>
  )
}

const visitorLines = (town: string): readonly Line[] => [
  { icon: users, title: 'Two people at most', text: 'You are always seen and guided' },
  { icon: clock, title: `${studio.session.minutes} unhurried minutes`, text: 'Planned around you each time' },
  {
    icon: mapPin,
    title: `In the heart of ${town}`,
    text: <Where />,
  },
]

const ACTIONS: readonly Line[] = [
  { icon: clock, title: 'See your bookings', text: 'Move or cancel one', to: '/dashboard' },
  { icon: ticket, title: 'Buy a class pass', text: 'From one session up', to: '/pricing' },
  { icon: mapPin, title: 'Plan your visit', text: <Where />, to: CONTACT },
]

const INTRODUCTION =
  'Reformer sessions for one or two people, in a quiet light-filled studio. Every session is planned around you.'

/** New members are not welcomed back. */
const NEW_MS = 24 * 60 * 60_000

const welcomeOf = ({ createdAt }: { createdAt: string }) =>
  Date.now() - Date.parse(createdAt) < NEW_MS
    ? 'Good to have you here. Your passes, your bookings and the health form are all on your dashboard.'
    : 'Good to have you back. Your bookings are close at hand, and the room is as quiet as you left it.'

/** The first screen. Members see a greeting and their next class; no size changes. */
export function HomeHero({
  user,
  room,
}: {
  user: Pick<CurrentUser, 'firstName' | 'createdAt'> | undefined
  room: Room
}) {
  const { address } = useFacts()
  const firstName = user && (user.firstName || 'there')
  return (
    <div className="wrap pt-[clamp(22px,3.4vw,56px)]">
      <div className="grid grid-cols-[minmax(0,1fr)] items-end gap-5 lg:grid-cols-[minmax(0,8fr)_minmax(340px,4fr)] lg:gap-[clamp(24px,4vw,72px)]">
        <h1 className="display-1 min-h-[1.92em] content-end">
          {firstName ? (
            <>
              Hello,{' '}
              <em
                className="-mb-[0.2em] block line-clamp-2 pb-[0.2em] wrap-anywhere"
                style={{ fontSize: `${Math.max(0.5, Math.min(1, 12 / firstName.length))}em` }}
              >
                {firstName}.
              </em>
            </>
          ) : (
            <>
              Pilates, with room <em>to breathe.</em>
            </>
          )}
        </h1>
        <div>
          <p className="lede max-w-[21.7em]">{user ? welcomeOf(user) : INTRODUCTION}</p>
          <div className="mt-[26px] flex flex-wrap gap-3 [&>*]:max-sm:flex-1 [&>*]:max-sm:px-3 [&>*]:max-sm:whitespace-nowrap">
            <BookAClass />
            {firstName ? (
              <ButtonLink to="/dashboard" variant="secondary">
                Dashboard
              </ButtonLink>
            ) : (
              <ButtonLink to="/pricing" variant="secondary">
                See prices
              </ButtonLink>
            )}
          </div>
        </div>
      </div>
      <figure className="relative mt-[clamp(32px,4vw,60px)] max-sm:-mx-[calc(var(--spacing-gutter)-12px)]">
        <div className="aspect-[4/4.1] overflow-hidden rounded-card bg-sand sm:aspect-[16/8.4]">
          <Picture
            of={room.wide}
            narrow={{ of: room.portrait, ...HERO.narrow }}
            eager
            sizes={HERO.wide.sizes}
            className="h-full w-full object-cover object-[50%_70%] sm:object-[50%_62%]"
          />
        </div>
        <div className="relative mx-4 -mt-16 min-h-[134px] rounded-row bg-paper/96 px-5 py-4 shadow-lift sm:absolute sm:bottom-[clamp(16px,2.4vw,36px)] sm:left-[clamp(16px,2.4vw,36px)] sm:m-0 sm:min-h-[142px] sm:w-[360px] sm:px-[22px] sm:py-5">
          {firstName ? (
            <Suspense>
              <NextClass />
            </Suspense>
          ) : (
            <VisitorNote />
          )}
        </div>
      </figure>
      <ul className="grid gap-4 border-b border-line py-[clamp(28px,3vw,44px)] sm:grid-cols-3 sm:gap-6">
        {(firstName ? ACTIONS : visitorLines(address.town)).map(({ icon, title, text, to }) => (
          <li key={title} className="flex items-start gap-3.5 text-base/even text-ink-soft">
            <Icon of={icon} size={20} className="mt-0.5 flex-none text-sage" />
            <span>
              <b className="block font-medium text-ink">{to ? <TextLink to={to}>{title}</TextLink> : title}</b>
              {text}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}

function VisitorNote() {
  const free = useNextFreePlace()
  const facts = useFacts()
  if (free?.place) return <NextFreePlace free={free.place} />
  const from = firstDayOf(facts)
  const opening = from ? ['Classes start', formatDay(from)] : ['Calendar', 'Opens soon']
  const [term, text] = free?.next === null ? opening : ['Every session', whoTeaches(facts)]
  return (
    <>
      <p className="text-fine text-ink-mute">{term}</p>
      <p className="figure mt-0.5 text-[1.625rem]/[1.15]">{text}</p>
      <Link
        to={`${CLASSES}#timetable`}
        className="mt-3 flex min-h-6 items-center justify-between border-t border-line pt-3 text-small font-medium"
      >
        See the weekly timetable <Icon of={arrowRight} size={20} />
      </Link>
    </>
  )
}

function NextFreePlace({ free }: { free: FreePlace }) {
  const keep = () =>
    void import('../resume/resumable.ts').then(({ keepDay }) => keepDay({ date: free.date, classId: free.id }))
  return (
    <>
      <p className="text-fine text-ink-mute">Next free place</p>
      <p className="figure mt-0.5 text-[1.625rem]/[1.15]">
        {formatDay(free.date)}, <span className="whitespace-nowrap">{free.startTime}</span>
      </p>
      <BookLink
        to={bookingOf(free)}
        kept={`${formatDay(free.date)}, ${free.startTime}`}
        onFollow={keep}
        variant="text"
        className="mt-3 flex min-h-6 items-center justify-between border-t border-line pt-3 text-small font-medium"
      >
        Book this place <Icon of={arrowRight} size={20} />
      </BookLink>
    </>
  )
}
