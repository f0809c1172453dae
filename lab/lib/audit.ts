import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'

const CLI = join(import.meta.dirname, '../tools/node_modules/lighthouse/cli/index.js')
const Score = z.number().nullable()
/** The part of Lighthouse's report that we read. */
const Report = z.object({
  runtimeError: z.object({ message: z.string() }).optional(),
  finalDisplayedUrl: z.string(),
  categories: z.record(
    z.string(),
    z.object({ score: Score, auditRefs: z.array(z.object({ id: z.string(), weight: z.number() })) }),
  ),
  audits: z.record(z.string(), z.object({ title: z.string(), score: Score, numericValue: z.number().optional() })),
})
const exec = promisify(execFile)

/** Scores of 100, LCP and total blocking time in milliseconds, CLS. */
export type Run = {
  performance: number
  accessibility: number
  'best-practices': number
  seo: number
  lcp: number
  tbt: number
  cls: number
}
export type Measured = Run & { faults: string[] }

/**
 * Runs Lighthouse on a page with its mobile throttling and an empty cache.
 *
 * @param port the browser's debugging port; its cookies are sent
 */
export async function auditOnce(url: string, port: number): Promise<Measured> {
  const { stdout } = await exec(process.execPath, [CLI, url, `--port=${port}`, '--output=json', '--quiet'], {
    maxBuffer: 100_000_000,
  })
  const { categories, audits, runtimeError, finalDisplayedUrl } = Report.parse(JSON.parse(stdout))
  if (runtimeError) throw new Error(`${url}: ${runtimeError.message}`)
  if (finalDisplayedUrl !== url) throw new Error(`${url} led to ${finalDisplayedUrl}`)
  const points = (name: string) => Math.round((categories[name]?.score ?? 0) * 100)
  const refs = ['accessibility', 'best-practices', 'seo'].flatMap((name) => categories[name]?.auditRefs ?? [])
  const failed = refs.filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
  return {
    performance: points('performance'),
    accessibility: points('accessibility'),
    'best-practices': points('best-practices'),
    seo: points('seo'),
    lcp: audits['largest-contentful-paint']?.numericValue ?? Number.POSITIVE_INFINITY,
    tbt: audits['total-blocking-time']?.numericValue ?? Number.POSITIVE_INFINITY,
    cls: audits['cumulative-layout-shift']?.numericValue ?? Number.POSITIVE_INFINITY,
    faults: failed.map(({ id }) => `${id}: ${audits[id]?.title}`),
  }
}

/** The median of each figure, and the faults of all runs. */
export function medianOf(runs: readonly Measured[]): Measured {
  const middle = (name: keyof Run) => runs.map((run) => run[name]).sort((a, b) => a - b)[runs.length >> 1] ?? Number.NaN
  const faults = [...new Set(runs.flatMap((run) => run.faults))]
  return {
    performance: middle('performance'),
    accessibility: middle('accessibility'),
    'best-practices': middle('best-practices'),
    seo: middle('seo'),
    lcp: middle('lcp'),
    tbt: middle('tbt'),
    cls: middle('cls'),
    faults,
  }
}
