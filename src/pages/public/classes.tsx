import type { ReactNode } from 'react'
import { Link, type LoaderFunctionArgs } from 'react-router'
import { BookLink } from '#accounts/web/book-now.tsx'
import { pageMeta } from '#content/seo.ts'
import type { MetaArguments } from '#content/site.ts'
import { classEvent, faqPage, service } from '#content/structured-data.ts'
import { Address, useFacts } from '#content/web/facts.tsx'
import { usePicture } from '#content/web/shown-pictures.ts'
import { whoTeaches } from '#facts/rules.ts'
import { formatDay } from '#foundation/dates.ts'
import { formatPrice } from '#foundation/money.ts'
import { studio } from '#studio.ts'
import { timetableApi } from '#timetable/web/api.ts'
import {
  bookingOf,
  emptyCalendar,
  type FreePlace,
  freePlacesThisWeek,
  useFreePlacesThisWeek,
} from '#timetable/web/free-places.ts'
import { ClosedDays, isInTimetable, WeeklyTimetable } from '#timetable/web/weekly-timetable.tsx'
import { ButtonLink, TextLink } from '#ui/button.tsx'
import { Picture } from '#ui/picture.tsx'
import { type PictureSource, preloadPicture } from '#ui/picture-source.ts'
import { Section } from '#ui/section.tsx'
import { loadedData, loadQueries } from '../shell/queries.tsx'
import { CLASSES } from '../shell/site-links.ts'
import { visitContext } from '../shell/visit.ts'
import { BookAClass, ClosingBand, PageIntro } from './parts.tsx'
import { Questions } from './questions.tsx'
import { classQuestions } from './questions-classes.ts'
import { singlePrice, useSinglePrice } from './single-price.ts'

const { minutes } = studio.session

const HALF = '(min-width: 1376px) 600px, (min-width: 768px) 44vw, 92vw'

export const loader = ({ context }: LoaderFunctionArgs) =>
  loadQueries((queries) =>
    Promise.all([
      queries.fetchQuery(freePlacesThisWeek(context.get(visitContext).now)),
      queries.fetchQuery(timetableApi.listClosures.queryOptions()),
      queries.fetchQuery(singlePrice),
    ]),
  )
export const clientLoader = () => null

export const meta = (args: MetaArguments) =>
  pageMeta(args, ({ name, address, instructor }) => ({
    title: `Reformer Pilates classes in ${address.town}`,
    description: `One-on-one and duo reformer Pilates, ${minutes} minutes each, and the weekly timetable of ${name}.`,
    path: CLASSES,
    data: (site) => [
      service(site, {
        name: 'One-on-one reformer Pilates',
        description: `A session of ${minutes} minutes for one person, led by ${instructor.name}.`,
        path: `${CLASSES}#one-on-one`,
      }),
      service(site, {
        name: 'Duo reformer Pilates',
        description: `A session of ${minutes} minutes for two people at most, led by ${instructor.name}.`,
        path: `${CLASSES}#duo`,
      }),
      faqPage(classQuestions(site.facts)),
      ...(loadedData(args.loaderData, freePlacesThisWeek(0))?.places ?? []).map((free) =>
        classEvent(site, { ...free, price: loadedData(args.loaderData, singlePrice) ?? free.price }),
      ),
    ],
  }))

const BENEFITS = [
  {
    title: 'Strength without impact',
    text: 'Springs push back as hard as you choose and never drop. You work deeply, lying, sitting or standing, and your joints carry less of it.',
  },
  {
    title: 'An eye on every movement',
    text: 'With two people at most there is no back row. What goes wrong is put right as it happens, in words you can use.',
  },
  {
    title: 'Balance and control',
    text: 'The carriage moves, so you have to be the part that does not. It is the steadiness you want on a wet fell path.',
  },
  {
    title: 'Your own level',
    text: 'The same exercise is gentle on one spring and hard work on another. Side by side you need not be equally fit.',
  },
] as const

const STEPS = [
  ['Make an account', 'Name, email, password. It costs nothing.'],
  ['Choose a pass', 'One class or several. It is active as soon as you have paid.'],
  ['Tell us about your health', 'A questionnaire of about three minutes, once.'],
  ['Book', 'Pick a day and a time. An email confirms it.'],
] as const

