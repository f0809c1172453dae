import { readFile } from 'node:fs/promises'
import { minify, type Plugin, transformWithOxc } from 'vite'

const QUERY = '?script'

/**
 * `import text from './file.ts?script'`: a script without imports as JavaScript text, for scripts that are inlined in a
 * page and for the service worker.
 */
export function inlineScripts(): Plugin {
  return {
    name: 'inline-scripts',
    async load(id) {
      if (!id.endsWith(QUERY)) return undefined
      const file = id.slice(0, -QUERY.length)
      this.addWatchFile(file)
      const { code } = await transformWithOxc(await readFile(file, 'utf8'), file)
      const minified = await minify(file, code)
      return `export default ${JSON.stringify(minified.code)}`
    },
  }
}
