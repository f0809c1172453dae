import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { freePort } from '#platform/database/embedded/cluster.ts'

const ROOT = join(import.meta.dirname, '../..')
const START_PATIENCE_MS = 60_000

/** The demo site with its own port and folder, which can be killed and restarted. */
export class DemoSite {
  readonly origin: string
  readonly #port: number
  readonly #dataDir: string
  readonly #checkout: string
  #process: ChildProcess | undefined
  #output = ''
  #isClosed = false

  private constructor(port: number, dataDir: string, checkout: string) {
    this.#checkout = checkout
    this.#port = port
    this.#dataDir = dataDir
    this.origin = `http://127.0.0.1:${port}`
  }

  /** @param checkout the folder of this or another checkout, installed and built */
  static async prepare(dataDir: string, checkout = ROOT): Promise<DemoSite> {
    return new DemoSite(await freePort(), dataDir, checkout)
  }

  /** Starts it; resolves with the milliseconds until it is open, or undefined if it is killed before. */
  async start(): Promise<number | undefined> {
    if (this.#isClosed) throw new Error('The storm is over.')
    const startedAt = performance.now()
    this.#output = ''
    const site = spawn(process.execPath, ['src/app/main.ts'], {
      cwd: this.#checkout,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH,
        NODE_ENV: 'production',
        PORT: String(this.#port),
        DATA_DIR: this.#dataDir,
        APP_URL: this.origin,
      },
    })
    this.#process = site
    const opened = new Promise<number>((resolve) => {
      for (const stream of [site.stdout, site.stderr]) {
        stream.on('data', (chunk) => {
          this.#output = (this.#output + chunk).slice(-20_000)
          if (this.#output.includes('The studio is open at')) resolve(performance.now() - startedAt)
        })
      }
    })
    const exited = once(site, 'exit', { signal: AbortSignal.timeout(START_PATIENCE_MS) }).then(([code, signal]) => {
      if (signal === 'SIGKILL') return undefined
      throw new Error(`The site exited (${signal ?? code}). Its output:\n${this.#output}`)
    })
    // An exit after opening is reported by the next request.
    exited.catch(() => {})
    return await Promise.race([opened, exited])
  }

  /** Sends SIGKILL. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL')
  }

  /** Sends SIGKILL and prevents another start. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.kill()
  }

  /** Sends SIGTERM: a clean stop, including the database. */
  async stop(): Promise<void> {
    await this.#end('SIGTERM')
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const site = this.#process
    if (!site || site.exitCode !== null || site.signalCode !== null) return
    site.kill(signal)
    await once(site, 'exit')
  }
}
