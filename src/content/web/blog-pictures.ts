import { files } from './blog-picture-files.ts'
import { describePictures } from './describe-pictures.ts'

/** Like `pictures.ts`, but in its own file so that only the blog loads it. */
export const blogPictures = describePictures(files, {
  blogFootbar: 'Visualisation of a reformer’s foot bar, close',
  blogFootbarWide: 'Visualisation of a reformer’s foot bar and springs, close',
  blogRing: 'Visualisation of two balls and a ring on a herringbone floor',
  blogRingWide: 'Visualisation of a ring and two balls on a herringbone floor',
  blogRiser: 'Visualisation of the pulley post and rope of a reformer',
  blogRiserWide: 'Visualisation of the pulley post and rope of a reformer, close',
  blogSill: 'Visualisation of books and dried grasses on a window sill',
  blogSillWide: 'Visualisation of books, a ball and a vase on a window sill',
})
