import { parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { phoneNumber } from '#foundation/fields.ts'
import { plainCell } from '../file/clean-text.ts'
import { isNone } from './words.ts'

/** `note`: what of the cell was left out. */
export type ReadPhone = { phone: string; note?: string }

const LABEL = /^(?:tel|telephone|phone|ph|mob|mobile|cell|home|work|t|m|p|h|w)\b ?[.:]? ?(?=[+(\d])/i
const EXTENSION = /[ ,]*\b(?:ext(?:ension|n)?|x)[ .:]*\d{1,6}$/i
/** Words in brackets or after the number: (mum). */
const WORDS = /[ ,-]*\([^)]*\p{L}[^)]*\)|[ ,:-]+\p{L}[\p{L} .'-]*$/gu
/** Between two numbers. */
const BETWEEN = /\s*(?:[;,|]|\bor\b|\band\b|&|\/)\s*/i
const MIN_DIGITS = 7

/** Reads a phone number. Null for an empty cell, undefined for anything else. */
export function phoneOf(cell: string): ReadPhone | null | undefined {
  if (isNone(cell)) return null
  const text = plainCell(cell)
    .replace(/[·•∙]/g, ' ')
    .replace(/^(\d{9,})\.0$/, '$1')
    .replace(LABEL, '')
  const number = text.replace(EXTENSION, '').replace(WORDS, '').trim()
  const parts = number.split(BETWEEN)
  const isSeveral = parts.length > 1 && parts.every((part) => digitsOf(part).length >= MIN_DIGITS)
  const phone = phoneNumber.safeParse(isSeveral ? (parts.find(isMobile) ?? parts[0]) : number).data
  if (!phone) return undefined
  const note = `“${cell.slice(0, 80)}” is imported as ${phone}.`
  return phone === text ? { phone } : { phone, note }
}

const digitsOf = (text: string) => text.replace(/\D/g, '')

/** Whether a number is a British mobile one. */
export const isMobile = (phone: string) => /^\+447(?![06])/.test(callable(phone) ?? '')

const callable = (phone: string) => {
  const number = parsePhoneNumberFromString(phone, 'GB')
  return number?.isPossible() ? number.number : undefined
}

/** The same for different spellings of a number. */
export const phoneKey = (phone: string) => callable(phone) ?? digitsOf(phone)
