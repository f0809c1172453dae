import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '#platform/database/embedded/cluster.ts'
import { type Element, type Engine, pressOf, waitFor } from './engine.ts'

const PROGRAM = process.env.FIREFOX ?? 'firefox-esr'

type Message = { id?: number; type: string; result?: unknown; message?: string; method?: string; params?: unknown }
/** A value as WebDriver BiDi writes it. */
type Remote = { type: string; value?: unknown; sharedId?: string }

/** Firefox without a window, over WebDriver BiDi. */
export async function startFirefox(folder: string): Promise<Engine> {
  const port = await freePort()
  const profile = join(folder, 'profile')
  await mkdir(profile, { recursive: true })
  const settings = {
    'browser.download.dir': join(folder, 'Downloads'),
    'browser.download.folderList': 2,
    'browser.download.alwaysOpenPanel': false,
    'browser.helperApps.neverAsk.saveToDisk': 'text/csv,application/pdf,application/json',
    'pdfjs.disabled': true,
    'browser.shell.checkDefaultBrowser': false,
    'datareporting.policy.dataSubmissionEnabled': false,
    'app.update.enabled': false,
    'network.captive-portal-service.enabled': false,
    'network.connectivity-service.enabled': false,
  }
  const lines = Object.entries(settings).map(
    ([name, value]) => `user_pref(${JSON.stringify([name, value]).slice(1, -1)});`,
  )
  await writeFile(join(profile, 'user.js'), lines.join('\n'))
  const args = ['--headless', '--no-remote', '--profile', profile, `--remote-debugging-port=${port}`]
  const browser = spawn(PROGRAM, args, { stdio: 'ignore', env: { ...process.env, HOME: folder } })
  const failed = new Promise<never>((_, reject) => browser.once('error', reject))
  failed.catch(() => {})
  const socket = await Promise.race([failed, waitFor('Firefox', () => connect(`ws://127.0.0.1:${port}/session`))])
  const waiting = new Map<number, (message: Message) => void>()
  const errors: string[] = []
  socket.addEventListener('message', ({ data }) => {
    const message: Message = JSON.parse(String(data))
    if (message.id !== undefined) waiting.get(message.id)?.(message)
    if (message.method === 'log.entryAdded') {
      const { level, text } = message.params as { level: string; text: string }
      if (level === 'error') errors.push(text)
    }
  })
  let calls = 0
  const send = async (method: string, params: object): Promise<unknown> => {
    const id = ++calls
    const answered = new Promise<Message>((resolve) => waiting.set(id, resolve))
    socket.send(JSON.stringify({ id, method, params }))
    const { type, result, message } = await answered
    if (type === 'error') throw new Error(`${method}: ${message}`)
    return result
  }
  await send('session.new', { capabilities: {} })
  await send('session.subscribe', { events: ['log.entryAdded'] })
  const { contexts } = (await send('browsingContext.getTree', {})) as { contexts: { context: string }[] }
  const context = contexts[0]?.context
  const call = async (functionDeclaration: string, args: object[]): Promise<Remote> => {
    const options = { functionDeclaration, arguments: args, target: { context }, awaitPromise: true }
    const { type, result, exceptionDetails } = (await send('script.callFunction', options)) as {
      type: string
      result: Remote
      exceptionDetails?: { text: string }
    }
    if (type === 'exception') throw new Error(exceptionDetails?.text)
    return result
  }
  const text = (value: unknown) => ({ type: 'string', value: JSON.stringify(value) })
  const onJson = (source: string) => `(args) => (${source})(...JSON.parse(args))`
  const act = async (actions: object[]) => {
    await send('input.performActions', { context, actions })
    await send('input.releaseActions', { context })
  }
  const press = (element: Element) => act(pressOf({ type: 'element', element }))
  return {
    open: async (url) => void (await send('browsingContext.navigate', { context, url, wait: 'complete' })),
    read: async (source, ...args) => {
      const result = await call(`async (args) => JSON.stringify(await (${source})(...JSON.parse(args)) ?? null)`, [
        text(args),
      ])
      return JSON.parse(String(result.value))
    },
    find: async (source, ...args) => {
      const { sharedId } = await call(onJson(source), [text(args)])
      return sharedId ? { sharedId } : null
    },
    press,
    type: async (element, typed) => {
      await press(element)
      const actions = [...typed].flatMap((value) => [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ])
      await act([{ type: 'key', id: 'keys', actions }])
    },
    chooseFile: async (element, path) => void (await send('input.setFiles', { context, element, files: [path] })),
    forgetCookies: async () => void (await send('storage.deleteCookies', {})),
    resize: async (width, height) =>
      void (await send('browsingContext.setViewport', { context, viewport: { width, height } })),
    errors: () => errors.splice(0),
    close: async () => {
      await send('browser.close', {}).catch(() => browser.kill())
      if (browser.exitCode === null) await once(browser, 'exit')
    },
  }
}

async function connect(url: string): Promise<WebSocket | undefined> {
  const socket = new WebSocket(url)
  return await new Promise((resolve) => {
    socket.onopen = () => resolve(socket)
    socket.onerror = () => resolve(undefined)
  })
}
