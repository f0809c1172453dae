/** A page's element, as the engine's protocol names it. */
export type Element = Record<string, string>

/** One tab of a browser, driven by the protocol of its engine, with real presses and keys. */
export type Engine = {
  open(url: string): Promise<void>
  /** Runs a function's source in the page, and returns JSON. */
  read(source: string, ...args: unknown[]): Promise<unknown>
  /** The element that a function's source returns, or null. */
  find(source: string, ...args: unknown[]): Promise<Element | null>
  press(element: Element): Promise<void>
  type(element: Element, text: string): Promise<void>
  chooseFile(element: Element, path: string): Promise<void>
  forgetCookies(): Promise<void>
  resize(width: number, height: number): Promise<void>
  /** Errors that the console has shown since the last call. */
  errors(): string[] | Promise<string[]>
  close(): Promise<void>
}

/** @param folder for the browser's profile and, in `Downloads`, what it downloads */
export type StartEngine = (folder: string) => Promise<Engine>

/** WebDriver's actions of pressing an element. */
export const pressOf = (origin: unknown) => [
  {
    type: 'pointer',
    id: 'finger',
    actions: [
      { type: 'pointerMove', x: 0, y: 0, origin },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ],
  },
]

/** Waits for what a starting program says. */
export async function waitFor<Found>(
  what: string,
  look: () => Promise<Found | undefined | null | false>,
): Promise<Found> {
  const until = performance.now() + 30_000
  for (;;) {
    const found = await look()
    if (found) return found
    if (performance.now() > until) throw new Error(`waited 30 s for ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
