import { Children, cloneElement, isValidElement, type ReactElement, type ReactNode, use } from 'react'
import { Scripts } from 'react-router'
import { Frame } from './frame.ts'
import { beforeScripts } from './wake-scripts.ts'

/**
 * React Router's scripts, which the server lets begin after what is seen: as the last in line, or not before the page
 * has been painted (`wake-scripts.ts`).
 */
export function PageScripts() {
  const { scripts, nonce } = use(Frame)
  const tags = Scripts({})
  if (!import.meta.env.SSR || import.meta.env.DEV) return tags
  return (
    <>
      {changed(tags, scripts === 'later' ? ASLEEP : LAST_IN_LINE)}
      <script nonce={nonce}>{beforeScripts(scripts)}</script>
    </>
  )
}

const ASLEEP = { link: { rel: 'later' }, module: { type: 'text/later', async: false } }
const LAST_IN_LINE = { link: { fetchPriority: 'low' } }

type Changes = { link: object; module?: object }
type Tag = ReactElement<{ type?: string; children?: ReactNode }>

/** The same elements; links to modules, and the one script that begins everything, with other attributes. */
function changed(node: ReactNode, changes: Changes): ReactNode {
  return Children.map(node, (tag) => {
    if (!isValidElement(tag)) return tag
    const { type, props }: Tag = tag as Tag
    if (type === 'link') return cloneElement(tag, changes.link)
    if (type === 'script') return props.type === 'module' ? cloneElement(tag, changes.module) : tag
    return changed(props.children, changes)
  })
}
