import { createContext } from 'react'

/** What the server gives a page besides its content. */
export type PageFrame = {
  /** The style sheet, which stands in the page itself: words are drawn as soon as they are there. Empty in development. */
  css: string
  /** Whether scripts begin when the page has been painted, or as soon as may be. */
  scripts: 'later' | 'soon'
  /** Allows inline scripts, on a page that is drawn for one request. */
  nonce?: string
}

/** In the browser: what the page came with. */
export const Frame = createContext<PageFrame>({
  css: globalThis.document?.getElementById('theme')?.innerHTML ?? '',
  scripts: 'soon',
})
