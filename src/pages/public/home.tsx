import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type LoaderFunctionArgs, useLoaderData } from 'react-router'
import { useSession } from '#accounts/web/session.ts'
import { hourOfRoom } from '#content/hour-of-room.ts'
import { pageMeta } from '#content/seo.ts'
import type { MetaArguments } from '#content/site.ts'
import { exerciseGym } from '#content/structured-data.ts'
import { lightAt, type RoomLight, roomIn } from '#content/web/room-at-hour.ts'
import { studio } from '#studio.ts'
import { nextFreePlace } from '#timetable/web/free-places.ts'
import italic from '#ui/fonts/instrument-serif-italic.woff2?url'
import { preloadPicture } from '#ui/picture-source.ts'
import { readFirst } from '../shell/first-data.tsx'
import { visitContext } from '../shell/visit.ts'
import { HomeBenefits } from './home-benefits.tsx'
import { HomeCloseUp, HomeEvening } from './home-breaks.tsx'
import { HomeClassTypes } from './home-class-types.tsx'
import { HomeGallery } from './home-gallery.tsx'
import { HERO, HomeHero } from './home-hero.tsx'
import { Philosophy } from './parts.tsx'

export const loader = async ({ context }: LoaderFunctionArgs) => {
  const { now } = context.get(visitContext)
  const page = await readFirst((queries) => queries.fetchQuery(nextFreePlace(now)))
  return { ...page, light: lightAt(hourOfRoom(now, studio.timeZone)) }
}

/** The light in which this tab has seen the room: it does not change before one's eyes. */
let seen: RoomLight | undefined
/** The browser asks the API itself. */
export const clientLoader = () => ({ light: seen })

export const meta = (args: MetaArguments) => [
  ...pageMeta(args, {
    title: `Reformer Pilates in ${studio.town}`,
    description: `One-on-one and duo reformer Pilates with ${studio.instructor.name} in ${studio.town}, ${studio.county}. ${studio.session.minutes} minutes, two people at most.`,
    path: '/',
    data: (site) => [exerciseGym(site)],
  }),
]

export const links = () => [
  { rel: 'preload', as: 'font', type: 'font/woff2', crossOrigin: 'anonymous', href: italic } as const,
]

export default function Home() {
  const queries = useQueryClient()
  const { light } = useLoaderData<{ light?: RoomLight }>()
  const room = roomIn(light)
  preloadPicture(room.wide, HERO.wide.sizes, HERO.wide.media)
  preloadPicture(room.portrait, HERO.narrow.sizes, HERO.narrow.media)
  const { user, isLikely } = useSession()
  useEffect(() => {
    seen = light
  }, [light])
  // A member's next class is asked for together with the session, not after it.
  useEffect(() => {
    if (isLikely) void import('#booking/web/next-class-note.tsx').then((note) => note.askForUpcomingBookings(queries))
  }, [isLikely, queries])
  return (
    <>
      <HomeHero user={user} room={room} />
      <HomeBenefits />
      <HomeCloseUp />
      <Philosophy title="What this studio is about" />
      <HomeClassTypes />
      <HomeGallery />
      <HomeEvening isMember={user != null} />
    </>
  )
}