export default function Classes() {
  const oneOnOne = usePicture('oneOnOne')
  preloadPicture(oneOnOne, HALF)
  return (
    <>
      <PageIntro
        crumb="Classes"
        title={
          <>
            One person, or <em>two</em>
          </>
        }
        lede={
          <>
            Every session lasts {minutes} minutes and is led by {whoTeaches(useFacts())}. There is no third reformer.{' '}
            <Link to="#timetable" className="link whitespace-nowrap">
              See the times
            </Link>
          </>
        }
      />
      <div className="wrap grid gap-[clamp(56px,7vw,112px)] pb-section">
        <ClassType
          id="one-on-one"
          title="One-on-one"
          picture={oneOnOne}
          people="1 person"
          suits="A first visit, a way back after an injury, or something particular you are working towards."
        >
          The studio to yourself, and your teacher’s whole attention. We plan the session around your body, stop when
          something wants explaining, and go on when you are ready.
        </ClassType>
        <ClassType
          id="duo"
          title="Duo"
          picture={usePicture('duo')}
          people="2 people at most"
          suits="Friends, couples, mothers and daughters, or anyone who prefers company."
          turned
        >
          Two reformers side by side, never more. Bring someone, or share the time with another member; each of you is
          taught as one person, on your own springs.
        </ClassType>
      </div>
      <section className="bg-linen py-section">
        <div className="wrap grid gap-10 lg:grid-cols-[minmax(0,4fr)_minmax(0,7fr)] lg:gap-24">
          <h2 className="display-2 max-w-[6.4em]">
            What the reformer <em>is good for</em>
          </h2>
          <ul className="border-t border-line">
            {BENEFITS.map(({ title, text }) => (
              <li key={title} className="border-b border-line py-6">
                <h3 className="title">{title}</h3>
                <p className="mt-1.5 max-w-[38.3em] text-ink-soft">{text}</p>
              </li>
            ))}
          </ul>
        </div>
      </section>
      <section id="timetable" className="wrap py-section">
        <div className="grid gap-10 lg:grid-cols-[minmax(0,4fr)_minmax(0,7fr)] lg:gap-24">
          <div>
            <h2 className="display-2">Weekly schedule</h2>
            <p className="lede mt-5 max-w-[23em]">
              This is the regular week. Extra classes appear on the calendar, one-on-one sessions among them, and some
              outside studio hours.
            </p>
            <div className="mt-8 flex flex-wrap gap-3">
              <BookAClass />
              <ButtonLink to="/pricing" variant="secondary">
                View Pricing
              </ButtonLink>
            </div>
          </div>
          <div>
            <WeeklyTimetable />
            <p className="mt-6 hidden print:block">
              {useFacts().name}, <Address />, {useFacts().phone}
            </p>
            <FreePlaces />
            <ClosedDays />
          </div>
        </div>
      </section>
      <section id="start" className="bg-linen py-section">
        <div className="wrap">
          <h2 className="display-2 max-w-[9em]">Four steps to your first class</h2>
          <ol className="mt-[clamp(32px,4vw,64px)] grid gap-x-8 sm:grid-cols-2 xl:grid-cols-4">
            {STEPS.map(([title, text], i) => (
              <li
                key={title}
                className="grid grid-cols-[44px_1fr] gap-x-2 border-t border-line py-6 xl:block xl:border-t-0 xl:py-0"
              >
                <span aria-hidden className="figure text-[2rem]/none text-sage">
                  {i + 1}
                </span>
                <div className="xl:mt-5 xl:border-t xl:border-line xl:pt-5">
                  <h3 className="title">{title}</h3>
                  <p className="mt-1.5 text-ink-soft">{text}</p>
                </div>
              </li>
            ))}
          </ol>
          <div className="mt-10">
            <BookAClass />
          </div>
        </div>
      </section>
      <Questions title="Before you come" items={classQuestions(useFacts())} />
      <ClosingBand title="A pass for every rhythm" action={<ButtonLink to="/pricing">View Pricing</ButtonLink>}>
        Buy one session or a pass of several. Every credit pays for any class on the calendar. {studio.session.credit}
      </ClosingBand>
    </>
  )
}

