import type {
  BlogPosting,
  BreadcrumbList,
  DayOfWeek,
  Event,
  ExerciseGym,
  FAQPage,
  Graph,
  OfferCatalog,
  PostalAddress,
  Service,
  Thing,
} from 'schema-dts'
import { studio } from '../studio.ts'
import { shareCardOf } from './share-card.ts'
import type { Site } from './site.ts'

// What search engines read about the studio (schema.org). Everything it says stands on the page as well.

/** The script that takes a page over carries none of this: see `pageMeta`. */
const UNTOLD = undefined as never

const studioIn = (site: Site) => ({ '@id': `${site.origin}/#studio` }) as const

/** Several things as one script's content. */
export function graph(things: readonly Thing[]): Graph {
  return { '@context': 'https://schema.org', '@graph': things }
}

const { address, hours } = studio

const postalAddress: PostalAddress = {
  '@type': 'PostalAddress',
  streetAddress: address.street,
  addressLocality: address.town,
  addressRegion: address.county,
  postalCode: address.postcode,
  addressCountry: address.country,
}

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const

/** `Monday to Friday` → its five days; `Saturday` → itself. */
function daysOf(words: string): DayOfWeek[] {
  const [first, last = first] = words.split(' to ').map((day) => (DAYS as readonly string[]).indexOf(day))
  return DAYS.slice(first, (last ?? 0) + 1).map((day) => `https://schema.org/${day}` as const)
}

/** The studio itself: address, place on the map, hours. */
export function exerciseGym(site: Site): ExerciseGym {
  if (!import.meta.env.SSR) return UNTOLD
  return {
    '@type': 'ExerciseGym',
    ...studioIn(site),
    name: studio.name,
    description: `One-on-one and duo reformer Pilates in ${studio.town}, ${studio.county}.`,
    url: `${site.origin}/`,
    image: site.origin + shareCardOf('/'),
    logo: `${site.origin}/icon-512.png`,
    telephone: `+44 ${studio.phone.replace(/^0/, '')}`,
    email: studio.email,
    currenciesAccepted: studio.currency,
    address: postalAddress,
    geo: { '@type': 'GeoCoordinates', latitude: address.latitude, longitude: address.longitude },
    openingHoursSpecification: hours.flatMap(({ days, opens, closes }) =>
      opens && closes ? [{ '@type': 'OpeningHoursSpecification', dayOfWeek: daysOf(days), opens, closes }] : [],
    ),
    sameAs: [studio.social.url],
  }
}

/** Something the studio does for people: `path` is where it is described. */
export function service(
  site: Site,
  { name, description, path }: { name: string; description: string; path: string },
): Service {
  if (!import.meta.env.SSR) return UNTOLD
  return {
    '@type': 'Service',
    serviceType: 'Reformer Pilates',
    name,
    description,
    url: site.origin + path,
    provider: studioIn(site),
    areaServed: { '@type': 'City', name: studio.town },
  }
}

/** What is sold on the pricing page, at the prices that stand there. */
export function passOffers(
  site: Site,
  passes: readonly { name: string; description: string | null; price: string }[],
): OfferCatalog {
  if (!import.meta.env.SSR) return UNTOLD
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

/** A class with a free place, as it stands on the classes page. */
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
  if (!import.meta.env.SSR) return UNTOLD
  return {
    '@type': 'Event',
    name: free.title,
    startDate: free.startsAt,
    endDate: free.endsAt,
    eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
    eventStatus: 'https://schema.org/EventScheduled',
    location: { '@type': 'Place', name: studio.name, address: postalAddress },
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
  post: { path: string; title: string; excerpt: string; date: string; author: string; words: number },
): BlogPosting {
  if (!import.meta.env.SSR) return UNTOLD
  return {
    '@type': 'BlogPosting',
    headline: post.title,
    description: post.excerpt,
    datePublished: post.date,
    wordCount: post.words,
    inLanguage: 'en-GB',
    image: site.origin + shareCardOf(post.path),
    url: site.origin + post.path,
    mainEntityOfPage: site.origin + post.path,
    author: { '@type': 'Person', name: post.author, jobTitle: studio.instructor.role },
    publisher: { '@type': 'Organization', ...studioIn(site), name: studio.name, logo: `${site.origin}/icon-512.png` },
  }
}

/** Questions as they stand on the page: see `Questions` in `pages/public/questions.tsx`. */
export function faqPage(questions: readonly { question: string; answer: string }[]): FAQPage {
  if (!import.meta.env.SSR) return UNTOLD
  return {
    '@type': 'FAQPage',
    mainEntity: questions.map(({ question, answer }) => ({
      '@type': 'Question',
      name: question,
      acceptedAnswer: { '@type': 'Answer', text: answer },
    })),
  }
}

/** Home, then the way to a page; the last one is the page itself. */
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
