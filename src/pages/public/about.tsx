import { pageMeta } from '../../content/seo.ts'
import { pictures } from '../../content/web/pictures.ts'
import { studio } from '../../studio.ts'
import { ArrowLink, ButtonLink } from '../../ui/button.tsx'
import { Picture } from '../../ui/picture.tsx'
import type { PictureSource } from '../../ui/picture-source.ts'
import { CLASSES } from '../shell/site-links.ts'
import { PageIntro, Philosophy, SectionHead } from './parts.tsx'

export const meta = () =>
  pageMeta({
    title: 'About the studio',
    description: `A small reformer Pilates studio in ${studio.town}: one teacher, two people at most.`,
    path: '/about',
  })

const BENEFITS = [
  ['Bespoke classes', 'No two sessions are the same, because no two people are.'],
  ['Expert guidance', `${studio.instructor.name} teaches every session and sees every movement.`],
  ['Tranquil studio', 'Limewashed walls, morning light, and nobody waiting at the door.'],
  ['Affordable luxury', 'A private room and a teacher to yourself, at the price of a pass.'],
  ['Local', `In ${studio.town}, ${studio.county}. Come on foot, by train or by car.`],
] as const

const GALLERY: readonly (readonly [PictureSource, string])[] = [
  [pictures.galleryWindow, 'col-span-2 row-span-3 md:col-span-5'],
  [pictures.galleryFootbar, 'row-span-2 md:col-span-4'],
  [pictures.galleryStool, 'row-span-2 md:col-span-3'],
  [pictures.galleryNiche, 'row-span-2 md:col-span-3'],
  [pictures.galleryShelf, 'row-span-2 md:col-span-4'],
  [pictures.galleryWall, 'col-span-2 row-span-1 md:col-span-5'],
]

export default function About() {
  return (
    <>
      <PageIntro
        crumb="About"
        title={
          <>
            A small studio, <em>on purpose</em>
          </>
        }
        lede={`${studio.name} is one room, one teacher and two reformers in ${studio.town}.`}
      />
      <section className="wrap grid items-center gap-[clamp(32px,7vw,120px)] pb-section lg:grid-cols-[minmax(0,6fr)_minmax(0,5fr)]">
        <div className="max-w-[38.3em]">
          <h2 className="display-3">{studio.instructor.name}</h2>
          <p className="mt-1 text-ink-mute">{studio.instructor.role}</p>
          <p className="mt-5 text-ink-soft">
            Reformer Pilates works best when somebody is watching closely. That is why there are never more than two
            people in the room, and why the same teacher leads every session.
          </p>
          <p className="mt-4 text-ink-soft">
            Each session lasts {studio.session.minutes} minutes. It begins with how you feel today, builds on the last
            one, and leaves you with something to take home.
          </p>
          <p className="mt-8 flex flex-wrap gap-x-8 gap-y-3">
            <ArrowLink to={CLASSES}>See the classes</ArrowLink>
            <ArrowLink to="/pricing">See prices</ArrowLink>
          </p>
        </div>
        <div className="rise aspect-[4/4.8] overflow-hidden rounded-[50%_50%_22px_22px/41.6%_41.6%_22px_22px] bg-sand">
          <Picture of={pictures.instructorPlaceholder} sizes="(min-width: 1024px) 42vw, 92vw" />
        </div>
      </section>
      <section className="bg-linen py-section">
        <div className="wrap">
          <SectionHead title="What you find here" />
          <ul className="border-t border-line">
            {BENEFITS.map(([title, text]) => (
              <li key={title} className="grid gap-x-12 gap-y-1 border-b border-line py-6 md:grid-cols-[1fr_2fr]">
                <h3 className="title">{title}</h3>
                <p className="text-ink-soft">{text}</p>
              </li>
            ))}
          </ul>
        </div>
      </section>
      <div className="pt-section">
        <Philosophy title="What we believe in" />
      </div>
      <section className="wrap pb-section">
        <SectionHead title="The studio">
          <p className="lede max-w-[23em]">Visualisations of the room: light, wood, plaster.</p>
        </SectionHead>
        <div className="grid auto-rows-[29vw] grid-cols-2 gap-[clamp(10px,1.4vw,20px)] md:auto-rows-[clamp(80px,11.6vw,168px)] md:grid-cols-12">
          {GALLERY.map(([picture, place]) => (
            <div key={picture.folder} className={`overflow-hidden rounded-row bg-sand ${place}`}>
              <Picture of={picture} sizes="(min-width: 768px) 42vw, 92vw" />
            </div>
          ))}
        </div>
      </section>
      <section className="wrap pb-section">
        <div className="flex flex-col items-start justify-between gap-6 rounded-card bg-linen p-[clamp(28px,4vw,64px)] md:flex-row md:items-center">
          <div>
            <h2 className="display-3">Visit us</h2>
            <p className="mt-2 text-ink-soft">
              {studio.address.street}, {studio.address.town}, {studio.address.postcode}
            </p>
          </div>
          <ButtonLink to="/contact">Contact and directions</ButtonLink>
        </div>
      </section>
    </>
  )
}
