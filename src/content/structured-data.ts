import type {
  BlogPosting,
  BreadcrumbList,
  DayOfWeek,
  Event,
  ExerciseGym,
  FAQPage,
  Graph,
  OfferCatalog,
  OpeningHoursSpecification,
  PostalAddress,
  Service,
  Thing,
} from 'schema-dts'
import { DAYS } from '#facts/rules-hours.ts'
import { weekdayOf } from '#foundation/dates.ts'
import { studio } from '#studio.ts'
import { type Site, sharePicture } from './site.ts'

// schema.org data for search engines. Everything in it is also on the page.

/** The browser's script contains none of this: see `pageMeta`. */
const SERVER_ONLY = undefined as never

const studioIn = (site: Site) => ({ '@id': `${site.origin}/#studio` }) as const

export function graph(things: readonly Thing[]): Graph {
  return { '@context': 'https://schema.org', '@graph': things }
}

const postalAddress = ({ facts: { address } }: Site): PostalAddress => ({
  '@type': 'PostalAddress',
  streetAddress: address.street,
  addressLocality: address.town,
  addressRegion: address.county,
  postalCode: address.postcode,
  addressCountry: studio.country,
})

/** Groups days with the same hours. */
function openingHours({ facts: { hours } }: Site): OpeningHoursSpecification[] {
  const days = new Map<string, DayOfWeek[]>()
  for (const day of DAYS) {
    const open = hours[day]
    if (!open) continue
    const times = `${open.opens} ${open.closes}`
    days.set(times, [...(days.get(times) ?? []), `https://schema.org/${day}`])
  }
  return [...days].map(([times, dayOfWeek]) => {
    const [opens = '', closes = ''] = times.split(' ')
    return { '@type': 'OpeningHoursSpecification', dayOfWeek, opens, closes }
  })
}

/** `+44 1632 960147`. */
const international = (phone: string) => phone.replace(/^0/, '+44 ')

/** The studio's address, location, hours and closures. */
export function exerciseGym(site: Site, closures: readonly Closed[] = []): ExerciseGym {
  if (!import.meta.env.SSR) return SERVER_ONLY
  const { address, phone, email, social } = site.facts
  const { latitude, longitude } = address
  return {
    '@type': 'ExerciseGym',
    ...studioIn(site),
    name: site.facts.name,
    description: `One-on-one and duo reformer Pilates in ${address.town}, ${address.county}.`,
    url: `${site.origin}/`,
    image: sharePicture(site, '/').url,
    logo: `${site.origin}/icon-512.png`,
    telephone: international(phone),
    email,
    currenciesAccepted: studio.currency,
    address: postalAddress(site),
    ...(latitude !== null && longitude !== null && { geo: { '@type': 'GeoCoordinates', latitude, longitude } }),
    openingHoursSpecification: openingHours(site),
    ...(closures.length > 0 && {
      specialOpeningHoursSpecification: closures.flatMap((closure) =>
        openOn(site, closure).map(({ opens, closes }) => ({
          '@type': 'OpeningHoursSpecification' as const,
          opens,
          closes,
          validFrom: closure.from,
          validThrough: closure.to,
        })),
      ),
    }),
    ...(social && { sameAs: [social.url] }),
  }
}

type Closed = { from: string; to: string; fromTime: string | null; toTime: string | null }

/** What is left of a day's hours; midnight to midnight means closed. */
function openOn({ facts }: Site, { from, fromTime, toTime }: Closed): { opens: string; closes: string }[] {
  const usual = fromTime && toTime ? facts.hours[weekdayOf(from)] : null
  if (!usual || !fromTime || !toTime) return [{ opens: '00:00', closes: '00:00' }]
  const { opens, closes } = usual
  const before = { opens, closes: fromTime < closes ? fromTime : closes }
  const after = { opens: toTime > opens ? toTime : opens, closes }
  const left = [before, after].filter((part) => part.opens < part.closes)
  return left.length > 0 ? left : [{ opens: '00:00', closes: '00:00' }]
}

