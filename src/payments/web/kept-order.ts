import { newKey } from '#foundation/call.ts'

const CODE = 'promotion-code'
const GIFT = 'gift'
const TAB = 'tab'

/** The key of this tab. It stays over a visit to the bank's page. */
export function tabKey(): string {
  const key = sessionStorage.getItem(TAB) ?? newKey()
  sessionStorage.setItem(TAB, key)
  return key
}

/** Keeps the promotion code of a link for this tab, until it is used or removed. Ignores the rest of the address. */
export function keepCode(text: string | null): void {
  if (text && /^[a-z0-9-]{3,24}$/i.test(text.trim())) sessionStorage.setItem(CODE, text.trim().toUpperCase())
}

export const keptCode = () => (import.meta.env.SSR ? '' : (sessionStorage.getItem(CODE) ?? ''))

/** Keeps in this tab, for its own member, what was typed about a gift, until it is paid or they log out. */
export function keepGift(userId: string, typed: object): void {
  sessionStorage.setItem(GIFT, JSON.stringify({ userId, typed }))
}

/** What the member typed about a gift; anything, as the browser may have been tampered with. */
export function keptGift(userId: string): unknown {
  try {
    const kept = JSON.parse(sessionStorage.getItem(GIFT) ?? 'null')
    return kept?.userId === userId ? kept.typed : undefined
  } catch {
    return undefined
  }
}

/** After the order was paid. */
export function forgetOrder(): void {
  sessionStorage.removeItem(CODE)
  sessionStorage.removeItem(GIFT)
}

export const forgetCode = () => sessionStorage.removeItem(CODE)
