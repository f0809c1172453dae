import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { encode } from 'uqr'
import { addressLine } from '#facts/rules.ts'
import { currentFacts } from '#facts/server/facts.ts'
import { many } from '#foundation/collections.ts'
import { formatInstantDate } from '#foundation/instants.ts'
import { pictureForPaper } from '#pictures/server/pictures.ts'
import type { Reader } from '#platform/database/database.ts'
import type { Card } from '#vouchers/server/vouchers.ts'
import { FONTS, toDrawable } from './paper.ts'

/** A5 in points; it prints on A4 too. */
const PAGE = { width: 419.53, height: 595.28 }
const MARGIN = 36
const WIDTH = PAGE.width - 2 * MARGIN
const INK = '#2b2722'
const SOFT = '#6d665c'
const SAGE = '#4a503d'
const LINEN = '#f4eee5'
const LINE = '#d9d2c6'
const ARCH = { width: 190, top: 70, height: 138 }
const QR_SIZE = 74
/** Where the message may be, and the sizes in which it may be set. */
const MESSAGE = { top: 282, bottom: 400, sizes: [14, 11.5, 10, 8.5] }

const PICTURE = join(import.meta.dirname, '../../../../public/share.jpg')

/** Pixels for a point, for a sharp picture on paper. */
const SHARPNESS = 4

/** The card of a gift voucher as PDF, with the owner's first picture or ours. A long message is on a second page. */
export async function voucherPdf(reader: Reader, card: Card, appUrl: string): Promise<Buffer> {
  const studio = await currentFacts(reader)
  const { hero } = studio.pictures
  const pixels = { width: ARCH.width * SHARPNESS, height: ARCH.height * SHARPNESS }
  const own = hero && (await pictureForPaper(reader, hero, pixels))
  const { default: Document } = await import('pdfkit')
  const doc = new Document({
    size: 'A5',
    margin: 0,
    lang: 'en-GB',
    displayTitle: true,
    info: { Title: `Gift voucher, ${studio.name}`, Author: studio.name },
    font: FONTS.plain,
  })
  for (const [name, file] of Object.entries(FONTS)) doc.registerFont(name, file)
  const written = buffer(doc)

  const pick = (text: string, bold = false) => {
    const drawn = toDrawable(text)
    const plainOrBold = bold ? 'bold' : 'plain'
    doc.font(drawn.font === 'wide' ? 'wide' : plainOrBold)
    return drawn.text
  }
  type Look = { size: number; bold?: boolean; color?: string; spacing?: number }
  /** Writes centred text of at most two lines. @returns where it ends */
  const centred = (text: string, y: number, { size, bold = false, color = INK, spacing = 0 }: Look) => {
    const drawn = pick(text, bold)
    doc.fontSize(size).fillColor(color)
    // A long name is cut, so that it never runs into what is below.
    const options = { width: WIDTH, align: 'center' as const, height: size * 2.6, ellipsis: true }
    doc.text(drawn, MARGIN, y, { ...options, characterSpacing: spacing })
    return doc.y
  }

  doc.rect(0, 0, PAGE.width, PAGE.height).fill(LINEN)
  centred(studio.name, 34, { size: 15, bold: true, color: SAGE })

  const left = (PAGE.width - ARCH.width) / 2
  const arch = () => {
    const radius = ARCH.width / 2
    doc
      .moveTo(left, ARCH.top + ARCH.height)
      .lineTo(left, ARCH.top + radius)
      .bezierCurveTo(left, ARCH.top + radius * 0.448, left + radius * 0.448, ARCH.top, left + radius, ARCH.top)
      .bezierCurveTo(
        left + radius * 1.552,
        ARCH.top,
        left + ARCH.width,
        ARCH.top + radius * 0.448,
        left + ARCH.width,
        ARCH.top + radius,
      )
      .lineTo(left + ARCH.width, ARCH.top + ARCH.height)
      .closePath()
  }
  doc.save()
  arch()
  doc.clip()
  // Only the right side of our picture, because its left side has words on it.
  const width = ARCH.width * 2.28
  if (own) doc.image(own, left, ARCH.top, { width: ARCH.width, height: ARCH.height })
  else doc.image(PICTURE, left + ARCH.width - width, ARCH.top - 56, { width })
  doc.restore()

  // A name of emoji alone leaves nothing.
  const recipient = toDrawable(card.recipientName ?? '').text
  const from = toDrawable(card.from ?? '').text
  const title = recipient ? `A gift for ${recipient}` : 'A gift'
  const below = centred(title, 218, { size: title.length > 36 ? 14 : 19, bold: true })
  const what = `${card.packageName}, ${many(card.classCount, 'class', 'classes')}`
  centred(from ? `${what}, from ${from}` : what, below + 3, { size: 10.5, color: SOFT })

  const message = pick(card.message ?? '')
  const room = MESSAGE.bottom - MESSAGE.top
  const options = { width: WIDTH, align: 'center' as const }
  const size = MESSAGE.sizes.find((points) => doc.fontSize(points).heightOfString(message, options) <= room)
  const isOverleaf = message !== '' && size === undefined
  if (message && size)
    doc
      .fontSize(size)
      .fillColor(INK)
      .text(message, MARGIN, MESSAGE.top + 6, options)
  else if (isOverleaf) centred('Your message is on the next page.', MESSAGE.top + 40, { size: 11, color: SOFT })

  doc.roundedRect(MARGIN, 410, WIDTH, 62, 8).fillAndStroke('#ffffff', LINE)
  centred(card.code, 421, { size: 21, bold: true, spacing: 1.5 })
  centred(`Redeem it by ${formatInstantDate(card.expiresAt)}`, 450, { size: 10.5, color: SOFT })

  drawQr(doc, `${appUrl}/pricing#voucher`, MARGIN, 486)
  const x = MARGIN + QR_SIZE + 16
  const how = `Scan this or go to ${appUrl.replace(/^https?:\/\//, '')}/pricing, choose “Redeem a voucher” and enter the code. You need an account, which is free. The pass is valid from the day you redeem it.`
  doc.fontSize(9.5).fillColor(INK)
  doc.text(pick(how), x, 488, { width: PAGE.width - MARGIN - x })
  doc.fontSize(8).fillColor(SOFT)
  doc.text(pick(`${addressLine(studio.address)} · ${studio.phone}`), x, 546, { width: PAGE.width - MARGIN - x })

  if (isOverleaf) {
    doc.addPage({ size: 'A5', margin: 0 })
    doc.rect(0, 0, PAGE.width, PAGE.height).fill(LINEN)
    const text = pick(message)
    const fits = [11, 10, 9, 8, 7].find((points) => doc.fontSize(points).heightOfString(text, options) <= 523) ?? 6
    doc
      .fontSize(fits)
      .fillColor(INK)
      .text(text, MARGIN, MARGIN, { ...options, height: 523, align: 'left' })
  }
  doc.end()
  return await written
}

type Doc = { rect(x: number, y: number, w: number, h: number): { fill(color: string): unknown } }

function drawQr(doc: Doc, text: string, x: number, y: number): void {
  const { data, size } = encode(text, { border: 1 })
  const cell = QR_SIZE / size
  doc.rect(x, y, QR_SIZE, QR_SIZE).fill('#ffffff')
  for (const [row, cells] of data.entries()) {
    for (const [column, isDark] of cells.entries()) {
      if (isDark) doc.rect(x + column * cell, y + row * cell, cell + 0.05, cell + 0.05).fill('#000000')
    }
  }
}
