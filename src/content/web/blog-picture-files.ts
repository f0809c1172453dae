// Made by `npm run lab -- pictures` (lab/pictures/make.ts) out of the masters in assets/pictures. Not for editing.
import type { PictureFiles } from '#ui/picture-source.ts'

export const files = {
  blogFootbar: {
    folder: 'blog-footbar.efdffa02',
    width: 590,
    height: 738,
    widths: [320, 480, 590],
    colour: '#ac9676',
  },
  blogFootbarWide: {
    folder: 'blog-footbar-wide.1e237dfe',
    width: 984,
    height: 738,
    widths: [320, 480, 640, 800, 984],
    colour: '#ac9777',
  },
  blogRing: {
    folder: 'blog-ring.b720a0cd',
    width: 800,
    height: 1000,
    widths: [320, 480, 640, 800],
    colour: '#c2ad8c',
  },
  blogRingWide: {
    folder: 'blog-ring-wide.e7e26f7c',
    width: 800,
    height: 600,
    widths: [320, 480, 640, 800],
    colour: '#c4af8f',
  },
  blogRiser: {
    folder: 'blog-riser.1d88494f',
    width: 800,
    height: 1000,
    widths: [320, 480, 640, 800],
    colour: '#b39d7c',
  },
  blogRiserWide: {
    folder: 'blog-riser-wide.fd2d7890',
    width: 800,
    height: 600,
    widths: [320, 480, 640, 800],
    colour: '#b59e7a',
  },
  blogSill: {
    folder: 'blog-sill.4cb18e3c',
    width: 800,
    height: 1000,
    widths: [320, 480, 640, 800],
    colour: '#c8bead',
  },
  blogSillWide: {
    folder: 'blog-sill-wide.71886376',
    width: 800,
    height: 600,
    widths: [320, 480, 640, 800],
    colour: '#d5ccbb',
  },
} as const satisfies Record<string, PictureFiles>
