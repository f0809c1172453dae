import { studio } from '../../studio.ts'
import type { PictureSource } from '../../ui/picture-source.ts'
import { pictures } from './pictures.ts'

export type Post = {
  id: number
  slug: string
  title: string
  excerpt: string
  /** `YYYY-MM-DD` */
  date: string
  /** Minutes. */
  readTime: number
  author: string
  /** 4:5 in lists, 4:3 above the article. */
  image: PictureSource
  wideImage: PictureSource
  sections: readonly { heading: string; text: readonly string[] }[]
}

const author = studio.instructor.name

/** The articles, newest first. */
export const posts: readonly Post[] = [
  {
    id: 4,
    slug: 'reformer-pilates-costs-uk',
    title: 'What reformer Pilates costs, and why',
    excerpt: 'Group, duo or one-on-one: what you pay for, and how to compare prices fairly.',
    date: '2025-05-14',
    readTime: 4,
    author,
    image: pictures.blogFootbar,
    wideImage: pictures.blogFootbarWide,
    sections: [
      {
        heading: 'You pay for attention',
        text: [
          'A reformer is a large machine in a room that must be heated, cleaned and paid for. The larger part of a price, though, is the teacher’s time, divided by the number of people who share it.',
          `With twelve people in a class, each of you has a few minutes of it. Here it is divided by two at most, and a session lasts ${studio.session.minutes} minutes.`,
        ],
      },
      {
        heading: 'Compare the price per class',
        text: [
          'A pass of several classes nearly always costs less per class than a single visit. Divide the price by the number of classes, and look at how long the pass is valid: a cheap pass that expires is an expensive one.',
          'Read the cancellation terms as well. A place you can give back in time is worth money on a week when life happens.',
        ],
      },
      {
        heading: 'Start small',
        text: ['Buy one class or a small pass first. If you find that you come every week, take the larger one.'],
      },
    ],
  },
  {
    id: 1,
    slug: 'reformer-pilates-core-strength',
    title: 'What the reformer does for your core',
    excerpt: 'Why springs train the deep muscles that floor exercises often miss.',
    date: '2024-08-01',
    readTime: 5,
    author,
    image: pictures.blogRiser,
    wideImage: pictures.blogRiserWide,
    sections: [
      {
        heading: 'The core is more than the front',
        text: [
          'When people say core they often mean the muscles they can see. The ones that hold you upright lie deeper: around the waist, along the spine, under the ribs and at the floor of the pelvis. They work before you move, and they work quietly.',
          'On a moving carriage they have to. Push too fast and it runs away; lose your middle and it tells you at once.',
        ],
      },
      {
        heading: 'Springs that help and springs that ask',
        text: [
          'A heavier spring often makes an exercise easier, because it supports you; a lighter one can make the same movement far harder. That is why two people on two reformers can do the same exercise at quite different levels.',
        ],
      },
      {
        heading: 'What you notice first',
        text: [
          'Most people first notice that they sit differently, then that they get up from the floor more easily. Strength you can see comes later, and matters less.',
        ],
      },
    ],
  },
  {
    id: 2,
    slug: 'one-on-one-vs-group-classes',
    title: 'One-on-one or duo: which suits you?',
    excerpt: 'Two ways to practise, what each is good at, and how to choose.',
    date: '2024-07-01',
    readTime: 4,
    author,
    image: pictures.blogRing,
    wideImage: pictures.blogRingWide,
    sections: [
      {
        heading: 'One-on-one',
        text: [
          'The whole session is planned around you. It is the better start if you are new to the reformer, coming back after an injury, or working towards something in particular.',
        ],
      },
      {
        heading: 'Duo',
        text: [
          'Two reformers, one teacher. You work side by side, each at your own level. Many people find that they try a little harder, and laugh a little more, with somebody beside them.',
        ],
      },
      {
        heading: 'Or both',
        text: ['Begin with one or two sessions on your own to learn the machine, then come as a pair.'],
      },
    ],
  },
  {
    id: 3,
    slug: 'preparing-first-reformer-pilates-session',
    title: 'Preparing for your first session',
    excerpt: 'What to wear, what to eat, what to tell us, and what happens when you arrive.',
    date: '2024-06-01',
    readTime: 5,
    author,
    image: pictures.blogSill,
    wideImage: pictures.blogSillWide,
    sections: [
      {
        heading: 'Before you come',
        text: [
          'Wear something you can move in, and socks, with grips if you have them. Eat lightly, and not in the last two hours.',
          'Fill in the health questionnaire when you book. It takes about three minutes and lets us plan around an old injury instead of finding it.',
        ],
      },
      {
        heading: 'When you arrive',
        text: [
          'Come five minutes early. We talk first: how you feel, what you would like. Then you learn how the carriage, the springs and the straps work before anything becomes difficult.',
        ],
      },
      {
        heading: 'Afterwards',
        text: [
          'You may feel muscles that you did not know. Drink something, walk a little, and come back within the week.',
        ],
      },
    ],
  },
]

/** The article of a slug, if there is one. */
export function postOf(slug: string | undefined): Post | undefined {
  return posts.find((post) => post.slug === slug)
}
