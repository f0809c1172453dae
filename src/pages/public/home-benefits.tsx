import leaf from '@lucide/icons/icons/leaf'
import sprout from '@lucide/icons/icons/sprout'
import user from '@lucide/icons/icons/user'
import wind from '@lucide/icons/icons/wind'
import { pictures } from '#content/web/pictures.ts'
import { ArrowLink } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { Picture } from '#ui/picture.tsx'

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

export function HomeBenefits() {
  return (
    <section className="wrap grid items-start gap-[clamp(32px,7vw,120px)] py-section md:grid-cols-[minmax(0,5.2fr)_minmax(0,6fr)] lg:items-center">
      <div className="rise aspect-[4/5.1] overflow-hidden rounded-[50%_50%_22px_22px/39.2%_39.2%_22px_22px] bg-sand">
        <Picture of={pictures.galleryCarriage} sizes="(min-width: 1376px) 560px, (min-width: 768px) 42vw, 92vw" />
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
              <Icon of={icon} aria-hidden size={24} strokeWidth={1.5} className="mt-1 text-sage" />
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
