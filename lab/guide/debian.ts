import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const PACKAGES = 'systemd,systemd-sysv,dbus'
const BOOT_PATIENCE_MS = 60_000

/**
 * A Debian with systemd in its own container. It shares our network namespace, which has no way out.
 */
export class Debian {
  readonly #place: string
  readonly #root: string
  #machine: ChildProcess | undefined
  #leader = ''

  private constructor(place: string) {
    this.#place = place
    this.#root = join(place, 'root')
  }

  static async make(suite: string, outside: Outside): Promise<Debian> {
    const place = await mkdtemp(join(tmpdir(), 'studio-guide-'))
    const debian = new Debian(place)
    const args = ['--quiet', '--variant=minbase', `--include=${PACKAGES}`, suite, debian.#root]
    execFileSync('nsenter', [outside, 'mmdebstrap', ...args], { stdio: 'inherit' })
    return debian
  }

  async boot(): Promise<void> {
    const log = openSync(join(this.#place, 'boot.log'), 'w')
    const options = ['--register=no', '--keep-unit', '--resolv-conf=copy-host', '--machine=studio']
    const machine = spawn('systemd-nspawn', ['--quiet', ...options, `--directory=${this.#root}`, '--boot'], {
      stdio: ['ignore', log, log],
      // systemd needs cgroups v2, also on an older host.
      env: { PATH: process.env.PATH, UNIFIED_CGROUP_HIERARCHY: '1' },
    })
    closeSync(log)
    this.#machine = machine
    const startedAt = performance.now()
    while (performance.now() - startedAt < BOOT_PATIENCE_MS) {
      if (machine.exitCode !== null) break
      const children = await readFile(`/proc/${machine.pid}/task/${machine.pid}/children`, 'utf8').catch(() => '')
      this.#leader = children.trim().split(' ')[0] ?? ''
      if (this.#leader && (await this.#isRunning())) return
      await pause(200)
    }
    throw new Error(`Debian did not boot. Its log:\n${await readFile(join(this.#place, 'boot.log'), 'utf8')}`)
  }

  /** Copies a file into root's home. */
  async bring(file: string): Promise<void> {
    await copyFile(file, join(this.#root, 'root', basename(file)))
  }

  /**
   * Runs commands as root and returns their output; throws if one fails.
   *
   * @param network the namespace to use if something must be downloaded
   */
  async type(commands: string, network?: Outside): Promise<string> {
    const shell = spawn(
      'nsenter',
      [...this.#inside(network), 'bash', '-eu', '-o', 'pipefail', '-c', `cd /root\n${commands}`],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/root', LC_ALL: 'C.UTF-8' },
      },
    )
    let output = ''
    for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (chunk) => (output += chunk))
    const [code] = await once(shell, 'close')
    if (code !== 0) throw new Error(`Exit code ${code}:\n${commands}\nOutput:\n${output}`)
    return output
  }

  async close(): Promise<void> {
    const machine = this.#machine
    if (machine && machine.exitCode === null) {
      const ended = once(machine, 'exit')
      // The shell ends with the machine.
      await this.type('systemctl poweroff').catch(() => {})
      const patience = setTimeout(() => machine.kill('SIGKILL'), BOOT_PATIENCE_MS)
      await ended
      clearTimeout(patience)
    }
    await rm(this.#place, { recursive: true, force: true })
  }

  async #isRunning(): Promise<boolean> {
    // Some units cannot start in a container, so "degraded" is fine.
    const state = await this.type('systemctl is-system-running || true').catch(() => '')
    return ['running', 'degraded'].includes(state.trim())
  }

  #inside(network?: Outside): string[] {
    return [`--target=${this.#leader}`, '--mount', '--uts', '--ipc', '--pid', ...(network ? [network] : [])]
  }
}

/** An `nsenter` option: the network namespace that reaches Debian's packages. */
export type Outside = `--net=/proc/${number}/ns/net`
