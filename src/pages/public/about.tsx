import { type MouseEvent, useRef, useState } from 'react'
import { pageMeta } from '#content/seo.ts'
import type { MetaArguments } from '#content/site.ts'
import { exerciseGym } from '#content/structured-data.ts'
import { Address, useFacts } from '#content/web/facts.tsx'
import { pictureIn, usePicture } from '#content/web/shown-pictures.ts'
import type { PublicFacts } from '#facts/contract.ts'
import { studio } from '#studio.ts'
import { ArrowLink, ButtonLink } from '#ui/button.tsx'
import { late } from '#ui/late.tsx'
import { Picture } from '#ui/picture.tsx'
import { addressOf } from '#ui/picture-source.ts'
import { CLASSES } from '../shell/site-links.ts'
import { OtherTeachers } from './other-teachers.tsx'
import { BookAClass, PageIntro, Philosophy, SectionHead } from './parts.tsx'

export const meta = (args: MetaArguments) =>
  pageMeta(args, ({ address, teachers }) => ({
    title: 'About the studio',
    description: `A small reformer Pilates studio in ${address.town}: ${teachers.length === 0 ? 'one teacher, ' : ''}two people at most.`,
    path: '/about',
    data: (site) => [exerciseGym(site)],
  }))

const { session } = studio

const benefits = ({ town, county }: PublicFacts['address']) =>
  [
    [
      'Bespoke classes',
      'No two sessions are the same, because no two people are, and you are not the same on a Monday as on a Friday. Yours is planned around what you told us and what we see on the day.',
    ],
    [
      'Expert guidance',
      'You are corrected kindly and at once, before a habit settles in, by someone who remembers your last session.',
    ],
    [
      'Tranquil studio',
      'Limewash, oak and daylight. No mirrors along the wall, no music you have to talk over, and nobody waiting at the door for your place.',
    ],
    [
      'Affordable luxury',
      'A teacher nearly to yourself, at the price of a pass. No joining fee, no monthly direct debit, nothing that renews automatically.',
    ],
    ['Local', `In ${town}, ${county}: close enough to come every week.`],
  ] as const

export default function About() {
  const { name, address, instructor, teachers } = useFacts()
  return (
    <>
      <PageIntro
        crumb="About"
        title={
          <>
            A small studio, <em>on purpose</em>
          </>
        }
        lede={`${name} is one room${teachers.length === 0 ? ', one teacher' : ''} and two reformers in ${address.town}.`}
      />
      <section className="wrap grid items-start gap-[clamp(32px,7vw,120px)] pb-section md:grid-cols-[minmax(0,6fr)_minmax(0,5fr)] lg:items-center">
        <div className="max-w-[38.3em]">
          <h2 className="display-2">{instructor.name}</h2>
          <p className="mt-2 text-ink-mute">
            {instructor.role}. {instructor.background}.
          </p>
          {instructor.story.split(/\n\s*\n/).map((paragraph) => (
            <p key={paragraph} className="mt-5 text-ink-soft">
              {paragraph}
            </p>
          ))}
          <p className="mt-5 text-ink-soft">
            A session lasts {session.minutes} minutes. It begins with how you are today, picks up where the last one
            ended, and leaves you with one thing to try at home.
          </p>
          <p className="mt-8 flex flex-wrap gap-x-8 gap-y-3">
            <ArrowLink to={CLASSES}>See the classes</ArrowLink>
            <ArrowLink to="/pricing">See prices</ArrowLink>
          </p>
        </div>
        <div className="rise aspect-[4/4.8] overflow-hidden rounded-[50%_50%_22px_22px/41.6%_41.6%_22px_22px] bg-sand">
          <Picture of={usePicture('portrait')} sizes="(min-width: 1376px) 560px, (min-width: 768px) 42vw, 92vw" />
        </div>
      </section>
      <OtherTeachers />
      <section className="bg-linen py-section">
        <div className="wrap">
          <SectionHead title="What you will find here" />
          <ul className="border-t border-line">
            {benefits(address).map(([title, text]) => (
              <li key={title} className="grid gap-x-12 gap-y-1 border-b border-line py-6 md:grid-cols-[1fr_2fr]">
                <h3 className="title">{title}</h3>
                <p className="max-w-[34em] text-ink-soft">{text}</p>
              </li>
            ))}
          </ul>
        </div>
      </section>
      <Philosophy title="What we believe in" />
      <section id="gallery" className="wrap pb-section">
        <SectionHead title="Light, wood and plaster">
          <p className="lede max-w-[25.5em]">
            <AboutThesePictures /> Select one to enlarge it.
          </p>
        </SectionHead>
        <AboutGallery />
      </section>
      <section className="wrap pb-section">
        <div className="flex flex-col items-start justify-between gap-6 rounded-card bg-linen p-[clamp(28px,4vw,64px)] md:flex-row md:items-center">
          <div>
            <h2 className="display-3">Visit us</h2>
            <address className="mt-2 text-ink-soft not-italic">
              <Address />
            </address>
            <p className="mt-1 max-w-[34em] text-ink-soft">
              You are welcome to look at the room before you buy anything. Ring first, so that we are not in the middle
              of someone’s session.
            </p>
          </div>
          <div className="flex flex-none flex-wrap gap-3">
            <BookAClass />
            <ButtonLink to="/contact" variant="secondary">
              Contact and directions
            </ButtonLink>
          </div>
        </div>
      </section>
    </>
  )
}

