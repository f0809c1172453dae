import { Children, cloneElement, isValidElement, type ReactElement, type ReactNode, use } from 'react'
import { Scripts } from 'react-router'
import { Frame } from './frame.ts'
import { wakeScriptsText } from './wake-scripts.ts'

/**
 * React Router's scripts, which the server lets begin after what is seen: as the last in line, or not before the page
 * has been painted (`wake-scripts.ts`).
 */
export function PageScripts() {
  const { scripts } = use(Frame)
  const tags = Scripts({})
  if (!import.meta.env.SSR || import.meta.env.DEV) return tags
  if (scripts === 'soon') return changed(tags, { link: { fetchPriority: 'low' } })
  return (
    <>
      {changed(tags, { link: { rel: 'later' }, module: { type: 'later' } })}
      <script>{wakeScriptsText()}</script>
    </>
  )
}

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