/** `path`: the page that describes the service. */
export function service(
  site: Site,
  { name, description, path }: { name: string; description: string; path: string },
): Service {
  if (!import.meta.env.SSR) return SERVER_ONLY
  return {
    '@type': 'Service',
    serviceType: 'Reformer Pilates',
    name,
    description,
    url: site.origin + path,
    provider: studioIn(site),
    areaServed: { '@type': 'City', name: site.facts.address.town },
  }
}

/** The packages and prices of the pricing page. */
export function passOffers(
  site: Site,
  passes: readonly { name: string; description: string | null; price: string }[],
): OfferCatalog {
  if (!import.meta.env.SSR) return SERVER_ONLY
  return {
    '@type': 'OfferCatalog',
    name: 'Class passes',
    url: `${site.origin}/pricing`,
    numberOfItems: passes.length,
    itemListElement: passes.map(({ name, description, price }) => ({
      '@type': 'Offer',
      name,
      ...(description && { description }),
      price,
      priceCurrency: studio.currency,
      availability: 'https://schema.org/InStock',
      url: `${site.origin}/pricing`,
      seller: studioIn(site),
    })),
  }
}

/** A class with a free place, as on the classes page. */
export function classEvent(
  site: Site,
  free: {
    title: string
    startsAt: string
    endsAt: string
    availableSpots: number
    maxParticipants: number
    price: string
  },
): Event {
  if (!import.meta.env.SSR) return SERVER_ONLY
  return {
    '@type': 'Event',
    name: free.title,
    startDate: free.startsAt,
    endDate: free.endsAt,
    eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
    eventStatus: 'https://schema.org/EventScheduled',
    location: { '@type': 'Place', name: site.facts.name, address: postalAddress(site) },
    organizer: studioIn(site),
    maximumAttendeeCapacity: free.maxParticipants,
    remainingAttendeeCapacity: free.availableSpots,
    offers: {
      '@type': 'Offer',
      price: free.price,
      priceCurrency: studio.currency,
      availability: 'https://schema.org/InStock',
      url: `${site.origin}/booking`,
    },
  }
}

export function blogPosting(
  site: Site,
  post: { path: string; title: string; excerpt: string; date: string; words: number; author: 'instructor' },
): BlogPosting {
  if (!import.meta.env.SSR) return SERVER_ONLY
  const author = site.facts[post.author]
  return {
    '@type': 'BlogPosting',
    headline: post.title,
    description: post.excerpt,
    datePublished: post.date,
    wordCount: post.words,
    inLanguage: 'en-GB',
    image: sharePicture(site, post.path).url,
    url: site.origin + post.path,
    mainEntityOfPage: site.origin + post.path,
    author: { '@type': 'Person', name: author.name, jobTitle: author.role },
    publisher: {
      '@type': 'Organization',
      ...studioIn(site),
      name: site.facts.name,
      logo: `${site.origin}/icon-512.png`,
    },
  }
}

/** The questions of the page: see `Questions` in `pages/public/questions.tsx`. */
export function faqPage(questions: readonly { question: string; answer: string }[]): FAQPage {
  if (!import.meta.env.SSR) return SERVER_ONLY
  return {
    '@type': 'FAQPage',
    mainEntity: questions.map(({ question, answer }) => ({
      '@type': 'Question',
      name: question,
      acceptedAnswer: { '@type': 'Answer', text: answer },
    })),
  }
}

/** From Home to the page itself. */
export function breadcrumbs(
  site: Site,
  path: string,
  crumbs: readonly { label: string; to?: string }[],
): BreadcrumbList {
  return {
    '@type': 'BreadcrumbList',
    itemListElement: [{ label: 'Home', to: '/' }, ...crumbs].map(({ label, to = path }, i) => ({
      '@type': 'ListItem',
      position: i + 1,
      name: label,
      item: site.origin + to,
    })),
  }
}
