import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** What every Debian has that was not made as small as can be: something that starts it. */
const PACKAGES = 'systemd,systemd-sysv,dbus'
const BOOT_PATIENCE_MS = 60_000

/**
 * A Debian of its own that runs like a machine: systemd is its first process. It shares our network, which reaches nothing
 * but itself.
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

  /** Made out of Debian's packages and nothing else. */
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
      // Where the machine outside is older than the Debian inside, systemd wants the newer kind of control groups.
      env: { PATH: process.env.PATH, UNIFIED_CGROUP_HIERARCHY: '1' },
    })
    closeSync(log)
    this.#machine = machine
    const begun = performance.now()
    while (performance.now() - begun < BOOT_PATIENCE_MS) {
      if (machine.exitCode !== null) break
      const children = await readFile(`/proc/${machine.pid}/task/${machine.pid}/children`, 'utf8').catch(() => '')
      this.#leader = children.trim().split(' ')[0] ?? ''
      if (this.#leader && (await this.#isRunning())) return
      await pause(200)
    }
    throw new Error(`Debian did not boot. It said:\n${await readFile(join(this.#place, 'boot.log'), 'utf8')}`)
  }

  /** Puts a file of ours into root's folder. */
  async bring(file: string): Promise<void> {
    await copyFile(file, join(this.#root, 'root', basename(file)))
  }

  /** Where a file of it lies here. */
  path(file: string): string {
    return join(this.#root, file)
  }

  /**
   * Types commands as root and answers what they said; throws when one of them failed.
   *
   * @param network `outside` where something has to be fetched
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
    let said = ''
    for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (chunk) => (said += chunk))
    const [code] = await once(shell, 'close')
    if (code !== 0) throw new Error(`It ended with ${code}:\n${commands}\nIt said:\n${said}`)
    return said
  }

  async close(): Promise<void> {
    const machine = this.#machine
    if (machine && machine.exitCode === null) {
      const ended = once(machine, 'exit')
      // The connection over which it is told ends with it.
      await this.type('systemctl poweroff').catch(() => {})
      const patience = setTimeout(() => machine.kill('SIGKILL'), BOOT_PATIENCE_MS)
      await ended
      clearTimeout(patience)
    }
    await rm(this.#place, { recursive: true, force: true })
  }

  async #isRunning(): Promise<boolean> {
    // Degraded is a machine on which something failed to start that a container cannot have.
    const state = await this.type('systemctl is-system-running || true').catch(() => '')
    return ['running', 'degraded'].includes(state.trim())
  }

  #inside(network?: Outside): string[] {
    return [`--target=${this.#leader}`, '--mount', '--uts', '--ipc', '--pid', ...(network ? [network] : [])]
  }
}

/** The network that reaches Debian's packages, as `nsenter` wants to be told. */
export type Outside = `--net=/proc/${number}/ns/net`
