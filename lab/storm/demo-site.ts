import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { freePort } from '#platform/database/embedded/cluster.ts'

const ROOT = join(import.meta.dirname, '../..')
const START_PATIENCE_MS = 60_000

/** The site as `npm start` runs it, on a port and a folder of its own, to be killed and started again. */
export class DemoSite {
  readonly origin: string
  readonly #port: number
  readonly #dataDir: string
  readonly #checkout: string
  #process: ChildProcess | undefined
  #said = ''
  #isClosed = false

  private constructor(port: number, dataDir: string, checkout: string) {
    this.#checkout = checkout
    this.#port = port
    this.#dataDir = dataDir
    this.origin = `http://127.0.0.1:${port}`
  }

  /** @param checkout the project's folder, of this release or another that is installed and built */
  static async prepare(dataDir: string, checkout = ROOT): Promise<DemoSite> {
    return new DemoSite(await freePort(), dataDir, checkout)
  }

  /** Starts it; resolves with the milliseconds until it was open, or with undefined when it was killed before. */
  async start(): Promise<number | undefined> {
    if (this.#isClosed) throw new Error('The storm is over.')
    const begun = performance.now()
    this.#said = ''
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
      const listen = (chunk: Buffer) => {
        this.#said = (this.#said + chunk).slice(-20_000)
        if (this.#said.includes('The studio is open at')) resolve(performance.now() - begun)
      }
      site.stdout.on('data', listen)
      site.stderr.on('data', listen)
    })
    const tooLong = AbortSignal.timeout(START_PATIENCE_MS)
    const gone = once(site, 'exit', { signal: tooLong }).then(([code, signal]) => {
      if (signal === 'SIGKILL') return undefined
      throw new Error(`The site ended by itself (${signal ?? code}). It said:\n${this.#said}`)
    })
    // What happens to it after it has opened is told to whoever asks next.
    gone.catch(() => {})
    return await Promise.race([opened, gone])
  }

  /** The last that it said: when something goes wrong, this is why. */
  get said(): string {
    return this.#said
  }

  /** SIGKILL: no goodbye. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL')
  }

  /** SIGKILL, and it cannot be started again. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.kill()
  }

  /** SIGTERM: a clean stop, the database included. */
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
