import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import sharp from 'sharp'
import { initialFacts } from '#studio.ts'
import { findChromium } from '#testing/chromium.ts'

const PAPER = '#FBF8F3'
const INK = '#2B2722'
const INK_SOFT = '#5A5249'
const SAGE_DARK = '#363B2D'

/** Makes icons and the share card in `public/` from `assets/`. */
export async function makeBrand(project: string): Promise<void> {
  const into = (file: string) => join(project, 'public', file)
  const favicon = await readFile(join(project, 'assets/brand/favicon.svg'))
  await writeFile(into('favicon.svg'), favicon)
  await png(favicon, 32, into('icon-32.png'))
  await png(favicon, 192, into('icon-192.png'))
  await png(favicon, 512, into('icon-512.png'))
  // Systems crop these: the background reaches the edges, the logo stays in the middle 80 %.
  const full = svgWithoutCorners(favicon.toString())
  await png(await onBackground(full, 180, 0.86), 180, into('apple-touch-icon.png'))
  await png(await onBackground(full, 192, 0.8), 192, into('icon-maskable-192.png'))
  await png(await onBackground(full, 512, 0.8), 512, into('icon-maskable-512.png'))
  await shareCard(project, into('share.jpg'))
}

const svgWithoutCorners = (svg: string) => Buffer.from(svg.replace(/ rx="8"/, ''))

async function png(source: Buffer, size: number, file: string): Promise<void> {
  await writeFile(
    file,
    await sharp(source, { density: 72 * 16 })
      .resize(size, size)
      .png({ palette: true })
      .toBuffer(),
  )
}

async function onBackground(svg: Buffer, size: number, share: number): Promise<Buffer> {
  const mark = await sharp(svg, { density: 72 * 16 })
    .resize(Math.round(size * share))
    .png()
    .toBuffer()
  const ground = { width: size, height: size, channels: 3 as const, background: SAGE_DARK }
  return sharp({ create: ground })
    .composite([{ input: mark }])
    .png()
    .toBuffer()
}

/** The share card, 1200 x 630, rendered by a browser. */
async function shareCard(project: string, file: string): Promise<void> {
  const room = await sharp(join(project, 'assets/pictures/masters/heroP.webp'))
    .extract({ left: 0, top: 300, width: 1000, height: 940 })
    .resize(670, 630)
    .png()
    .toBuffer()
  const browser = await chromium.launch(await findChromium())
  try {
    const page = await browser.newPage({ viewport: { width: 1200, height: 630 } })
    await page.setContent(await cardHtml(project, room))
    await page.evaluate('document.fonts.ready')
    await writeFile(
      file,
      await sharp(await page.screenshot())
        .jpeg({ quality: 84, mozjpeg: true })
        .toBuffer(),
    )
  } finally {
    await browser.close()
  }
}

async function cardHtml(project: string, room: Buffer): Promise<string> {
  const data = (type: string, bytes: Buffer) => `url(data:${type};base64,${bytes.toString('base64')})`
  const face = async (family: string, style: string, file: string) => {
    const bytes = await readFile(join(project, 'node_modules', file))
    return `@font-face { font-family: ${family}; font-style: ${style}; font-weight: 300 900; src: ${data('font/woff2', bytes)} }`
  }
  return `<!doctype html><meta charset="utf-8"><style>
${await face('serif-display', 'normal', '@fontsource/instrument-serif/files/instrument-serif-latin-400-normal.woff2')}
${await face('serif-display', 'italic', '@fontsource/instrument-serif/files/instrument-serif-latin-400-italic.woff2')}
${await face('sans-text', 'normal', '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2')}
body { margin: 0; height: 630px; background: ${PAPER} ${data('image/png', room)} no-repeat right; color: ${INK} }
main { box-sizing: border-box; width: 530px; height: 630px; padding: 62px 0 58px 68px; display: flex; flex-direction: column }
p { margin: 0; font: 400 42px/1 serif-display; letter-spacing: -.01em }
h1 { margin: auto 0 28px; font: 400 104px/.9 serif-display; letter-spacing: -.025em }
p.where { font: 450 25px/1.3 sans-text; letter-spacing: 0; color: ${INK_SOFT} }
</style><main><p>${initialFacts.name}</p><h1>Pilates,<br>with room<br><em>to breathe.</em></h1>
<p class="where">One-on-one and duo reformer<br>${initialFacts.address.town}, ${initialFacts.address.county}</p></main>`
}
