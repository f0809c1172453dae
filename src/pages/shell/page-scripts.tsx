import { createContext, use } from 'react'
import { Scripts } from 'react-router'
import lateScripts from './late-scripts.ts?script'

/** How the server renders the document. Empty in the browser. */
export type PageFrame = {
  /** The style sheet. Absent in development, where it is linked. */
  css?: string
  /** Allows inline scripts on a page that is rendered for one request. */
  nonce?: string
  /** Renders React Router's scripts and nothing else. */
  isScriptsOnly?: boolean
  /** React Router's scripts, which start after the first paint. Absent: they start immediately. */
  late?: string
}

export const Frame = createContext<PageFrame>({})

/** React Router's scripts. On a page that arrives complete they wait in a template until it has been painted. */
export function PageScripts() {
  const { late, nonce } = use(Frame)
  if (!import.meta.env.SSR || late === undefined) return <Scripts />
  return (
    <>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: rendered by React */}
      <template id="scripts" dangerouslySetInnerHTML={{ __html: late }} />
      <script nonce={nonce}>{lateScripts}</script>
    </>
  )
}