const [Lightbox, fetchLightbox] = late(() => import('./about-lightbox.tsx'))

const HALF = '(min-width: 1376px) 520px, (min-width: 768px) 40vw, 92vw'
const THIRD = '(min-width: 1376px) 420px, (min-width: 768px) 33vw, 46vw'

/** Twelve columns; two on a phone. */
const SHOWN = [
  { place: 'gallery1', cell: 'col-span-2 row-span-3 md:col-span-5 md:row-span-4', sizes: HALF },
  { place: 'gallery2', cell: 'row-span-2 md:col-span-4', sizes: THIRD },
  { place: 'gallery3', cell: 'row-span-2 md:col-span-3', sizes: THIRD },
  { place: 'gallery4', cell: 'row-span-2 md:col-span-3', sizes: THIRD },
  { place: 'gallery5', cell: 'row-span-2 md:col-span-4', sizes: THIRD },
  {
    place: 'gallery6',
    cell: 'col-span-2 md:col-span-8 md:row-span-2',
    sizes: '(min-width: 1376px) 830px, (min-width: 768px) 61vw, 92vw',
  },
  { place: 'gallery7', cell: 'col-span-2 row-span-2 md:col-span-4', sizes: THIRD },
] as const

function AboutThesePictures() {
  const { pictures: own } = useFacts()
  const ours = SHOWN.filter(({ place }) => !own[place]).length
  if (ours === 0) return null
  return `${ours < SHOWN.length ? 'Some of these' : 'These'} are computer-generated images, not photographs.`
}

/** Without script, each picture is a link to its largest version. */
function AboutGallery() {
  const { pictures: own } = useFacts()
  const shown = SHOWN.map((each) => ({ ...each, picture: pictureIn(each.place, own) }))
  const [open, setOpen] = useState<number>()
  const opener = useRef<HTMLElement>(null)
  const onClick = (event: MouseEvent<HTMLAnchorElement>, i: number) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    opener.current = event.currentTarget
    setOpen(i)
  }
  return (
    <>
      <ul className="grid auto-rows-[29vw] grid-cols-2 gap-[clamp(10px,1.4vw,20px)] md:auto-rows-[clamp(80px,11.6vw,168px)] md:grid-cols-12">
        {shown.map(({ picture, place, cell, sizes }, i) => (
          <li key={place} className={cell}>
            <a
              href={addressOf(picture)}
              aria-haspopup="dialog"
              data-early=""
              onClick={(event) => onClick(event, i)}
              onPointerEnter={fetchLightbox}
              onFocus={fetchLightbox}
              className="group block h-full overflow-hidden rounded-row bg-sand focus-visible:rounded-row"
            >
              <Picture
                of={picture}
                sizes={sizes}
                className="h-full w-full object-cover transition-transform duration-[1.1s] ease-calm group-hover:scale-[1.025]"
              />
            </a>
          </li>
        ))}
      </ul>
      {open !== undefined && (
        <Lightbox
          pictures={shown.map(({ picture }) => picture)}
          start={open}
          onClose={() => {
            setOpen(undefined)
            opener.current?.focus({ preventScroll: true })
          }}
        />
      )}
    </>
  )
}
