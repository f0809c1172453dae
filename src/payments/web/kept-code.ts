const KEY = 'promotion-code'

/** Keeps the promotion code of a link for this tab, until it is used or removed. Anything else in the address is ignored. */
export function keepCode(text: string | null): void {
  if (text && /^[a-z0-9-]{3,24}$/i.test(text.trim())) sessionStorage.setItem(KEY, text.trim().toUpperCase())
}

export const keptCode = () => (import.meta.env.SSR ? '' : (sessionStorage.getItem(KEY) ?? ''))
export const forgetCode = () => sessionStorage.removeItem(KEY)
