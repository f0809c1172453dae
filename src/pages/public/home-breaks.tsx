import arrowRight from '@lucide/icons/icons/arrow-right'
import { pictures } from '#content/web/pictures.ts'
import { ButtonLink } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { Mark } from '#ui/mark.tsx'
import { Picture } from '#ui/picture.tsx'

/** One thing seen close, from edge to edge: words on its plain half, on a phone above it. */
export function HomeCloseUp() {
  return (
    <figure className="relative grid items-center bg-sand lg:min-h-[min(56.25vw,820px)]">
      <Picture
        of={pictures.strap}
        sizes="(min-width: 1024px) 100vw, (min-width: 640px) 134vw, 196vw"
        className="order-1 aspect-[4/4.4] w-full object-cover object-[44%] sm:aspect-[4/3] sm:object-[60%] lg:absolute lg:inset-0 lg:h-full lg:object-bottom"
      />
      <figcaption className="wrap relative py-[clamp(36px,4.4vw,68px)]">
        <p className="display-2">
          A strap, a spring <em className="block">and your own breath.</em>
        </p>
      </figcaption>
    </figure>
  )
}

/** The page ends in the evening: one sentence, one way on, and the arches that stand on the edge. */
export function HomeEvening({ isMember }: { isMember: boolean }) {
  return (
    <section className="relative overflow-hidden bg-sage-dark text-linen">
      <div className="wrap relative py-section">
        <Mark className="absolute right-gutter bottom-0 h-auto w-[26vw] max-w-[440px] translate-y-[9%] text-sage md:w-[36vw] [&_path]:[vector-effect:non-scaling-stroke]" />
        <h2 className="display-1 relative max-w-[6.4em]">
          The rest of the day <em>can wait.</em>
        </h2>
        <ButtonLink
          to={isMember ? '/booking' : '/auth'}
          variant="light"
          className="relative mt-9 focus-visible:outline-paper"
        >
          {isMember ? 'Book a Class' : 'Get Started Today'} <Icon of={arrowRight} aria-hidden strokeWidth={1.5} />
        </ButtonLink>
      </div>
    </section>
  )
}
