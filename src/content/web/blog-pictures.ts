import type { PictureSource } from '#ui/picture-source.ts'
import { files } from './blog-picture-files.ts'
import { withBlurPreviews } from './blur-previews.ts'

/** Like `pictures.ts`, but in its own file so that only the blog loads it. */
export const blogPictures = withBlurPreviews({
  blogFootbar: {
    ...files.blogFootbar,
    alt: 'Visualisation of a reformer’s foot bar, close',
  },
  blogFootbarWide: {
    ...files.blogFootbarWide,
    alt: 'Visualisation of a reformer’s foot bar and springs, close',
  },
  blogRing: {
    ...files.blogRing,
    alt: 'Visualisation of two balls and a ring on a herringbone floor',
  },
  blogRingWide: {
    ...files.blogRingWide,
    alt: 'Visualisation of a ring and two balls on a herringbone floor',
  },
  blogRiser: {
    ...files.blogRiser,
    alt: 'Visualisation of the pulley post and rope of a reformer',
  },
  blogRiserWide: {
    ...files.blogRiserWide,
    alt: 'Visualisation of the pulley post and rope of a reformer, close',
  },
  blogSill: {
    ...files.blogSill,
    alt: 'Visualisation of books and dried grasses on a window sill',
  },
  blogSillWide: {
    ...files.blogSillWide,
    alt: 'Visualisation of books, a ball and a vase on a window sill',
  },
} satisfies Record<keyof typeof files, PictureSource>)
