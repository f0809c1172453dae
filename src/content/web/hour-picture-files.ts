// Made by `npm run lab -- pictures` (lab/pictures/make.ts) out of the masters in assets/pictures. Not for editing.
import type { PictureFiles } from '#ui/picture-source.ts'

export const files = {
  heroEarlyWide: {
    folder: 'hero-early-wide.343c065d',
    width: 1920,
    height: 1008,
    widths: [320, 480, 640, 800, 960, 1280, 1600, 1920],
    colour: '#b0a28b',
  },
  heroEarlyPortrait: {
    folder: 'hero-early-portrait.946612c7',
    width: 1000,
    height: 1288,
    widths: [320, 480, 640, 800, 1000],
    colour: '#b2a188',
  },
  heroNoonWide: {
    folder: 'hero-noon-wide.fe5407ea',
    width: 1920,
    height: 1008,
    widths: [320, 480, 640, 800, 960, 1280, 1600, 1920],
    colour: '#beb098',
  },
  heroNoonPortrait: {
    folder: 'hero-noon-portrait.418d521d',
    width: 1000,
    height: 1288,
    widths: [320, 480, 640, 800, 1000],
    colour: '#bdad93',
  },
  heroEveningWide: {
    folder: 'hero-evening-wide.39556489',
    width: 1920,
    height: 1008,
    widths: [320, 480, 640, 800, 960, 1280, 1600, 1920],
    colour: '#9f886d',
  },
  heroEveningPortrait: {
    folder: 'hero-evening-portrait.d122e75e',
    width: 1000,
    height: 1288,
    widths: [320, 480, 640, 800, 1000],
    colour: '#a08669',
  },
} as const satisfies Record<string, PictureFiles>
