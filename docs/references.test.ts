import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import GithubSlugger from 'github-slugger'
import { describe, expect, test } from 'vitest'

/** Files of the repository, by path. */
type Files = ReadonlyMap<string, string>

const root = join(import.meta.dirname, '..')
const OURS = '{assets,deploy,docs,e2e,lab,migrations,public,scripts,src,stripe-sandbox,twilio-sandbox}'

/** Whether a page may call one of these files so: by its path, or by the end of it. */
const isThere = (files: Files, named: string) =>
  files.has(named) || [...files.keys()].some((file) => file.endsWith(`/${named}`))

/** Addresses of a page's headings, as GitHub makes them. */
function anchorsOf(page: string): Set<string> {
  const slugger = new GithubSlugger()
  return new Set([...page.matchAll(/^#{1,6} (.+)$/gm)].map(([, title = '']) => slugger.slug(title)))
}

function missing(files: Files, from: string, file: string, anchor: string | undefined): string[] {
  const target = files.get(file)
  if (target === undefined) return [`${from}: no ${file}`]
  return anchor && !anchorsOf(target).has(anchor) ? [`${from}: nothing is called #${anchor} in ${file}`] : []
}

/** What a page names or leads to and is not there, a sentence each. */
function faultsOfPage(files: Files, page: string): string[] {
  const text = files.get(page) ?? ''
  const named = [...text.matchAll(/`((?:[\w.@-]+\/)*[\w-][\w.-]*\.(?:tsx?|mjs|md|sql))`/g)].map(([, file = '']) => file)
  const links = [...text.matchAll(/\]\((?!\w+:)([^)#\s]*)(?:#([^)]+))?\)/g)]
  return [
    ...named.filter((file) => !isThere(files, file)).map((file) => `${page}: no ${file}`),
    ...links.flatMap(([, path = '', anchor]) => {
      const file = path === '' ? page : posix.join(posix.dirname(page), path)
      const isFolder = [...files.keys()].some((one) => one.startsWith(`${file.replace(/\/$/, '')}/`))
      return isFolder ? [] : missing(files, page, file, anchor)
    }),
  ]
}

/** Pages that a file of code sends its readers to and that are not there. */
function faultsOfCode(files: Files, file: string): string[] {
  const sent = [...(files.get(file) ?? '').matchAll(/\b(docs\/[\w/-]+\.md)(?:#([\w-]+))?/g)]
  return sent.flatMap(([, page = '', anchor]) => missing(files, file, page, anchor))
}

describe('pages and code', () => {
  const exclude = ({ name }: { name: string }) => name === 'node_modules'
  const names = globSync([`${OURS}/**/*`, '*.*'], { cwd: root, withFileTypes: true, exclude })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      posix.relative(root.replaceAll('\\', '/'), join(entry.parentPath, entry.name).replaceAll('\\', '/')),
    )
  const read = /\.(tsx?|mjs|md|mdx|sql|sh|service|css)$/
  const files: Files = new Map(
    names.map((name) => [name, read.test(name) ? readFileSync(join(root, name), 'utf8') : '']),
  )
  const pages = names.filter((name) => name.endsWith('.md'))
  const code = names.filter((name) => read.test(name) && !name.endsWith('.md') && !name.includes('.test.'))

  test('every file and heading that a page names is there', () => {
    expect(pages.length).toBeGreaterThan(30)
    expect(pages.flatMap((page) => faultsOfPage(files, page))).toEqual([])
  })

  test('every page and heading that code sends its readers to is there', () => {
    expect(code.flatMap((file) => faultsOfCode(files, file))).toEqual([])
  })
})