function ClassType(type: {
  id: string
  title: string
  picture: PictureSource
  people: string
  suits: string
  turned?: boolean
  children: ReactNode
}) {
  return (
    <section
      id={type.id}
      className="grid items-start gap-8 md:grid-cols-2 lg:items-center lg:gap-[clamp(32px,7vw,120px)]"
    >
      <div className={`rise aspect-[4/3] overflow-hidden rounded-card bg-sand ${type.turned ? 'md:order-2' : ''}`}>
        <Picture of={type.picture} eager={!type.turned} sizes={HALF} />
      </div>
      <div>
        <h2 className="display-2">{type.title}</h2>
        <p className="lede mt-5 max-w-[26.8em]">{type.children}</p>
        <dl className="mt-7 max-w-[30em] border-t border-line">
          <Fact name="For">{type.suits}</Fact>
          <Fact name="With">{type.people}</Fact>
          <Fact name="Lasts">{minutes} minutes</Fact>
          <Fact name="Costs">
            {formatPrice(useSinglePrice())} a session per person, <TextLink to="/pricing">less with a pass</TextLink>
          </Fact>
        </dl>
      </div>
    </section>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[5em_1fr] gap-x-4 border-b border-line py-3 text-base/normal">
      <dt className="text-ink-mute">{name}</dt>
      <dd className="text-ink-soft">{children}</dd>
    </div>
  )
}

/** The free places of the coming seven days, by day; each time is a link. Nothing while they load. */
function FreePlaces() {
  const week = useFreePlacesThisWeek()
  const facts = useFacts()
  if (!week) return null
  const { places } = week
  const differs = (one: FreePlace) => !isInTimetable(one, facts)
  const days = Map.groupBy(places, ({ date }) => date)
  return (
    <Section title="Free in the next seven days" level="h3" gap="" className="mt-10">
      {places.length === 0 ? (
        <p className="mt-3 text-ink-soft">{noPlaces(week, facts)}</p>
      ) : (
        <>
          {places.some(differs) && (
            <p className="mt-3 text-ink-soft">“This week” marks times that are not in the regular week above.</p>
          )}
          <dl className="mt-4 border-t border-line">
            {[...days].map(([date, classes]) => (
              <div key={date} className="grid border-b border-line py-2 sm:grid-cols-[34%_1fr]">
                <dt className="pt-2.5 font-medium sm:pr-3">{formatDay(date)}</dt>
                <dd className="grid grid-cols-2 gap-x-5 sm:flex sm:flex-wrap">
                  {classes.map((one) => (
                    <Place key={one.id} free={one} isOnlyThisWeek={differs(one)} />
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </Section>
  )
}

/** Remembers the class for a visitor who has to sign up first. */
const keepForLater = ({ date, id }: FreePlace) =>
  void import('../resume/resumable.ts').then(({ keepDay }) => keepDay({ date, classId: id }))

type Week = NonNullable<ReturnType<typeof useFreePlacesThisWeek>>
function noPlaces({ isFull, next }: Week, facts: Parameters<typeof emptyCalendar>[0]): string {
  if (isFull) return 'Every place is taken. The calendar shows later weeks and waiting lists.'
  if (next) return `The next classes are from ${formatDay(next)}. You can book them now.`
  return emptyCalendar(facts)
}

function placesIn({ availableSpots, maxParticipants }: FreePlace): string {
  if (maxParticipants === 1) return 'one-on-one'
  return availableSpots === 1 ? 'one place' : 'two places'
}

function Place({ free, isOnlyThisWeek }: { free: FreePlace; isOnlyThisWeek: boolean }) {
  const { title, startTime } = free
  const places = placesIn(free)
  return (
    <BookLink
      to={bookingOf(free)}
      variant="text"
      className="inline-flex min-h-11 items-center gap-2"
      kept={`${formatDay(free.date)}, ${startTime}`}
      onFollow={() => keepForLater(free)}
    >
      <span className="sr-only">{title} at </span>
      <span className="figure text-xl underline decoration-line-strong underline-offset-4">{startTime}</span>
      <span className="text-caption text-ink-mute">
        {isOnlyThisWeek && 'this week, '}
        <span className="whitespace-nowrap">{places}</span>
      </span>
    </BookLink>
  )
}
