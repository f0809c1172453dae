import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim()

/** The newest tag before this commit. */
export function newestTag(): string {
  try {
    return git('describe', '--tags', '--abbrev=0', 'HEAD^')
  } catch {
    throw new Error('No release has a tag yet. Name a commit: npm run lab -- releases <commit>')
  }
}

/** Checks out a commit into a temporary worktree and builds it. */
export async function checkOut(commit: string): Promise<{ folder: string; name: string; close(): Promise<void> }> {
  const parent = await mkdtemp(join(tmpdir(), 'studio-release-'))
  const folder = join(parent, 'checkout')
  const close = async () => {
    if (existsSync(folder)) git('worktree', 'remove', '--force', folder)
    await rm(parent, { recursive: true, force: true })
  }
  try {
    git('worktree', 'add', '--quiet', '--detach', folder, commit)
    const lockOf = (of: string) => readFileSync(join(of, 'package-lock.json'), 'utf8')
    if (lockOf(folder) === lockOf(ROOT)) symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    execFileSync('npm', ['run', 'build'], { cwd: folder, stdio: 'pipe' })
    return { folder, name: git('log', '-1', '--format=%h %s', commit), close }
  } catch (error) {
    await close()
    throw error
  }
}
