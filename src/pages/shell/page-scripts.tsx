import { createContext, use } from 'react'
import { Scripts } from 'react-router'
import lateScripts from './late-scripts.ts?script'

/** How the server draws the document. The browser has none of it. */
export type PageFrame = {
  /** Allows inline scripts on a page that is drawn for one request. */
  nonce?: string
  /** Draws React Router's scripts and nothing else. */
  isScriptsOnly?: boolean
  /** React Router's scripts, which start after the first paint. Absent: they start at once. */
  late?: string
}

export const Frame = createContext<PageFrame>({})

/** React Router's scripts. On a public page they wait in a template until the page has been painted. */
export function PageScripts() {
  const { late } = use(Frame)
  if (late === undefined) return <Scripts />
  return (
    <>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: drawn by React */}
      <template id="scripts" dangerouslySetInnerHTML={{ __html: late }} />
      <script>{lateScripts}</script>
    </>
  )
}
