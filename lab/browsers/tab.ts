import { readdir } from 'node:fs/promises'
import type { Engine } from './engine.ts'
import { waitFor } from './engine.ts'

const KINDS = {
  button: 'button:not([role=tab]), [role=button], summary',
  link: 'a[href]',
  tab: '[role=tab]',
  field: 'input:not([type=checkbox], [type=radio], [type=file]), textarea',
  select: 'select',
  box: 'input[type=checkbox], [role=checkbox]',
  file: 'input[type=file]',
} as const

/** Runs in the page: the first usable element whose name matches, in a dialog if one is open, once it stands still. */
const FIND = `async (selector, pattern, flags) => {
  const dialogs = [...document.querySelectorAll('[role=dialog], [role=alertdialog]')]
  const scope = dialogs.filter((dialog) => dialog.checkVisibility()).at(-1) ?? document
  const name = new RegExp(pattern, flags)
  const textOf = (id) => document.getElementById(id)?.textContent ?? ''
  const nameOf = (element) =>
    element.getAttribute('aria-label') ||
    (element.getAttribute('aria-labelledby') ?? '').split(' ').map(textOf).join(' ').trim() ||
    [...(element.labels ?? [])].map((label) => label.textContent).join(' ') ||
    element.textContent
  const isThere = (element) =>
    element.checkVisibility({ visibilityProperty: true }) &&
    !element.closest('[aria-hidden=true], [inert]') &&
    !element.disabled && element.getAttribute('aria-disabled') !== 'true'
  const found = [...scope.querySelectorAll(selector)].find(
    (element) => isThere(element) && name.test(nameOf(element).replace(/\\s+/g, ' ').trim()),
  )
  if (!found) return null
  const { x, y, width, height } = found.getBoundingClientRect()
  const hit = document.elementFromPoint(x + width / 2, y + height / 2)
  if (!found.contains(hit)) found.scrollIntoView({ block: 'center', behavior: 'instant' })
  const placeOf = () => JSON.stringify(found.getBoundingClientRect())
  for (let place; place !== placeOf(); ) {
    place = placeOf()
    await new Promise((resolve) => setTimeout(resolve, 60))
  }
  return found.isConnected ? found : null
}`

/** A person's steps in a tab. Each waits up to 30 s for what it needs. Faults of a page are collected. */
export class Tab {
  readonly faults: string[] = []
  readonly #engine: Engine
  readonly #origin: string
  readonly #downloads: string

  constructor(engine: Engine, origin: string, downloads: string) {
    this.#engine = engine
    this.#origin = origin
    this.#downloads = downloads
  }

  async open(path: string): Promise<void> {
    await this.#engine.open(this.#origin + path)
    // Otherwise presses are repeated once the page is hydrated.
    await waitFor(`scripts of ${path}`, async () => await this.#engine.read(`() => !('early' in window)`))
    await this.look()
  }

  async press(kind: keyof typeof KINDS, name: RegExp): Promise<void> {
    await this.#waitFor(`${kind} “${name.source}”`, async () => {
      const element = await this.#engine.find(FIND, KINDS[kind], name.source, name.flags)
      // It may still move or be gone.
      return (
        element &&
        (await this.#engine.press(element).then(
          () => true,
          () => false,
        ))
      )
    })
  }

  async fill(name: RegExp, text: string): Promise<void> {
    await this.#engine.type(await this.find('field', name), text)
  }

  async chooseFile(name: RegExp, path: string): Promise<void> {
    await this.#engine.chooseFile(await this.find('file', name), path)
  }

  async choose(name: RegExp, option: string): Promise<void> {
    await this.find('select', name)
    await this.#engine.read(
      `async (selector, pattern, flags, option) => {
        const select = await (${FIND})(selector, pattern, flags)
        select.value = [...select.options].find(({ text }) => text === option).value
        select.dispatchEvent(new Event('change', { bubbles: true }))
      }`,
      KINDS.select,
      name.source,
      name.flags,
      option,
    )
  }

  /** Waits until the page shows a text. */
  async see(text: RegExp): Promise<void> {
    const shows = '(pattern, flags) => new RegExp(pattern, flags).test(document.body.innerText)'
    await this.#waitFor(`“${text.source}”`, () => this.#engine.read(shows, text.source, text.flags))
    await this.look()
  }

  async seeAddress(path: RegExp): Promise<void> {
    const matches = '(pattern) => new RegExp(pattern).test(location.pathname + location.search)'
    await this.#waitFor(`the address ${path.source}`, () => this.#engine.read(matches, path.source))
  }

  /** Presses a link, and waits for its file. */
  async download(link: RegExp, file: RegExp): Promise<void> {
    await this.press('link', link)
    const arrived = async () => (await readdir(this.#downloads).catch(() => [])).find((name) => file.test(name))
    await this.#waitFor(`the file ${file.source}`, arrived)
  }

  /** Notes what the page must not do: be wider than the screen, or write errors. */
  async look(): Promise<void> {
    const { path, width, screen } = (await this.#engine.read(
      '() => ({ path: location.pathname, width: document.documentElement.scrollWidth, screen: innerWidth })',
    )) as { path: string; width: number; screen: number }
    if (width > screen) this.faults.push(`${path} is ${width} px wide on a screen of ${screen}`)
    for (const error of await this.#engine.errors()) this.faults.push(`${path}: ${error}`)
  }

  /** Whether the page has it now. */
  async has(kind: keyof typeof KINDS, name: RegExp): Promise<boolean> {
    return (await this.#engine.find(FIND, KINDS[kind], name.source, name.flags)) !== null
  }

  async forget(): Promise<void> {
    await this.#engine.forgetCookies()
  }

  /** Waits until it is there. */
  async find(kind: keyof typeof KINDS, name: RegExp) {
    return await this.#waitFor(`${kind} “${name.source}”`, () =>
      this.#engine.find(FIND, KINDS[kind], name.source, name.flags),
    )
  }

  async #waitFor<Found>(what: string, look: () => Promise<Found | undefined | null | false>): Promise<Found> {
    try {
      return await waitFor(what, look)
    } catch (error) {
      const shown = await this.#engine.read('() => location.pathname + "\\n" + document.body.innerText.slice(0, 1500)')
      throw new Error(`${error instanceof Error ? error.message : error}; the page is ${shown}`, { cause: error })
    }
  }
}
