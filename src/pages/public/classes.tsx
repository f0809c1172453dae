import type { ReactNode } from 'react'
import { pageMeta } from '../../content/seo.ts'
import { pictures } from '../../content/web/pictures.ts'
import { studio } from '../../studio.ts'
import { WeeklyTimetable } from '../../timetable/web/weekly-timetable.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { Picture } from '../../ui/picture.tsx'
import { type PictureSource, preloadOf } from '../../ui/picture-source.ts'
import { CLASSES } from '../shell/site-links.ts'
import { BookAClass, ClosingBand, PageIntro } from './parts.tsx'

const { minutes } = studio.session

const HALF = '(min-width: 1376px) 600px, (min-width: 1024px) 44vw, 92vw'

export const links = () => [preloadOf(pictures.classOneOnOne, HALF)]

export const meta = () =>
  pageMeta({
    title: `Reformer Pilates classes in ${studio.town}`,
    description: `One-on-one and duo reformer Pilates, ${minutes} minutes each, and the weekly timetable of ${studio.name}.`,
    path: CLASSES,
  })

const BENEFITS = [
  'Deep strength without strain on the joints',
  'Better posture and an easier back',
  'Balance and control that carry into daily life',
  'Work at your own level, corrected as you move',
]

export default function Classes() {
  return (
    <>
      <PageIntro
        crumb="Classes"
        title={
          <>
            One person, or <em>two</em>
          </>
        }
        lede={`Every session lasts ${minutes} minutes and is led by ${studio.instructor.name}.`}
      />
      <div className="wrap grid gap-[clamp(56px,7vw,112px)] pb-section">
        <ClassType id="one-on-one" title="One-on-one" picture={pictures.classOneOnOne}>
          The studio to yourself and your teacher’s full attention. We plan the session around your body: for a first
          visit, for coming back after an injury, or to move on faster.
        </ClassType>
        <ClassType id="duo" title="Duo" picture={pictures.classDuo} turned>
          Two reformers side by side, never more. Come with a friend or your partner, or share the hour with one other
          member; each of you is taught as an individual.
        </ClassType>
      </div>
      <section className="bg-linen py-section">
        <div className="wrap grid gap-10 lg:grid-cols-2 lg:gap-24">
          <h2 className="display-2 max-w-[6.4em]">What the reformer does for you</h2>
          <ul className="border-t border-line">
            {BENEFITS.map((benefit) => (
              <li key={benefit} className="title border-b border-line py-5">
                {benefit}
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
              The regular week. Classes also run outside staffed hours; the calendar shows what is free.
            </p>
            <div className="mt-8 flex flex-wrap gap-3">
              <BookAClass />
              <ButtonLink to="/pricing" look="secondary">
                View Pricing
              </ButtonLink>
            </div>
          </div>
          <WeeklyTimetable />
        </div>
      </section>
      <ClosingBand title="A pass for every rhythm" action={<ButtonLink to="/pricing">View Pricing</ButtonLink>}>
        Buy one session or a pass of several. Every credit pays for any class on the calendar.
      </ClosingBand>
    </>
  )
}

function ClassType(type: { id: string; title: string; picture: PictureSource; turned?: boolean; children: ReactNode }) {
  return (
    <section id={type.id} className="grid items-center gap-8 lg:grid-cols-2 lg:gap-[clamp(32px,7vw,120px)]">
      <div className={`rise aspect-[4/3] overflow-hidden rounded-card bg-sand ${type.turned ? 'lg:order-2' : ''}`}>
        <Picture of={type.picture} eager={!type.turned} sizes={HALF} />
      </div>
      <div>
        <h2 className="display-2">{type.title}</h2>
        <p className="lede mt-5 max-w-[26.8em]">{type.children}</p>
        <p className="mt-5 text-ink-soft">
          {minutes} minutes · {type.turned ? '2 people at most' : '1 person'}
        </p>
      </div>
    </section>
  )
}
