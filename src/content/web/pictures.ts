import type { PictureSource } from '../../ui/picture.tsx'
import blog1 from './pictures/blog-1.webp'
import blog2 from './pictures/blog-2.webp'
import blog2480 from './pictures/blog-2-480.webp'
import blog3 from './pictures/blog-3.webp'
import blog3480 from './pictures/blog-3-480.webp'
import blog4 from './pictures/blog-4.webp'
import blog4480 from './pictures/blog-4-480.webp'
import classDuo from './pictures/class-duo.webp'
import classDuo640 from './pictures/class-duo-640.webp'
import classOneOnOne from './pictures/class-one-on-one.webp'
import classOneOnOne640 from './pictures/class-one-on-one-640.webp'
import galleryCarriage from './pictures/gallery-carriage.webp'
import galleryCarriage640 from './pictures/gallery-carriage-640.webp'
import galleryFootbar from './pictures/gallery-footbar.webp'
import galleryFootbar560 from './pictures/gallery-footbar-560.webp'
import galleryNiche from './pictures/gallery-niche.webp'
import galleryNiche480 from './pictures/gallery-niche-480.webp'
import galleryShelf from './pictures/gallery-shelf.webp'
import galleryShelf560 from './pictures/gallery-shelf-560.webp'
import galleryStool from './pictures/gallery-stool.webp'
import galleryStool480 from './pictures/gallery-stool-480.webp'
import galleryWall from './pictures/gallery-wall.webp'
import galleryWall800 from './pictures/gallery-wall-800.webp'
import galleryWindow from './pictures/gallery-window.webp'
import galleryWindow560 from './pictures/gallery-window-560.webp'
import heroPortrait from './pictures/hero-portrait.webp'
import heroPortrait640 from './pictures/hero-portrait-640.webp'
import heroPortrait828 from './pictures/hero-portrait-828.webp'
import heroWide from './pictures/hero-wide.webp'
import heroWide960 from './pictures/hero-wide-960.webp'
import heroWide1440 from './pictures/hero-wide-1440.webp'
import instructorPlaceholder from './pictures/instructor-placeholder.webp'
import instructorPlaceholder480 from './pictures/instructor-placeholder-480.webp'
import wideWall from './pictures/wide-wall.webp'
import wideWall960 from './pictures/wide-wall-960.webp'

/** The pictures are rendered visualisations of one room; the words describe the scene and claim nothing more. */
export const pictures = {
  heroWide: {
    src: heroWide,
    width: 1920,
    height: 1008,
    narrower: [
      [960, heroWide960],
      [1440, heroWide1440],
    ],
    alt: 'A sunlit studio with an oak reformer, an olive tree and arched shelves',
  },
  heroPortrait: {
    src: heroPortrait,
    width: 1000,
    height: 1288,
    narrower: [
      [640, heroPortrait640],
      [828, heroPortrait828],
    ],
    alt: 'A sunlit studio with an oak reformer and an olive tree',
  },
  classOneOnOne: {
    src: classOneOnOne,
    width: 1200,
    height: 900,
    narrower: [[640, classOneOnOne640]],
    alt: 'One reformer in a quiet room in morning light',
  },
  classDuo: {
    src: classDuo,
    width: 1200,
    height: 900,
    narrower: [[640, classDuo640]],
    alt: 'Two reformers side by side in a light room',
  },
  galleryCarriage: {
    src: galleryCarriage,
    width: 960,
    height: 1224,
    narrower: [[640, galleryCarriage640]],
    alt: 'Reformer carriage with shoulder rests and cotton loops',
  },
  galleryFootbar: {
    src: galleryFootbar,
    width: 1000,
    height: 738,
    narrower: [[560, galleryFootbar560]],
    alt: 'Foot bar and springs of a reformer',
  },
  galleryNiche: {
    src: galleryNiche,
    width: 900,
    height: 960,
    narrower: [[480, galleryNiche480]],
    alt: 'Arched niche with towels and small props',
  },
  galleryShelf: {
    src: galleryShelf,
    width: 1000,
    height: 738,
    narrower: [[560, galleryShelf560]],
    alt: 'Rolled towels and two small balls on an oak shelf',
  },
  galleryStool: {
    src: galleryStool,
    width: 800,
    height: 853,
    narrower: [[480, galleryStool480]],
    alt: 'Dried grasses in a stoneware vase on a stool',
  },
  galleryWall: {
    src: galleryWall,
    width: 1600,
    height: 560,
    narrower: [[800, galleryWall800]],
    alt: 'Leaf shadows on a limewashed wall',
  },
  galleryWindow: {
    src: galleryWindow,
    width: 828,
    height: 1000,
    narrower: [[560, galleryWindow560]],
    alt: 'Olive tree beside a tall sash window',
  },
  wideWall: {
    src: wideWall,
    width: 1600,
    height: 761,
    narrower: [[960, wideWall960]],
    alt: 'Afternoon light and the shadow of an olive tree on a plain wall',
  },
  instructorPlaceholder: {
    src: instructorPlaceholder,
    width: 800,
    height: 1000,
    narrower: [[480, instructorPlaceholder480]],
    alt: 'A corner of the studio with a vase of dried grasses',
  },
  blog1: {
    src: blog1,
    width: 590,
    height: 738,
    alt: 'Foot bar of a reformer, close',
  },
  blog2: {
    src: blog2,
    width: 800,
    height: 1000,
    narrower: [[480, blog2480]],
    alt: 'A ball and a ring on a herringbone floor',
  },
  blog3: {
    src: blog3,
    width: 800,
    height: 1000,
    narrower: [[480, blog3480]],
    alt: 'Riser and rope of a reformer',
  },
  blog4: {
    src: blog4,
    width: 800,
    height: 1000,
    narrower: [[480, blog4480]],
    alt: 'Books and dried grasses on a window sill',
  },
} satisfies Record<string, PictureSource>
