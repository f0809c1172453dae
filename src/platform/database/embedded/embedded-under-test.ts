import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { afterEach, beforeEach, inject } from 'vitest'
import { copyClusterTemplate, removeDataDir } from '#testing/cluster-template.ts'
import { startEmbeddedPostgres } from '../embedded-postgres.ts'
import { placesOf } from './place.ts'

// Real processes and a real PostgreSQL: owners to kill run owner-process.ts.

type OwnerMessage = { url?: string; error?: string; sentence?: string }

/** A data folder for each test of a file; everything started there is stopped after the test. */
export function dataFolder() {
  const place = { dataDir: '', undo: [] as (() => Promise<unknown>)[], sentences: [] as string[] }

  beforeEach(async () => {
    place.undo.length = 0
    const open = await mkdtemp(path.join(tmpdir(), 'embedded-'))
    await chmod(open, 0o755)
    place.dataDir = path.join(open, 'data')
    place.undo.push(() => rm(open, { recursive: true, force: true, maxRetries: 10 }))
    place.undo.push(() => removeDataDir(place.dataDir))
  })

  afterEach(async () => {
    for (const step of place.undo.reverse()) await step()
  })

  async function begin(options: Partial<Parameters<typeof startEmbeddedPostgres>[0]> = {}) {
    place.sentences.length = 0
    const database = await startEmbeddedPostgres({
      dataDir: place.dataDir,
      ownerLabel: 'the test',
      forTests: true,
      print: (sentence) => place.sentences.push(sentence),
      ...options,
    })
    place.undo.push(database.stop)
    return database
  }

  /** Another process that owns the database. */
  async function owner(label: string, waitForOwnerMs = 0) {
    const child = spawn(
      process.execPath,
      [path.join(import.meta.dirname, 'owner-process.ts'), place.dataDir, label, String(waitForOwnerMs)],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    place.undo.push(() => end(child, 'SIGTERM'))
    for await (const line of createInterface({ input: child.stdout })) {
      const message: OwnerMessage = JSON.parse(line)
      if (message.url || message.error) return { ...message, child }
    }
    throw new Error('the owner ended without a word')
  }

  async function cluster() {
    const [inside, elsewhere] = placesOf(place.dataDir)
    return path.join(existsSync(elsewhere) ? elsewhere : inside, 'cluster')
  }

  return {
    place,
    begin,
    owner,
    cluster,
    /** A ready cluster, for tests that are not about creating one. */
    madeBefore: () => copyClusterTemplate(inject('clusterTemplate'), place.dataDir),
    serverProcess: async () =>
      Number((await readFile(path.join(await cluster(), 'postmaster.pid'), 'utf8')).split('\n')[0]),
  }
}

export async function end(child: ChildProcess, signal: NodeJS.Signals) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}

export async function ask<T extends pg.QueryResultRow>(url: string, sql: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<T>(sql)).rows
  } finally {
    await client.end()
  }
}
