import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '#platform/database/embedded/cluster.ts'
import { type Element, type Engine, pressOf, waitFor } from './engine.ts'

const DRIVER = process.env.WEBKIT_DRIVER ?? 'WebKitWebDriver'
const [BROWSER = 'MiniBrowser'] = globSync('/usr/lib/*/webkit2gtk-4.*/MiniBrowser')
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'
/**
 * Runs in each page once it is open, because the driver does not show the console: what went wrong before that stops
 * the steps, or is a report of the content security policy.
 */
const LISTEN = `
  const faults = window.faults = []
  addEventListener('error', ({ message }) => faults.push(message))
  addEventListener('unhandledrejection', ({ reason }) => faults.push(String(reason)))
  console.error = (...words) => faults.push(words.join(' '))`

/** WebKitGTK's MiniBrowser on a screen of its own, over WebDriver. Its tool bar keeps the window at 447 px or more. */
export async function startWebKit(folder: string): Promise<Engine> {
  const port = await freePort()
  const display = `:${port % 10_000}`
  await mkdir(join(folder, 'Downloads'), { recursive: true })
  await mkdir(join(folder, '.config'))
  await writeFile(join(folder, '.config/user-dirs.dirs'), 'XDG_DOWNLOAD_DIR="$HOME/Downloads"\n')
  const screen = spawn('Xvfb', [display, '-screen', '0', '1600x1200x24'], { stdio: 'ignore' })
  const env = { ...process.env, DISPLAY: display, HOME: folder, XDG_CONFIG_HOME: join(folder, '.config') }
  const driver = spawn(DRIVER, [`--port=${port}`], { stdio: 'ignore', env })
  const failed = new Promise<never>((_, reject) => {
    for (const program of [screen, driver]) program.once('error', reject)
  })
  failed.catch(() => {})
  const send = async (method: string, path: string, body?: object) => {
    const response = await fetch(`http://127.0.0.1:${port}/session${path}`, {
      method,
      body: body && JSON.stringify(body),
    })
    const { value } = (await response.json()) as { value: unknown }
    if (!response.ok) throw new Error(`${path}: ${JSON.stringify(value)}`)
    return value
  }
  const isUp = () => fetch(`http://127.0.0.1:${port}/status`).catch(() => undefined)
  await Promise.race([failed, waitFor(DRIVER, isUp)])
  const browser = { 'webkitgtk:browserOptions': { binary: BROWSER, args: ['--automation'] } }
  const { sessionId } = (await send('POST', '', { capabilities: { alwaysMatch: browser } })) as { sessionId: string }
  const at = (path: string) => `/${sessionId}${path}`
  const call = (script: string, args: unknown[]) => send('POST', at('/execute/sync'), { script, args })
  const idOf = (element: Element) => element[ELEMENT]
  return {
    open: async (url) => {
      await send('POST', at('/url'), { url })
      await call(LISTEN, [])
    },
    read: async (source, ...args) =>
      JSON.parse(
        String(await call(`return (async () => JSON.stringify(await (${source})(...arguments) ?? null))()`, args)),
      ),
    find: async (source, ...args) => (await call(`return (${source})(...arguments)`, args)) as Element | null,
    press: async (origin) => void (await send('POST', at('/actions'), { actions: pressOf(origin) })),
    type: async (element, text) => void (await send('POST', at(`/element/${idOf(element)}/value`), { text })),
    chooseFile: async (element, path) =>
      void (await send('POST', at(`/element/${idOf(element)}/value`), { text: path })),
    forgetCookies: async () => void (await send('DELETE', at('/cookie'))),
    resize: async (width, height) => {
      // The page is smaller than the window, by its bars.
      await send('POST', at('/window/rect'), { width, height })
      const [innerWidth, innerHeight] = (await call('return [innerWidth, innerHeight]', [])) as [number, number]
      await send('POST', at('/window/rect'), { width: 2 * width - innerWidth, height: 2 * height - innerHeight })
    },
    errors: async () => (await call('return window.faults?.splice(0) ?? []', [])) as string[],
    close: async () => {
      await send('DELETE', `/${sessionId}`).catch(() => {})
      for (const program of [driver, screen]) {
        program.kill()
        if (program.exitCode === null && program.signalCode === null) await once(program, 'exit')
      }
    },
  }
}
